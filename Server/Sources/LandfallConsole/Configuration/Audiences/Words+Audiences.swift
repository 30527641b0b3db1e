// SPDX-License-Identifier: Apache-2.0

/// Audiences.
extension Words {
    var noAudiences: String { translate("No audiences yet: everyone sees the same.") }
    var conditions: String { translate("Conditions") }
    var conditionsNote: String { translate("An install matches if all of these hold.") }
    var matches: String { translate("Matches") }
    var matching: String { translate("Match") }
    var matchUnknown: String { translate("Not known yet") }
    var notMatching: String { translate("Do not match") }
    func fewerThan(_ count: Int) -> String { translate("fewer than \(count)") }
    func about(_ count: String) -> String { translate("about \(count)") }
    func ofInstalls(_ share: String) -> String { translate("\(share) of installs") }
    func ofAllInstalls(_ count: String) -> String { translate("All stored installs were looked at: \(count).") }
    func ofSample(_ count: String) -> String {
        translate("From a random sample of \(count) installs; the range has 95 % confidence.")
    }
    func countedAt(_ time: String) -> String { translate(" Counted at \(time) \(clock.zone).") }
    var matchesNote: String {
        translate("Matches: the share of installs that each audience matches by itself, whatever stands above it.")
    }
    var countMatches: String { translate("Count matches") }
    var notCounted: String { translate("Nobody counted lately. A count looks at up to 10,000 installs.") }
    var countBusy: String { translate("A count is under way. Try again in a moment.") }
    var notServed: String { translate("This server does not serve this version, so it cannot count.") }
    var noInstalls: String { translate("There are no installs yet.") }
    var noUsesOfAudience: String { translate("No placement asks for it.") }
}
