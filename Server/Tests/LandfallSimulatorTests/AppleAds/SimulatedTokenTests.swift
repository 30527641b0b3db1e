// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallSimulator

@Suite("A simulated token", .timeLimit(.minutes(1)))
struct SimulatedTokenTests {
    @Test(
        "contains its answers, one after the other",
        arguments: [
            ("sim.", [.answer(organic)]),
            ("sim.attribution=false&id=7", [.answer(organic), .answer(organic)]),
            ("sim.attribution=true", [.answer(tap)]),
            ("sim.attribution=1&status=400", [.status(400), .status(400)]),
            ("sim.status=500", [.status(500), .status(500)]),
            ("sim.notFound=1", [.status(404), .answer(organic)]),
            ("sim.failures=2&notFound=1", [.status(500), .status(500), .status(404), .answer(organic)]),
            ("sim.notFound=1&status=400", [.status(404), .status(400)]),
            ("sim.garbage=1", [.garbage]),
            ("sim.failures=1&hang=1", [.status(500), .silence]),
            ("sim.developer=1", [.answer(.developerMode)]),
        ] as [(String, [SimulatedToken.Ending])]
    )
    func replies(token: String, expected: [SimulatedToken.Ending]) throws {
        let order = try #require(SimulatedToken(token))

        let replies = expected.indices.map { order.reply(toAttempt: $0) }

        #expect(replies == expected)
    }

    @Test(
        "is invalid in another form, or with a typing mistake",
        arguments: [
            "", "real-token", "simattribution=true", "sim", "sim.attribution=yes", "sim.attribution=", "sim.delay=-1",
            "sim.delay=600001", "sim.delay=soon", "sim.notFound=1001", "sim.failures=-1", "sim.status=404", "sim.status=",
            "sim.hang=2", "sim.attribution=true&campaignId=abc", "sim.attribution=true&keywordId=99999999999999999999",
        ]
    )
    func invalid(token: String) {
        #expect(SimulatedToken(token) == nil)
    }

    @Test("accepts delays at both ends of the range", arguments: [("0", 0), ("1200", 1_200), ("600000", 600_000)])
    func delay(text: String, milliseconds: Int) throws {
        let order = try #require(SimulatedToken("sim.delay=\(text)"))

        #expect(order.delay == .milliseconds(milliseconds))
    }

    @Test("sets any field of the answer, and leaves out the empty ones")
    func fields() throws {
        let order = try #require(
            SimulatedToken(
                "sim.attribution=true&orgId=1&campaignId=2&adGroupId=3&keywordId=&adId=5&conversionType=Redownload"
                    + "&claimType=Impression&countryOrRegion=DE&supplyPlacement=APPSTORE_TODAY_TAB"
            )
        )

        var expected = AppleAdsAnswer(attribution: true)
        expected.orgId = 1
        expected.campaignId = 2
        expected.adGroupId = 3
        expected.adId = 5
        expected.conversionType = "Redownload"
        expected.claimType = "Impression"
        expected.countryOrRegion = "DE"
        expected.impressionDate = "2024-10-08T17:17Z"
        expected.supplyPlacement = "APPSTORE_TODAY_TAB"
        #expect(order.ending == .answer(expected))
    }

    @Test("decodes its percent escapes")
    func escapes() throws {
        let order = try #require(SimulatedToken("sim.attribution=true&clickDate=2026-01-02T03%3A04Z"))

        guard case .answer(let answer) = order.ending else { return #expect(Bool(false), "no answer") }
        #expect(answer.clickDate == "2026-01-02T03:04Z")
    }
}

private let organic = AppleAdsAnswer(attribution: false)
private let tap: AppleAdsAnswer = {
    var answer = AppleAdsAnswer(attribution: true)
    answer.orgId = 40_669_820
    answer.campaignId = 542_370_539
    answer.conversionType = "Download"
    answer.claimType = "Click"
    answer.adGroupId = 542_317_095
    answer.countryOrRegion = "US"
    answer.keywordId = 87_675_432
    answer.adId = 542_317_136
    answer.clickDate = "2024-10-08T17:17Z"
    answer.supplyPlacement = "APPSTORE_SEARCH_RESULTS"
    return answer
}()
