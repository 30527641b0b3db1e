// SPDX-License-Identifier: Apache-2.0

/// The page of a placement.
extension Words {
    func matchShare(_ share: String) -> String { translate("Matches \(share)") }
    func sharesNote(_ days: Int) -> String { translate("Bars: how much of all exposures of the last \(days) days each audience had.") }
    func restOfExposures(_ count: String) -> String {
        translate("Others: \(count) (earlier entries, paywalls of the app itself, groups too small to be told).")
    }
    var tooFewToTell: String { translate("too few to tell") }
    var deviceSees: String { translate("What a test device sees now") }
    var deviceWouldSee: String { translate("What a test device would see by this draft") }
    var explainDraft: String { translate("Explain the answer of the draft") }
    func deviceUnknown(_ name: String) -> String { translate("\(name) has not opened the app yet.") }
    var replaceByExperiment: String { translate("Replace a paywall by an experiment") }
    var replaceByExperimentNote: String {
        translate("Half of the audience will see the other paywall. The experiment begins as a draft, in which everybody still sees the present one.")
    }
    var shownNow: String { translate("Shown now") }
    var otherPaywall: String { translate("The other paywall") }
    var experimentName: String { translate("Name of the experiment") }
    var replace: String { translate("Replace") }
}

/// What can be wrong in its forms.
extension Words {
    var choosePaywallShown: String { translate("Choose an entry that shows a paywall.") }
    var chooseOtherPaywall: String { translate("Choose another paywall than the one that is shown.") }
}
