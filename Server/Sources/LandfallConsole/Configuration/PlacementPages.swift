// SPDX-License-Identifier: Apache-2.0

/// One line of a placement: who, and what they see.
struct PlacementEntry: Hashable, Sendable {
    enum Showing: Hashable, Sendable {
        case paywall(String), experiment(String)
        /// A form that this release does not know.
        case unknown

        /// As the forms send it.
        var value: String {
            switch self {
            case .paywall(let name): "paywall:" + name
            case .experiment(let name): "experiment:" + name
            case .unknown: ""
            }
        }
    }

    let audience: String
    let showing: Showing
    /// As the file writes it; nil where that is not known.
    let yaml: String?
    /// How many installs the audience matches, whatever stands above it; nil where nobody counted lately.
    var matches: MatchSample?

    /// The audience that every placement ends with.
    static let everyone = "everyone"
    var isEveryone: Bool { audience == Self.everyone }
}

extension Frame {
    func audience(_ name: String) -> HTML {
        name == PlacementEntry.everyone ? HTML(words.everyone) : a(.href(Place("/console/audiences", [name]))) { name }
    }

    func showing(_ showing: PlacementEntry.Showing) -> HTML {
        switch showing {
        case .paywall(let name): a(.href(Place("/console/paywalls", [name]))) { name }
        case .experiment(let name):
            span {
                words.name(of: .experiment) + " "
                a(.href(Place("/console/experiments", [name]))) { name }
            }
        case .unknown: HTML("–")
        }
    }
}

/// The places of the app that show a paywall.
struct PlacementsPage {
    struct Placement: Hashable, Sendable {
        let name: String
        let entries: [PlacementEntry]
    }

    let frame: Frame
    /// The number of the version; nil where there is none.
    let version: Int64?
    let placements: [Placement]
    let filter: NameFilter

    private static let mostEntries = 5
    private var words: Words { frame.words }

    var html: HTML {
        frame.listing(
            words.placements, .placements, at: "/console/placements", version: version, filter, isEmpty: placements.isEmpty, none: words.noPlacements,
            new: .placement
        ) {
            scrollingTable(words.placements, titles: [words.placement, words.whoSeesWhat]) {
                for placement in placements { row(placement) }
            }
        }
    }

    private func row(_ placement: Placement) -> HTML {
        tr {
            th(Attribute("scope", "row")) { a(.href(Place("/console/placements", [placement.name]))) { placement.name } }
            td {
                ol {
                    for entry in placement.entries.prefix(Self.mostEntries) {
                        li {
                            frame.audience(entry.audience)
                            " → "
                            frame.showing(entry.showing)
                        }
                    }
                    if placement.entries.count > Self.mostEntries { li { words.andMore(placement.entries.count - Self.mostEntries) } }
                }
            }
        }
    }
}

