// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallResults

extension Words {
    var experiments: ExperimentWords { ExperimentWords(words: self) }
}

/// The texts of the pages about experiments. Their verdicts are single words: nothing is trending, and nothing is the best.
struct ExperimentWords: Translating {
    let words: Words
    var language: Language { words.language }

    func count(_ value: Int) -> String { words.language.count(Int64(value)) }

    // MARK: The list

    var title: String { translate("Experiments") }
    var experiment: String { translate("Experiment") }
    var state: String { translate("State") }
    var placements: String { translate("Placements") }
    var units: String { translate("Units") }
    var planned: String { translate("Planned") }
    var matured: String { translate("Window over") }
    var listNote: String { translate("The verdict is on the page of each experiment: it is counted when the page is opened.") }
    var noExperiments: String { translate("No experiment is configured yet") }
    var noExperimentsText: String {
        translate("Add one under experiments: in landfall.yaml, name it in a placement, and publish.")
    }
    var firstExperiment: String { translate("Make the first one: a form leads from the question to the start.") }
    var wholeExample: String { translate("A whole one, in landfall.yaml:") }
    func name(of state: ExperimentState) -> String {
        switch state {
        case .draft: translate("Draft")
        case .live: translate("Live", context: "an experiment")
        case .stopped: translate("Stopped")
        case .promoted(let variation): translate("Promoted: \(variation)")
        }
    }

    // MARK: Health

    var health: String { translate("Health", context: "of an experiment") }
    var check: String { translate("Check", context: "column: what is checked") }
    var finding: String { translate("Finding") }
    func name(of health: ExperimentHealth.Outcome) -> String {
        switch health {
        case .good: translate("OK")
        case .look: translate("Look")
        case .failed: translate("Failed", context: "a check")
        case .fact: "–"
        }
    }
    var ratio: String { translate("Sample ratio") }
    func ratio(of part: String) -> String {
        switch part {
        case "platform": translate("Sample ratio by platform")
        case "version": translate("Sample ratio by version")
        default: translate("Sample ratio by source")
        }
    }
    func atAnyLook(_ counts: String, _ p: String) -> String { translate("\(counts) units, \(p) at any look") }
    var shownOfDecided: String { translate("Shown of decided") }
    var decidedCompared: String {
        translate("Among those shown, one variation lost some. So all units are compared for whom it was decided.")
    }
    var crossovers: String { translate("In two variations") }
    func ofUnits(_ share: String) -> String { translate("\(share) of units") }
    var windowOver: String { translate("Conversion window over") }
    var echoed: String { translate("Echoed by phones") }
    var fallbackFirst: String { translate("Saw a fallback first") }

    // MARK: Verdict

    var verdict: String { translate("Verdict") }
    var suppressed: String {
        translate("No verdict: the sample ratio failed. Units did not come in the ratio of the weights, so something loses or adds units in one variation. Until it is found, no number below can be trusted.")
    }
    var alone: String { translate("There is one variation, and nothing to compare it with.") }
    func sentence(_ verdict: Verdict, _ variation: String, on metric: String, day: Int?) -> String {
        let decided = day.map { translate(", decided on day \($0)") } ?? ""
        return switch verdict {
        case .higher: translate("\(variation) is higher on \(metric)\(decided).")
        case .lower: translate("\(variation) is lower on \(metric)\(decided).")
        case .notDecided: translate("\(variation) is not decided on \(metric).")
        case .safe, .harmed, .suppressed: word(verdict)
        }
    }
    func word(_ verdict: Verdict) -> String {
        switch verdict {
        case .higher: translate("higher")
        case .lower: translate("lower")
        case .notDecided: translate("not decided")
        case .safe: translate("safe")
        case .harmed: translate("harmed")
        case .suppressed: translate("suppressed")
        }
    }
    var earlyStop: String { translate("Effects at early stops run high; expect less.") }
    var notNoDifference: String {
        translate("Not decided does not mean that there is no difference: the intervals say what is possible.")
    }
    func unitsLeft(_ left: Int, of planned: Int) -> String {
        left > 0
            ? translate("\(count(left)) more units to the planned \(count(planned)).")
            : translate("The planned \(count(planned)) units are there.")
    }
    var whatToDo: String { translate("What to do") }
    func sentence(_ step: ExperimentVerdict.Step, _ control: String, metric: String) -> String {
        switch step {
        case .look: translate("Decide nothing yet. Look for what loses or adds units, beginning with the health below.")
        case .over(let variation): translate("It is over: everyone sees \(variation).")
        case .show(let variations):
            translate("Show everyone \(language.list(variations)), if more \(metric) is what you want; otherwise keep \(control).")
        case .keep: translate("Keep \(control), unless less \(metric) is what you want.")
        case .run(let days):
            days.map { days in
                translate(
                    days, one: "Let it run: at its pace so far about one more day.", other: "Let it run: at its pace so far about \(count(days)) more days.")
            } ?? translate("Let it run.")
        case .choose: translate("Keep \(control). If a smaller difference than planned would still matter, let it run on.")
        }
    }
    func harms(_ variation: String, _ metric: String) -> String { translate("\(variation) harms the guardrail \(metric): weigh that first.") }
    var allNumbers: String { translate("All numbers") }
    func against(_ variation: String, _ control: String) -> String { translate("\(variation) against \(control)") }
    var toKnow: String { translate("To know") }
    func sentence(_ note: ExperimentNote) -> String {
        switch note {
        case .noPrimary: translate("The experiment names no primary metric, so nothing is compared. Add primary: to it.")
        case .noCurrency(let metric):
            translate("'\(metric)' is money, and the configuration names no currency for it: nothing is known of it. Add purchases.currency.")
        case .unconverted(let money): sentence(money)
        case .expiring(let eventDays):
            translate("Events are kept for \(words.language.count(eventDays)) days. A unit that was exposed longer ago still counts, but what it did is deleted, so rates become too low. Keep events for longer: retention.eventDays.")
        }
    }
}

