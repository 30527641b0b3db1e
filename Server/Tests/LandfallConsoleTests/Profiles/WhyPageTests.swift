// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallServer

@Suite("The page that says why", .timeLimit(.minutes(1)))
struct WhyPageTests {
    private static func page(_ language: Language, _ explained: WhyPage.Explained?, placement: String? = "offer") -> String {
        WhyPage(
            frame: .sample(.support, language), profile: "i_1", install: "1", placements: ["offer", "<settings>"], placement: placement,
            explained: explained
        ).html.markup
    }

    private static var explained: WhyPage.Explained {
        let conditions = WhyPage.Condition.Reason.allCases.map {
            WhyPage.Condition(rule: "country is <JP>", value: .bucket(266_662), result: .no, reason: $0, isOnlyNow: true)
        }
        var explained = WhyPage.Explained(
            revision: 7, isFinal: false, audience: "everyone", paywall: nil,
            audiences: [
                .init(name: "<summer>", result: .unknown, isReached: true, isChosen: false, conditions: conditions),
                .init(name: "everyone", result: .yes, isReached: false, isChosen: true, conditions: []),
            ])
        explained.drawing = .init(
            experiment: "price", variation: "B", step: "drawn", namespace: "experiment", salt: "price#1", unit: "u", bucket: 402_675,
            buckets: 0..<500_000)
        explained.testDevice = .init(name: "phone", reason: "testDevices.phone.audience")
        explained.isInReports = false
        explained.isTestPayload = true
        return explained
    }

    @Test("has audiences in order with value, answer and draw, in every language", arguments: Language.allCases)
    func parts(language: Language) throws {
        let words = Words(language), markup = Self.page(language, Self.explained)

        let first = try #require(markup.firstRange(of: "&lt;summer&gt;")), last = try #require(markup.firstRange(of: "<strong>everyone"))
        #expect(first.lowerBound < last.lowerBound)
        for text in [
            words.notFinal, words.notInReports, words.testPayload, words.isTestDevice("phone"), words.valueOnItsWay, words.valueIsMissing,
            words.valueOfAnotherType, words.valueIsNow, words.bucketIs("266,662"), words.bucketOf("402,675"), "0 – 499,999", "experiment price#1",
            words.name(of: WhyPage.Answer.unknown), words.isChosen, words.notAsked, words.sees(nil, for: "everyone"),
        ] { #expect(markup.contains(text.escapedForHTML), "\(text)") }
        #expect(!markup.contains("<JP>") && !markup.contains("<summer>") && !markup.contains("<settings>"))
        #expect(markup.contains("<option value=\"offer\" selected>"))
    }

    @Test("as of an exposure has what the phone showed, and what arrived later or that nothing did", arguments: Language.allCases)
    func exposure(language: Language) {
        let words = Words(language)
        var explained = Self.explained
        explained.exposure = .init(
            shownMilliseconds: 1_795_300_000_000, receivedMilliseconds: 1_795_300_005_000, paywall: "default", audience: "everyone", origin: "cache")
        #expect(Self.page(language, explained).contains(words.nothingLate))
        explained.late = [.init(attribute: "attribution.campaign", then: nil, now: "<542>")]

        let markup = Self.page(language, explained)

        #expect(markup.contains(words.wasToSee(nil, for: "everyone")) && markup.contains(words.origin("cache")))
        #expect(markup.contains(words.arrivedLater) && markup.contains(words.valueMissing) && markup.contains("&lt;542&gt;"))
    }

    @Test("says that a version cannot be read; without a placement it does not")
    func unreadable() {
        let sentence = Words(.english).versionUnreadable

        #expect(Self.page(.english, nil).contains(sentence))
        #expect(!Self.page(.english, nil, placement: nil).contains(sentence))
    }
}
