// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Conditions", .timeLimit(.minutes(1)))
struct ConditionTests {
    /// For an install that Apple Ads brought, as `AudienceFacts.sample` describes it.
    static let cases: [(condition: String, holds: Bool)] = [
        ("{ attribution.source: { is: apple_search_ads } }", true),
        ("{ attribution.source: { is: Apple_Search_Ads } }", true),
        ("{ attribution.source: { isNot: apple_search_ads } }", false),
        ("{ attribution.source: { isNot: adjust } }", true),
        ("{ attribution.status: { is: attributed } }", true),
        ("{ attribution.status: { in: [pending, unavailable] } }", false),
        ("{ attribution.campaign: { is: 542370539 } }", true),
        ("{ attribution.campaign: { in: [1, \"542370539\"] } }", true),
        ("{ attribution.campaign: { in: [1, 2] } }", false),
        ("{ attribution.adGroup: { is: 542317095 } }", true),
        ("{ attribution.keyword: { is: 87675432 } }", true),
        ("{ attribution.ad: { is: 542317136 } }", true),
        ("{ attribution.claimType: { is: click } }", true),
        ("{ attribution.conversionType: { is: Redownload } }", false),
        ("{ attribution.country: { is: us } }", true),
        ("{ country: { is: us } }", true),
        ("{ country: { in: [CA, NO] } }", false),
        ("{ language: { is: EN } }", true),
        ("{ platform: { is: iOS } }", true),
        ("{ app.version: { is: 2.10 } }", true),
        ("{ app.version: { \">\": 2.9 } }", true),
        ("{ app.version: { \">\": 2.10 } }", false),
        ("{ app.version: { \">=\": 2.10.0 } }", true),
        ("{ app.version: { <: 2.10.1-beta } }", true),
        ("{ app.version: { <=: 2.9.9 } }", false),
        ("{ app.version: { \">=\": 2, <: 3 } }", true),
        ("{ app.version: { in: [1.0, 2.10] } }", true),
        ("{ os.version: { isNot: 18.1.0 } }", false),
        ("{ attributes.plan: { is: pro } }", true),
        ("{ attributes.plan: { is: Pro } }", false),
        ("{ attributes.sessions: { \">=\": 3 } }", true),
        ("{ attributes.sessions: { in: [1, 3.0] } }", true),
        ("{ attributes.sessions: { <: 2.5 } }", false),
        ("{ attributes.invited: { is: true } }", true),
        ("{ attributes.invited: { isNot: true } }", false),
        ("{ country: { is: US }, language: { is: de } }", false),
        ("{ any: [{ country: { is: CA } }, { language: { is: en } }] }", true),
        ("{ all: [{ country: { is: US } }, { not: { language: { is: de } } }] }", true),
        ("{ not: { country: { is: US }, language: { is: en } } }", false),
    ]

    static let declared = "{ plan: string, sessions: number, invited: boolean }"

    @Test("hold or not", arguments: cases)
    func holds(condition: String, holds: Bool) throws {
        let facts = AudienceFacts.sample(
            .appleSample, attributes: ["plan": .string("pro"), "sessions": .number(3), "invited": .bool(true)]
        )

        let condition = try Sample.condition(condition, attributes: Self.declared)

        #expect(condition.evaluate(facts, pending: .nothing) == Truth(holds))
    }

    /// Nothing is known of this install, or what is known is of no use.
    @Test(
        "A missing value makes every comparison false, `isNot` included",
        arguments: [
            "attribution.source: { isNot: adjust }", "attribution.campaign: { isNot: 1 }", "country: { isNot: US }",
            "language: { isNot: en }", "platform: { isNot: ios }", "app.version: { isNot: 1 }", "app.version: { <: 9 }",
            "os.version: { \">=\": 0 }", "attributes.plan: { isNot: pro }", "attributes.sessions: { isNot: 1 }",
            "attributes.sessions: { <: 9 }", "attributes.invited: { isNot: true }", "country: { in: [US, CA] }",
        ])
    func missing(test: String) throws {
        let nothing = AudienceFacts(attribution: .notAttributed, device: DeviceFacts(), attributes: [:])
        let junk = AudienceFacts.sample(
            attributes: ["plan": .number(1), "sessions": .string("3"), "invited": .string("true")]
        ) {
            $0.appVersion = "latest"
            $0.osVersion = "Version 18"
            $0.locale = "?"
            $0.platform = nil
        }

        let condition = try Sample.condition("{ \(test) }", attributes: Self.declared)

        #expect(condition.evaluate(nothing, pending: .nothing) == .no)
        #expect(condition.evaluate(junk, pending: .nothing) == .no)
    }

    @Test(
        "The country is the store's, else the device's",
        arguments: [
            ("CAN", "fr-FR", "CAN"), ("ca", "fr-FR", "CA"), (nil, "fr-FR", "FR"), (nil, "zh_Hant_TW", "TW"),
            ("", "en_GB.UTF-8", "GB"),
            (nil, "es-419", nil), (nil, "en_001", nil), (nil, "de", nil), (nil, "ja_JP@calendar=japanese", "JP"), (nil, nil, nil),
        ] as [(String?, String?, String?)])
    func country(store: String?, locale: String?, country: String?) {
        let facts = AudienceFacts.sample {
            $0.storeCountry = store
            $0.locale = locale
        }

        #expect(facts.text(.country) == country)
    }

    @Test("Every state of an attribution can be distinguished")
    func statuses() {
        let states: [Attribution] = [.pending(nextAnswerNotBefore: 0), .appleSample, .notAttributed, .unavailable(.notFound)]

        #expect(
            states.map { AudienceFacts.sample($0).text(.attributionStatus) } == [
                "pending", "attributed", "notAttributed", "unavailable",
            ])
    }

    @Test("Another provider's names answer where Apple's ids would")
    func otherProvider() {
        var details = AttributionDetails(source: AttributionSource("adjust"), verified: false, attributedAtMilliseconds: 0)
        details.campaign = "Summer"
        details.adGroup = "Beach"
        details.adSet = "Towels"
        details.channel = "video"
        details.creative = "blue"
        let facts = AudienceFacts.sample(.attributed(details))

        #expect(facts.text(.attributionSource) == "adjust")
        #expect(facts.text(.attributionCampaign) == "Summer")
        #expect(facts.text(.attributionAdGroup) == "Beach")
        #expect(facts.text(.attributionAdSet) == "Towels")
        #expect(facts.text(.attributionChannel) == "video")
        #expect(facts.text(.attributionCreative) == "blue")
        #expect(facts.text(.attributionKeyword) == nil)
    }
}
