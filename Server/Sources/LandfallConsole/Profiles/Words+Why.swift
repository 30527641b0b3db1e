// SPDX-License-Identifier: Apache-2.0

/// Why an install sees a paywall.
extension Words {
    var why: String { translate("Why do they see this?") }
    var whyNow: String { translate("Why do they see a paywall now?") }
    var whyThen: String { translate("Why did they see this?") }
    var explainNow: String { translate("Explain the present answer") }
    var noPlacementToExplain: String { translate("The configuration has no placement.") }
    var versionUnreadable: String {
        translate("The version of the configuration that decided cannot be read by this server any more, so this cannot be explained.")
    }
    var noPaywall: String { translate("no paywall") }
    func sees(_ paywall: String?, for audience: String) -> String {
        let paywall = paywall ?? noPaywall
        return translate("Sees: \(paywall). The first audience that matches is \(audience).")
    }
    func wasToSee(_ paywall: String?, for audience: String) -> String {
        let paywall = paywall ?? noPaywall
        return translate("Was to see: \(paywall). The first audience that matched was \(audience).")
    }
    var notFinal: String { translate("An answer that is on its way can still change this.") }
    func isTestDevice(_ name: String) -> String { translate("It is the test device \(name).") }
    var notInReports: String { translate("Reports leave it out.") }
    var testPayload: String { translate("Apple's answer about it is test data, of developer mode.") }
    var phoneShowed: String { translate("The phone showed") }
    var arrivedLater: String { translate("Arrived after the exposure") }
    var nothingLate: String { translate("Nothing about the attribution arrived later.") }
    var valueThen: String { translate("Then") }
    var valueNow: String { translate("Now") }
    var valueMissing: String { translate("missing", context: "a value of a person") }
    var audiencesInOrder: String { translate("Audiences, in their order") }
    var isChosen: String { translate("Chosen") }
    var notAsked: String { translate("Not asked: an audience above it matched.") }
    func valueIs(_ text: String) -> String { translate("The value is \(text).") }
    func bucketIs(_ bucket: String) -> String { translate("The draw gives bucket \(bucket) of 1,000,000.") }
    func bucketOf(_ bucket: String) -> String { translate("\(bucket) of 1,000,000") }
    var valueIsMissing: String { translate("The install has no such value.") }
    var valueOfAnotherType: String { translate("It is of another type, so it counts as missing.") }
    var valueOnItsWay: String { translate("An answer is on its way.") }
    var valueIsNow: String { translate("This is the value now: none was kept then.") }
    var theDraw: String { translate("The draw of the experiment") }
    var drawSalt: String { translate("Draw and salt") }
    var drawUnit: String { translate("Unit") }
    var drawBucket: String { translate("Bucket") }
    var drawBuckets: String { translate("Buckets of this outcome") }
    func name(of answer: WhyPage.Answer) -> String {
        switch answer {
        case .yes: translate("Yes")
        case .no: translate("No")
        case .unknown: translate("Unknown")
        }
    }
}