/// Money.
extension ExperimentWords {
    func sentence(_ money: UnconvertedMoney) -> String {
        let currencies = money.currencies.joined(separator: ", ")
        guard let units = money.units else {
            return translate("Some units paid in \(currencies) on days without a rate. This money is not in '\(money.metric)'. Add the rates: purchases.rates.")
        }
        return translate("Units that paid in \(currencies) on days without a rate: \(count(units)). This money is not in '\(money.metric)'. Add the rates: purchases.rates.")
    }
    func mean(in currency: String) -> String { translate("Mean, \(currency)") }
    func capped(_ most: String, uncapped means: String) -> String {
        translate("A unit counts with at most \(most). Without this limit the means are \(means).")
    }
}

/// The tables and the picture.
extension ExperimentWords {
    func byVariation(_ metric: String) -> String { translate("\(metric) by variation") }
    var variation: String { translate("Variation") }
    func control(_ name: String) -> String { translate("\(name), control") }
    var converted: String { translate("Converted") }
    var rate: String { translate("Rate") }
    var mean: String { translate("Mean") }
    var interval: String { translate("95 % interval") }
    func liftAgainst(_ control: String) -> String { translate("Lift against \(control), valid at any look") }
    var difference: String { translate("difference") }
    var tooFew: String { translate("Too few to say") }
    var guardrails: String { translate("Guardrails") }
    var secondaries: String { translate("Secondary metrics (exploratory)") }
    var segments: String { translate("By source (exploratory)") }
    var exploratory: String {
        translate("Looking at many of these finds differences by chance. They decide nothing; test again what you find.")
    }
    var metric: String { translate("Metric") }
    var source: String { translate("Source") }
    func source(_ name: String) -> String {
        switch name {
        case "none": translate("None known")
        case "pending": translate("Answer pending")
        case "other": translate("Other")
        default: name
        }
    }
    func dayByDay(_ variation: String, _ control: String) -> String { translate("\(variation) against \(control), day by day") }
    func bandFinding(_ estimate: String, _ interval: String, units: Int) -> String {
        translate("After \(count(units)) units the estimate is \(estimate), between \(interval).")
    }
    var estimate: String { translate("Estimate") }
    var bandInterval: String { translate("Interval, valid at any look") }
    var zero: String { translate("No difference") }
    var newEpoch: String { translate("New epoch") }
    var from: String { translate("From") }
    var to: String { translate("To") }
    func units(_ number: Int) -> String { translate("\(count(number)) units") }
    func day(_ number: Int) -> String { translate("Day \(number)") }
    func exposed(_ units: Int, by basis: ExperimentNumbers.Basis) -> String {
        switch basis {
        case .shown: translate("\(count(units)) units shown")
        case .decided: translate("\(count(units)) units decided")
        }
    }
    var epochs: String { translate("Epochs") }
    var epoch: String { translate("Epoch") }
    var began: String { translate("Began") }
    var weights: String { translate("Weights") }
    var salt: String { translate("Salt") }
    var noEpochs: String { translate("It has not begun.") }
    var configuration: String { translate("Configuration", context: "of an experiment") }
}

/// Stopping an experiment.
extension ExperimentWords {
    var decide: String { translate("Decide") }
    var decideNote: String {
        translate("A stopped experiment assigns nobody any more: everyone sees one variation. The next page shows what changes; nothing is published before that.")
    }
    var everyoneSees: String { translate("What everyone sees from then on") }
    var checkChange: String { translate("Check the change") }
    var chooseVariation: String { translate("Choose one of the variations.") }
    func stopMessage(_ name: String, _ variation: String) -> String { translate("Stop \(name): everyone sees \(variation)") }
    /// - Parameter lines: what the file should have.
    func cannotEdit(_ name: String, _ lines: [String]) -> String {
        translate("The entry '\(name)' shares its text with others, or is written in a form that cannot be changed in place. Write this by hand: \(language.list(lines)).")
    }
}

/// Starting a draft.
extension ExperimentWords {
    var start: String { translate("Start") }
    var startNote: String {
        translate("A live experiment draws who sees which variation in its placements, by these weights. The next page shows what changes; nothing is published before that.")
    }
    var primary: String { translate("Primary metric") }
    var plannedUnits: String { translate("Planned units") }
    var plannedUnitsHint: String { translate("The interval is narrowest at this number. Empty leaves it as it is.") }
    var checkStart: String { translate("Check the start") }
    var noMetrics: String {
        translate("The file has no metric yet, and a start needs one. Add one below 'metrics' in the text of a version.")
    }
    var chooseMetric: String { translate("Choose one of the metrics.") }
    var needsUnits: String { translate("Write a whole number from 1 to 1,000,000,000.") }
    func startMessage(_ name: String) -> String { translate("Start \(name)") }
}