/// One placement: its audiences in the order in which they are asked.
struct PlacementPage {
    let frame: Frame
    let version: Int64
    let name: String
    let entries: [PlacementEntry]
    let uses: [ConfigurationUse]
    let yaml: String?
    var forms: ConfigurationForms?
    /// Nil where this node cannot count, and for a draft.
    var counting: MatchCounts?
    /// What an entry can be added with.
    var audiences: [String] = []
    var paywalls: [String] = []
    var experiments: [String] = []

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(name, .placements, note: words.version(version)) {
            frame.draft(forms)
            section(.class("block")) {
                h2 { words.whoSeesWhat }
                p(.class("note")) { words.orderNote }
                if let atMs = entries.compactMap({ $0.matches?.atMs }).min() {
                    p(.class("note")) {
                        words.matchesNote
                        words.countedAt(words.moment(atMs))
                    }
                }
                frame.counting(counting, Place("/console/placements", [name]))
                forms?.problems.summary(words)
                if let forms {
                    frame.editing(Place("/console/placements", [name]), forms) {
                        table
                        if isOnlyRead { p(.class("note")) { words.showingAsYAML } }
                        if !audiences.isEmpty { adding(forms) }
                        if let yaml { frame.yamlField(yaml, forms) }
                        button(.class("danger"), .name("change"), .value("delete")) { words.delete(name) }
                    }
                } else {
                    table
                }
            }
            frame.uses(uses, none: words.noUsesOfPlacement)
            frame.yaml(yaml, words.inTheFile)
        }
    }

    private var table: HTML {
        let titles = [words.position, words.audience, words.sees] + (isCounted ? [words.matches] : []) + [words.inTheFile]
        return scrollingTable(words.whoSeesWhat, titles: forms == nil ? titles : titles + [words.edit]) {
            for (index, entry) in entries.enumerated() { row(index, entry) }
        }
    }

    private var isCounted: Bool { entries.contains { $0.matches != nil } }

    /// Everyone stays where it is.
    private func moves(_ index: Int, _ entry: PlacementEntry) -> HTML {
        div(.class("moves")) {
            if !entry.isEveryone {
                if index > 0 {
                    button(.name("change"), .value("up.\(index)"), .label(words.moveUp(entry.audience))) { "↑" }
                }
                if index + 1 < entries.count, !entries[index + 1].isEveryone {
                    button(.name("change"), .value("down.\(index)"), .label(words.moveDown(entry.audience))) { "↓" }
                }
                button(.class("danger"), .name("change"), .value("remove.\(index)"), .label(words.remove(entry.audience))) { "×" }
            }
        }
    }

    private func adding(_ forms: ConfigurationForms) -> HTML {
        fieldset(.class("adding")) {
            legend { words.addEntry }
            frame.control("audience", words.audience, forms) {
                frame.choice("audience", audiences.map { ($0, $0) }, forms)
            }
            frame.control("shows", words.sees, forms) {
                frame.choice("shows", showings, forms)
            }
            button(.name("change"), .value("add")) { words.add }
        }
    }

    private var showings: [(value: String, name: String)] {
        paywalls.map { ("paywall:" + $0, $0) } + experiments.map { ("experiment:" + $0, words.name(of: .experiment) + " " + $0) }
    }

    /// In a page of usual size a choice for each entry fits; a longer one has the text of the file.
    private static let mostOptions = 2_000
    private static let mostChoices = 100
    private var isOnlyRead: Bool { entries.count > Self.mostChoices || entries.count * showings.count > Self.mostOptions }

    /// What the entry shows, to be changed.
    private func choosing(_ index: Int, _ entry: PlacementEntry, _ forms: ConfigurationForms) -> HTML {
        let field = "shows.\(index)", name = entry.isEveryone ? words.everyone : entry.audience
        return div(.class("choosing")) {
            frame.control(field, words.shown(to: name), forms, isHidden: true) {
                frame.choice(field, entry.showing == .unknown ? [("", "–")] + showings : showings, forms, said: entry.showing.value)
            }
            button(.name("change"), .value("show.\(index)"), .label(words.changeShowing(name))) { words.change }
        }
    }

    private func row(_ index: Int, _ entry: PlacementEntry) -> HTML {
        tr {
            td(.class("nowrap")) {
                "\(index + 1)"
                // For a mouse, where the page's script is there; the buttons do the same.
                if forms != nil, !entry.isEveryone {
                    span(.class("grip"), Attribute("data-move", "\(index)"), Attribute("aria-hidden", "true"), .flag("hidden")) { "⠿" }
                }
            }
            th(Attribute("scope", "row")) { frame.audience(entry.audience) }
            td {
                frame.showing(entry.showing)
                if let forms, !isOnlyRead, !showings.isEmpty { choosing(index, entry, forms) }
            }
            if isCounted { td { entry.matches.map { $0.range(words) ?? $0.text($0.count.yes, words) } ?? "–" } }
            td { if let yaml = entry.yaml { code { yaml } } else { "–" } }
            if forms != nil { td { moves(index, entry) } }
        }
    }
}
