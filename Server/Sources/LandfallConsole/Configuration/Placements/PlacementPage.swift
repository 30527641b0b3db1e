// SPDX-License-Identifier: Apache-2.0

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
    /// Nil for members who see no reports, and before the first days are counted.
    var shares: PlacementShares?
    /// The test devices whose answer can be asked for; none for members who see no people.
    var devices: [String] = []
    /// The one that was asked for.
    var device: PlacementDevice?
    /// What an entry can be added with.
    var audiences: [String] = []
    var paywalls: [String] = []
    var experiments: [String] = []

    private var words: Words { frame.words }
    private var place: Place { Place("/console/placements", [name]) }

    var html: HTML {
        frame.page(name, .placements, note: words.version(version)) {
            frame.draft(forms)
            section(.class("block")) {
                h2 { words.whoSeesWhat }
                p(.class("note")) { words.orderNote }
                shares?.note(frame, of: entries, at: name)
                if let atMs = entries.compactMap({ $0.matches?.atMs }).min() {
                    p(.class("note")) {
                        words.matchesNote
                        words.countedAt(words.moment(atMs))
                    }
                }
                frame.counting(counting, place)
                forms?.problems.summary(words)
                if let forms { editing(forms) } else { ladder.html }
            }
            if !devices.isEmpty { frame.asking(devices, at: place, device, forms) }
            frame.uses(uses, none: words.noUsesOfPlacement)
            frame.yaml(yaml, words.inTheFile)
        }
    }

    private var ladder: PlacementLadder {
        PlacementLadder(frame: frame, entries: entries, shares: shares, device: device, forms: forms, showings: isOnlyRead ? [] : showings)
    }

    private func editing(_ forms: ConfigurationForms) -> HTML {
        frame.editing(place, forms) {
            ladder.html
            if isOnlyRead { p(.class("note")) { words.showingAsYAML } }
            if !audiences.isEmpty { adding(forms) }
            trying(forms)
            if let yaml { frame.yamlField(yaml, forms) }
            button(.class("danger"), .name("change"), .value("delete")) { words.delete(name) }
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

    /// An experiment in the place of a paywall, in one step.
    private func trying(_ forms: ConfigurationForms) -> HTML? {
        let tried = entries.enumerated().compactMap { index, entry -> (value: String, name: String)? in
            guard case .paywall(let paywall) = entry.showing else { return nil }
            return ("\(index)", (entry.isEveryone ? words.everyone : entry.audience) + " → " + paywall)
        }
        guard !isOnlyRead, !tried.isEmpty, paywalls.count > 1 else { return nil }
        let fields: Set = ["tried", "against", "experiment"]
        return details(.flag("open", forms.problems.contains { fields.contains($0.field) })) {
            summary { words.replaceByExperiment }
            fieldset(.class("adding")) {
                legend(.class("hidden")) { words.replaceByExperiment }
                p(.class("hint")) { words.replaceByExperimentNote }
                frame.control("tried", words.shownNow, forms) { frame.choice("tried", tried, forms) }
                frame.control("against", words.otherPaywall, forms) { frame.choice("against", paywalls.map { ($0, $0) }, forms) }
                frame.control("experiment", words.experimentName, forms) { frame.box("experiment", forms.value("experiment", ""), forms) }
                button(.name("change"), .value("try")) { words.replace }
            }
        }
    }

    private var showings: [(value: String, name: String)] {
        paywalls.map { ("paywall:" + $0, $0) } + experiments.map { ("experiment:" + $0, words.name(of: .experiment) + " " + $0) }
    }

    /// In a page of usual size a choice for each entry fits; a longer one has the text of the file.
    private static let mostOptions = 2_000
    private static let mostChoices = 100
    private var isOnlyRead: Bool { entries.count > Self.mostChoices || entries.count * showings.count > Self.mostOptions }
}
