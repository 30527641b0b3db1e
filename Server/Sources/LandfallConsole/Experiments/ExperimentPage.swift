// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallResults

/// One experiment, in the order in which to read it: verdict, what to do, the intervals; then all numbers, folded, and health.
struct ExperimentPage {
    /// Units that were drawn by the same weights.
    struct Epoch: Hashable, Sendable {
        let number: Int64
        let beganAtMs: Int64
        let weights: [Weight]
    }

    struct Weight: Hashable, Sendable {
        let variation: String
        let weight: Int64

        init(_ variation: String, _ weight: Int64) { (self.variation, self.weight) = (variation, weight) }
    }

    let frame: Frame
    let name: String
    let state: ExperimentState
    let results: ResultsDocument
    /// Of the variations beside the control, in their order.
    let bands: [ResultsBand]
    /// The numbers have what came before.
    var countedAtMs: Int64?
    var metric = ""
    var placements: [String] = []
    var epochs: [Epoch] = []
    var notes: [ExperimentNote] = []
    /// Of a draft.
    var weights: [Weight] = []
    var start: ExperimentStart?
    /// Of the form that stops the experiment.
    var problems: [FieldProblem] = []

    private var words: ExperimentWords { frame.words.experiments }
    private var language: Language { frame.language }
    private var control: String { results.variations.first?.variation ?? "" }
    private var comparing: ComparisonTables { ComparisonTables(results: results, language: language) }

    var html: HTML {
        let units = results.variations.reduce(0) { $0 + $1.units }
        let note = [
            words.name(of: state), results.day.map { words.day($0) }, words.exposed(units, by: results.basis),
            countedAtMs.map { frame.words.completeTo($0) },
        ].compactMap { $0 }
        return frame.page(name, .experiments, note: note.joined(separator: " · ")) {
            // A draft has compared nothing, and may not have chosen what it compares.
            if state != .draft {
                let lacksMetric = notes.contains(.noPrimary) || notes.contains(.noCurrency(metric))
                ExperimentVerdict(state: state, results: results, language: language, lacksMetric: lacksMetric).html
            }
            if !notes.isEmpty {
                section(.class("block")) {
                    h2 { words.toKnow }
                    ul(.class("sentences")) { for note in notes { li { words.sentence(note) } } }
                }
            }
            if frame.can(.publishing) { if state != .draft { decision } else if let start { start.html(name, frame) } }
            if state != .draft || units > 0 { numbers }
            ExperimentHealth(results: results, language: language).html
            configuration
        }
    }

    private var numbers: HTML {
        section(.class("block folds")) {
            h2 { words.allNumbers }
            if state != .draft { comparing.variations(metric) }
            for (place, band) in bands.enumerated() where results.variations.indices.contains(place + 1) {
                ExperimentBand(
                    number: place + 1, name: words.dayByDay(results.variations[place + 1].variation, control), band: band, language: language
                ).html
            }
            comparing.table(words.guardrails, .guardrail, of: words.metric)
            comparing.table(words.secondaries, .secondary, of: words.metric, words.exploratory)
            comparing.table(words.segments, .segment, of: words.source, words.exploratory)
        }
    }

    /// Stops the experiment: the next page shows what changes, and publishes it.
    private var decision: HTML {
        section(.class("block narrow")) {
            h2 { words.decide }
            p(.class("note")) { words.decideNote }
            problems.summary(frame.words)
            form(Attribute("method", "post"), .action(Place("/console/experiments", [name, "stop"]))) {
                frame.proof
                fieldset(.id("promote")) {
                    legend { words.everyoneSees }
                    for (place, one) in results.variations.enumerated() {
                        label(.class("choice")) {
                            input(
                                .type("radio"), .name("promote"), .value(one.variation), .flag("required"),
                                .flag("checked", state == .promoted(one.variation) || state == .stopped && place == 0))
                            span { place == 0 ? words.control(one.variation) : one.variation }
                        }
                    }
                }
                button(.class("primary")) { words.checkChange }
            }
        }
    }

    private func list(_ weights: [Weight]) -> String {
        weights.map { "\($0.variation) \(language.count($0.weight))" }.joined(separator: " · ")
    }

    private var configuration: HTML {
        section(.class("block")) {
            h2 { words.configuration }
            dl(.class("facts")) {
                div {
                    dt { words.placements }
                    dd { placements.isEmpty ? "–" : placements.joined(separator: ", ") }
                }
                if !weights.isEmpty {
                    div {
                        dt { words.weights }
                        dd { list(weights) }
                    }
                }
            }
            if epochs.isEmpty { p(.class("empty")) { words.noEpochs } } else {
                scrollingTable(words.epochs, caption: words.epochs, titles: [words.epoch, words.began, words.weights, words.salt]) {
                    for epoch in epochs {
                        tr {
                            th(Attribute("scope", "row")) { "\(epoch.number)" }
                            td(.class("nowrap")) { frame.words.instant(epoch.beganAtMs) }
                            td { list(epoch.weights) }
                            td { code { "\(name)#\(epoch.number)" } }
                        }
                    }
                }
            }
            p(.class("toolbar")) {
                if frame.can(.configuration) { a(.class("button"), .href(Place("/console/versions"))) { frame.words.versions.title } }
                a(.class("button"), .href(Place("/console/experiments", [name + ".csv"]))) { "CSV" }
                a(.class("button"), .href(Place("/console/experiments", [name + ".json"]))) { "JSON" }
            }
            if frame.can(.publishing) {
                form(Attribute("method", "post"), .action(Place("/console/experiments", [name, "delete"]))) {
                    frame.proof
                    button(.class("danger")) { frame.words.delete(name) }
                }
            }
        }
    }
}
