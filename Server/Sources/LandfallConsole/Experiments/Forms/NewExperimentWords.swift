// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// A new experiment.
extension ExperimentWords {
    var question: String { translate("What do you want to know?") }
    var questionHint: String { translate("One sentence, such as: do more people start a trial at half the price?") }
    var nameIsOptional: String { translate("Left empty, it is made from the question.") }
    var tried: String { translate("What is tried") }
    var triedNote: String { translate("The control is what people see today. Chance decides who sees which one, and each equally often.") }
    var namesAndWeights: String { translate("Names and weights") }
    var weightsNote: String { translate("Weights that are left empty are equal. With 90 and 10, nine of ten people see the control.") }
    var takesPart: String { translate("Who takes part") }
    var takesPartNote: String { translate("The experiment takes the place of what this audience sees there. An audience that is not there yet is added above everyone.") }
    var howLong: String { translate("How long") }
    var effect: String { translate("Smallest change worth finding, in %") }
    var effectHint: String { translate("Relative: with 10, a rate of 5 % that becomes 5.5 % is found. Half of it needs four times the units.") }
    var otherNumbers: String { translate("Other numbers than those that are counted") }
    var controlRate: String { translate("Rate of the control, in %") }
    var dailyUnits: String { translate("Units a day") }
    var compute: String { translate("Compute") }
    var atOnce: String { translate("It starts when the change is published") }
    var asDraft: String { translate("It stays a draft: nobody is in it") }
}

/// How long a new experiment takes.
extension ExperimentWords {
    func needs(_ each: Int, all: Int, from: String, to: String, _ effect: String) -> String {
        translate("To find a change from \(from) to \(to) (\(effect)) it takes \(count(each)) units in each variation, \(count(all)) in all. You may look at any time.")
    }
    func takes(_ days: Int, at perDay: String, window: Int) -> String {
        translate("At \(perDay) units a day they come in \(count(days)) days, in whole weeks. The window of the last one is over on day \(count(days + window)).")
    }
    var unitsPerDayMissing: String { translate("Write the units of a day, and the days are computed, too.") }
    var computedForEqual: String { translate("This is for equal weights; with others it takes longer.") }
    var nothingCounted: String {
        translate("Nothing is counted here yet. Write the rate and the units of a day, and this page computes how long it takes.")
    }
    func rateMissing(_ metric: String) -> String { translate("Reports know no rate of \(metric) here. Write the one that you expect.") }
    func moneyHasNoRate(_ metric: String) -> String {
        translate("\(metric) is money, and this page computes rates only. The planned units stay as usual, unless you change them later.")
    }
    func computed(from counted: ExperimentPlan.Counted, _ metric: String) -> String {
        let traffic = counted.traffic, audience = counted.audience.map { $0 == PlacementEntry.everyone ? words.everyone : $0 }
        let place = language.list([counted.placement] + (audience.map { [$0] } ?? []))
        let (from, to, shown) = (words.day(traffic.from), words.day(traffic.to), count(traffic.shown))
        guard let converted = traffic.converted else {
            return translate("Counted at \(place) from \(from) to \(to): \(shown) units.")
        }
        return translate("Counted at \(place) from \(from) to \(to): \(shown) units, \(count(converted)) of them with \(metric).")
    }
}

/// What can be wrong in it.
extension ExperimentWords {
    var needsQuestion: String { translate("Write what you want to know, or a name.") }
    var needsTwo: String { translate("Choose a control and at least one other paywall.") }
    var choosePlacement: String { translate("Choose a placement.") }
    var needsRate: String { translate("Write a share above 0 % and below 100 %.") }
    var needsUnitsPerDay: String { translate("Write a number above 0.") }
    var needsEffect: String { translate("Write a change that is not 0 and leaves the rate between 0 % and 100 %.") }
    var tooSmallEffect: String { translate("So small a change takes more than a hundred years here. Look for a larger one.") }
}
