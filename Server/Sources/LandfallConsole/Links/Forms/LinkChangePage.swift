// SPDX-License-Identifier: Apache-2.0

/// What a member does to the links that were chosen in the list.
enum LinkChangeKind: String, CaseIterable, Sendable {
    case archive
    case takeUp = "take-up"
    case relabel
}

/// Labels of several links that shall change; the others stay.
struct LabelChanges: Hashable, Sendable {
    var values: [LinkEntry.LabelName: String] = [:]
    var cleared: Set<LinkEntry.LabelName> = []

    init() {}

    var isEmpty: Bool { values.isEmpty && cleared.isEmpty }
}

/// Says what will change of the chosen links, and afterwards what did.
struct LinkChangePage {
    enum Outcome: Hashable, Sendable {
        case changed(from: LinkEntry, to: LinkEntry)
        case unchanged
        /// Why, in the member's language.
        case refused(String)
    }

    struct Row: Hashable, Sendable {
        let address: String
        let outcome: Outcome

        fileprivate var isChanged: Bool { if case .changed = outcome { true } else { false } }
        fileprivate var isRefused: Bool { if case .refused = outcome { true } else { false } }
    }

    /// How many links a page names before anything is changed; the counts are of all.
    static let mostNamed = 10

    let frame: Frame
    let kind: LinkChangeKind
    let addresses: [String]
    let draft: LabelChanges
    /// The page of the list from which they are.
    let back: Place
    /// Suggestions.
    var campaigns: [String] = []
    /// Nil before anything was checked.
    var rows: [Row]?
    /// The rows were changed, not only checked.
    var isDone = false
    var problems: [FieldProblem] = []

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.linkChange(kind), .links) {
            problems.summary(words)
            if let rows { result(rows) } else if !addresses.isEmpty { chosen }
            if !isDone, !addresses.isEmpty, rows == nil || kind == .relabel || count > 0 { order }
            p { a(.class("button"), .href(back)) { words.linkChangeBack } }
        }
    }

    /// Before the labels are known.
    private var chosen: HTML {
        section(.class("block")) {
            h2 { words.linkChosen(Int64(addresses.count)) }
            ul(.class("sentences")) {
                for address in addresses.prefix(Self.mostNamed) { li(.class("link-address")) { Self.name(address) } }
            }
            more(addresses.count - Self.mostNamed)
        }
    }

    private var order: HTML {
        section(.class("block narrow")) {
            p(.class("note")) { words.linkChangeNote(kind) }
            form(Attribute("method", "post"), .action(Place("/console/links/change"))) {
                frame.proof
                input(.type("hidden"), .name("action"), .value(kind.rawValue))
                input(.type("hidden"), .name("back"), .value(back.text))
                for (index, address) in addresses.enumerated() {
                    input(.type("hidden"), Attribute("name", "link\(index)"), .value(address))
                }
                if kind == .relabel { for name in LinkEntry.LabelName.allCases { field(name) } }
                p(.class("toolbar")) {
                    if kind == .relabel || rows == nil {
                        button(.class(count > 0 ? "again" : "primary"), .name("step"), .value("check")) {
                            words.linkImportCheck
                        }
                    }
                    if count > 0 {
                        button(.class("primary"), .name("step"), .value("apply")) { words.linkChange(kind, count) }
                    }
                }
            }
        }
    }

    /// How many links would change.
    private var count: Int { (rows ?? []).count(where: \.isChanged) }

    private func field(_ name: LinkEntry.LabelName) -> HTML {
        let title = words.name(of: name)
        return div(.class("field")) {
            LinkField(
                name: name.field, title: title, value: draft.values[name] ?? "",
                suggestions: name == .campaign ? campaigns : [],
                problems: problems
            ).html
            label(.class("choice")) {
                input(
                    .type("checkbox"), Attribute("name", "clear-" + name.rawValue), .value("1"),
                    .flag("checked", draft.cleared.contains(name)))
                span { words.linkClear(title) }
            }
        }
    }

    private func result(_ rows: [Row]) -> HTML {
        let refused = rows.filter(\.isRefused), changed = rows.filter(\.isChanged)
        let unchanged = rows.filter { !$0.isRefused && !$0.isChanged }
        // What needs somebody's eyes comes first.
        let shown = refused + (isDone ? changed + unchanged : Array((changed + unchanged).prefix(Self.mostNamed)))
        let title = isDone ? words.linkChangeDone : words.linkChangeChecked
        return section(.class("block"), Attribute("role", "status")) {
            h2 { title }
            dl(.class("figures")) {
                figure(isDone ? words.linkChanged : words.linkToChange, changed.count)
                figure(words.linkUnchanged, unchanged.count)
                figure(words.linkImportRefused, refused.count)
            }
            scrollingTable(title, titles: [words.link, words.linkImportResult]) {
                for row in shown {
                    tr {
                        th(Attribute("scope", "row")) { Self.name(row.address) }
                        td { sentence(row.outcome) }
                    }
                }
            }
            more(rows.count - shown.count)
        }
    }

    private func sentence(_ outcome: Outcome) -> HTML {
        switch outcome {
        case .refused(let sentence): HTML(sentence)
        case .unchanged: HTML(words.linkUnchanged)
        case .changed(let old, let new):
            HTMLBuilder.buildArray(
                LinkEntry.LabelName.allCases.compactMap { name in
                    let (before, after) = (old.value(of: name), new.value(of: name))
                    return before == after ? nil : difference(words.name(of: name), before ?? "–", after ?? "–")
                } + (old.expiresAtMs == new.expiresAtMs ? [] : [difference(words.linkExpiry, end(old), end(new))]))
        }
    }

    private func difference(_ name: String, _ before: String, _ after: String) -> HTML {
        span(.class("line")) {
            span(.class("quiet")) { name + words.language.colon }
            before + " → " + after
        }
    }

    private func end(_ entry: LinkEntry) -> String {
        entry.expiresAtMs.map { words.language.instant($0) + " UTC" } ?? words.linkNever
    }

    private func more(_ count: Int) -> HTML? { count > 0 ? p(.class("note")) { words.linkChangeMore(Int64(count)) } : nil }

    private func figure(_ name: String, _ value: Int) -> HTML {
        div(.class("figure")) {
            dt { name }
            dd(.class("value")) { words.language.count(Int64(value)) }
        }
    }

    private static func name(_ address: String) -> String {
        address.hasPrefix("https://") ? String(address.dropFirst(8)) : address
    }
}

extension LinkEntry {
    fileprivate func value(of name: LabelName) -> String? { labels.first { $0.name == name }?.value }
}

extension LinkEntry.LabelName {
    fileprivate var field: StaticString {
        switch self {
        case .campaign: "campaign"
        case .adGroup: "adGroup"
        case .creative: "creative"
        case .label: "label"
        case .channel: "channel"
        }
    }
}
