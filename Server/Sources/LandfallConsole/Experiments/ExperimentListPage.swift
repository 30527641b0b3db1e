// SPDX-License-Identifier: Apache-2.0

/// An experiment as the list shows it.
struct ExperimentEntry: Hashable, Sendable {
    let name: String
    let state: ExperimentState
    let placements: [String]
    let units: Int
    let planned: Int
    /// The share of units whose window is over; nil without units.
    let matured: Double?
}

/// All experiments of the configuration, live ones first.
struct ExperimentListPage {
    let frame: Frame
    let entries: [ExperimentEntry]
    /// The numbers have what came before.
    var countedAtMs: Int64?
    /// The newest version. Nil in a store without one: nothing can be added to it.
    var version: Int64?

    init(frame: Frame, entries: [ExperimentEntry]) {
        self.frame = frame
        self.entries = entries.sorted { ($0.state.order, $0.name) < ($1.state.order, $1.name) }
    }

    /// Everything that an experiment needs, for somebody who has only the console.
    static let example = """
        events:
          trial_started: {}                # the app records it
        metrics:
          trial: { event: trial_started, windowDays: 14 }
        experiments:
          spring-price:
            state: draft                   # live, once it is reviewed
            variations:
              A: { weight: 50, paywall: default }      # the control
              B: { weight: 50, paywall: half-price }
            primary: trial
            plannedUnits: 20000            # landfall plan tells how many are needed
        placements:
          onboarding:
            - audience: everyone
              experiment: spring-price
        """

    private var words: ExperimentWords { frame.words.experiments }

    var html: HTML {
        frame.page(words.title, .experiments, note: countedAtMs.map { frame.words.completeTo($0) }) {
            if entries.isEmpty {
                section(.class("block empty")) {
                    h2 { words.noExperiments }
                    p { version != nil && !frame.isFileOwned && frame.can(.publishing) ? words.firstExperiment : words.noExperimentsText }
                    frame.helpForEmpty(.experiments)
                    p { words.wholeExample }
                    pre { code { Self.example } }
                }
            } else {
                section(.class("block")) {
                    p(.class("note")) { words.listNote }
                    scrollingTable(
                        words.title, titles: [words.experiment, words.state, words.placements],
                        numbers: [words.units, words.planned, words.matured]
                    ) { for entry in entries { row(entry) } }
                    p(.class("toolbar")) {
                        a(.class("button"), .href(Place("/console/experiments.csv"))) { "CSV" }
                        a(.class("button"), .href(Place("/console/experiments.json"))) { "JSON" }
                    }
                }
            }
            frame.adding(.experiment, version: version)
        }
    }

    private func row(_ entry: ExperimentEntry) -> HTML {
        tr {
            th(Attribute("scope", "row")) { a(.href(Place("/console/experiments", [entry.name]))) { entry.name } }
            td { words.name(of: entry.state) }
            td { entry.placements.isEmpty ? "–" : entry.placements.joined(separator: ", ") }
            td(.class("number")) { words.count(entry.units) }
            td(.class("number")) { words.count(entry.planned) }
            td(.class("number")) { entry.matured.map { frame.language.share($0) } ?? "–" }
        }
    }
}
