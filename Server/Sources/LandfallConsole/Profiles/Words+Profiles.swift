// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Searching people.
extension Words {
    var profiles: String { translate("Profiles") }
    var profileTitle: String { translate("Profile") }
    var findProfile: String { translate("Find a person") }
    var findProfileText: String {
        translate("An install, profile or customer id, whole or its first four characters or more; a code that a link's page showed; or the name of a test device.")
    }
    var findPeople: String { translate("Find") }
    var whichProfiles: String { translate("Which") }
    var newestOpens: String { translate("Newest first opens") }
    var foundProfiles: String { translate("Found") }
    var testDevicesTitle: String { translate("Test devices") }
    var noProfiles: String {
        translate("Nobody was found. An id must begin with what you typed; parts from its middle are not searched.")
    }
    var noTestDevices: String { translate("No install that 'testDevices' in the configuration names has opened the app.") }
    var moreProfiles: String { translate("There are more. Type more characters of the id.") }
    var customerTerm: String { translate("Customer") }
    var firstOpenTerm: String { translate("First open") }
    var deviceTerm: String { translate("Device") }
    var noInstall: String { translate("No install now") }
    func testDevice(_ name: String) -> String { translate("Test device: \(name)") }
    var isForgotten: String { translate("The person is forgotten.") }
    var isBeingForgotten: String { translate("The person is being forgotten. The server erases the rest in the background.") }
}

/// One person.
extension Words {
    var customerProven: String { translate("proven by your backend") }
    var customerClaimed: String { translate("said by the app, not proven") }
    var profileInstalls: String { translate("Installs") }
    var installTerm: String { translate("Install") }
    func reinstall(_ first: String) -> String { translate("Reinstall of \(first)") }
    var noInstallNow: String {
        translate("No install shows this profile now: the phone was logged out, or another person uses it.")
    }
    func attributionState(_ state: ProfileDocument.Attribution.State) -> String {
        switch state {
        case .attributed: translate("An origin is known.")
        case .notAttributed: translate("Organic: no ad or link brought this install.")
        case .pending: translate("Apple's answer is on its way.")
        case .unavailable: translate("There is no answer, because of")
        }
    }
    var sourceTerm: String { translate("Source") }
    var claimDetails: String { translate("Names") }
    var saidAt: String { translate("Said") }
    var learnedAt: String { translate("Learned") }
    var meaningTerm: String { translate("What it means") }
    var claimVerified: String { translate("found out by the server") }
    var claimUnverified: String { translate("unverified") }
    var testData: String { translate("Test data") }
    func meaning(of standing: FactVerdict) -> String {
        switch standing {
        case .counts: translate("This is the source.")
        case .broughtBack: translate("Brought the user back; the source stays.")
        case .namesNothing: translate("Does not count: it names no origin.")
        case .outsideWindow: translate("Does not count: the tap was too long before the first open, or after it.")
        case .behindAppleAds: translate("Does not count: Apple Ads goes first.")
        case .organic: translate("Does not count: it says organic, and another source names an origin.")
        case .guessed: translate("Does not count: the tap was only found by its network address.")
        case .later: translate("Does not count: another source said so first.")
        }
    }
    var profileFacts: String { translate("What audiences read") }
    func factsText(_ install: String) -> String { translate("The values now, of the install \(install).") }
    var factName: String { translate("Name") }
    var valueTerm: String { translate("Value") }
    var saidBy: String { translate("Said by") }
    var factSince: String { translate("As of") }
    var notKept: String { translate("not kept") }
    func name(of source: ProfileDocument.Fact.Source) -> String {
        switch source {
        case .phone: translate("the phone")
        case .app: translate("the app")
        case .backend: translate("your backend")
        case .server: translate("the server")
        case .attribution: attribution
        case .link: link
        case .configuration: translate("the configuration")
        }
    }
    var attributesTitle: String { translate("Custom attributes") }
    var attributesText: String { translate("The values now: earlier ones are not kept.") }
    var attributeName: String { translate("Attribute") }
    var noAttributes: String { translate("The app has set none.") }
    var assignments: String { translate("Experiments") }
    var experimentTerm: String { translate("Experiment") }
    var variationTerm: String { translate("Variation") }
    var assignmentStep: String { translate("Assigned by") }
    var assignedAt: String { translate("Assigned") }
    var firstShown: String { translate("First shown") }
    func assignmentBucket(_ bucket: Int64, epoch: Int64) -> String { translate("bucket \(bucket), epoch \(epoch)") }
    func name(ofStep step: String) -> String {
        switch step {
        case "drawn": translate("the draw")
        case "stored": translate("stored before")
        case "holdout": translate("the holdout")
        case "layer": translate("the layer")
        case "override": translate("the configuration")
        case "echoed": translate("the phone's copy")
        default: step
        }
    }
}

/// Forgetting a person.
extension Words {
    var forgetTitle: String { translate("Forget this person") }
    var forgetText: String {
        translate("Erases the profile, all its installs and everything that is kept of them, for ever. Counts of reports stay.")
    }
    var typeID: String { translate("Type the profile's id to confirm") }
    var wrongID: String { translate("This is not the id of the profile. Nobody was forgotten.") }
}

/// Everything that happened.
extension Words {
    var timeline: String { translate("Timeline") }
    var timelineText: String {
        translate("Everything that is kept, in the order in which the server learned of it, the newest first.")
    }
    var noEntries: String { translate("Nothing is kept.") }
    var newestEntries: String { translate("Newest entries") }
    var happenedAt: String { translate("On the phone") }
    var eventTerm: String { translate("Event id") }

    func name(of kind: Timeline.Entry.Kind) -> String {
        switch kind {
        case .firstOpen: firstOpenTerm
        case .tap: name(of: LiveRow.Kind.tap)
        case .attribution: attribution
        case .exposure: shown
        case .event: translate("Event")
        case .leaving: translate("Left a profile")
        case .identified: translate("Identified")
        case .purchase: translate("Purchase")
        case .refund: translate("Refund")
        case .trial: translate("Trial")
        }
    }

    func name(of state: Timeline.Entry.State) -> String {
        switch state {
        case .paid: translate("Paid", context: "a purchase")
        case .paidBack: translate("Paid back since", context: "a purchase")
        case .paidAfterTrial: translate("A payment came after it")
        case .notPaidYet: translate("No payment came after it yet")
        }
    }

    func name(of term: Timeline.Entry.Term) -> String {
        switch term {
        case .platform: name(of: LiveRow.DetailName.platform)
        case .version: name(of: LiveRow.DetailName.version)
        case .country: name(of: LiveRow.DetailName.country)
        case .source: sourceTerm
        case .status: translate("Says")
        case .link: link
        case .campaign: campaign
        case .adGroup: translate("Ad group")
        case .creative: translate("Creative")
        case .channel: translate("Channel")
        case .placement: name(of: LiveRow.DetailName.placement)
        case .paywall: name(of: LiveRow.DetailName.paywall)
        case .audience: name(of: LiveRow.DetailName.audience)
        case .variation: variationTerm
        case .origin: translate("Origin")
        case .revision: translate("Configuration version", context: "of a decision")
        case .value: valueTerm
        case .currency: translate("Currency")
        case .properties: translate("Properties")
        case .customer: customerTerm
        case .profile: profileTitle
        case .product: revenueField("product")
        case .state: translate("State", context: "of a purchase")
        }
    }
}
