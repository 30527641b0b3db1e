// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallWire

/// A link as the pages show it.
struct LinkEntry: Hashable, Sendable {
    enum LabelName: String, CaseIterable, Sendable { case campaign, adGroup, creative, label, channel }

    struct Label: Hashable, Sendable {
        let name: LabelName
        let value: String

        init(_ name: LabelName, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    let address: String
    let destination: String
    let labels: [Label]
    let expiresAtMs: Int64?
    let isExpired: Bool
    /// The configuration has it: it is changed there.
    let isInFile: Bool
    /// It begins later.
    var isEarly = false
    var startsAtMs: Int64?
    var tags: [String] = []
    var folder: String?
    /// Nil where they are not known.
    var clicks: Int64?
    var unique: Int64?
    /// Those of the same days whose install the link brought.
    var firstOpens: Int64?
    /// There are some, and too few to be told.
    var hasFewOpens = false

    /// Without `https://`, as people say it.
    var name: String { address.hasPrefix("https://") ? String(address.dropFirst(8)) : address }

    var place: Place { Place("/console/links/show", query: [("url", address)]) }

    /// The form of the next link with its labels.
    var next: Place { Place("/console/links/new", query: [("like", address)]) }

    /// The report of the people that the link brought.
    var people: Place { Place("/console/reports/campaigns", query: [("by", "link"), ("link", name)]) }

    func firstOpens(_ words: Words) -> String {
        hasFewOpens ? words.linkFewOpens : firstOpens.map { words.language.count($0) } ?? "–"
    }

    func badges(_ words: Words) -> HTML {
        HTMLBuilder.buildArray([
            span(.class("badge")) { words.linkState(isExpired ? .expired : isEarly ? .scheduled : .live) },
            isInFile ? span(.class("badge")) { words.linkState(.file) } : .empty,
        ])
    }
}

extension LinkFilter {
    /// The pairs of an address; only those that filter.
    var pairs: [(String, String?)] {
        [
            ("q", query), ("host", host), ("campaign", campaign), ("tag", tag), ("folder", folder), ("state", state?.rawValue ?? ""),
        ].filter { !$0.1.isEmpty }
    }

    init(_ call: ConsoleCall) {
        func text(_ name: String) -> String { (call.query(name) ?? "").cut(toBytes: Self.longest) }
        self.init()
        (query, host, campaign) = (text("q"), text("host"), text("campaign"))
        (tag, folder) = (text("tag"), text("folder"))
        state = call.query("state").flatMap { State(rawValue: $0) }
    }
}

extension LinkEntry {
    init(_ link: StoredLink, isInFile: Bool, nowMs: Int64) {
        let labels = link.labels
        let values: [(LabelName, String?)] = [
            (.campaign, labels.campaign), (.adGroup, labels.adGroup), (.creative, labels.creative), (.label, labels.label),
            (.channel, labels.channel),
        ]
        self.init(
            address: link.address, destination: link.destination,
            labels: values.compactMap { name, value in value.map { Label(name, $0) } }, expiresAtMs: link.expiresAtMs,
            isExpired: link.isExpired(nowMs: nowMs), isInFile: isInFile, isEarly: link.isEarly(nowMs: nowMs),
            startsAtMs: link.startsAtMs, tags: link.tags, folder: link.folder)
    }
}
