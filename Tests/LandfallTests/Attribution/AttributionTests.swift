// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import Landfall

@Suite("Attribution in the app's types", .timeLimit(.minutes(1)))
struct AttributionTests {
    @Test("has dates, and Apple's own fields under Swift names")
    func appleAds() throws {
        var answer = AppleAdsAnswer(attribution: true)
        answer.campaignId = 42
        answer.clickDate = "2026-10-08T17:17Z"
        answer.impressionDate = "soon"
        var wire = LandfallWire.AttributionDetails(
            source: .appleAds, verified: true, test: true, attributedAtMilliseconds: 1_790_000_000_500)
        wire.appleAds = answer
        wire.campaign = "summer"

        let details = try #require(Landfall.Attribution(.attributed(wire)).details)

        #expect(details.isVerified && details.isTest)
        #expect(details.attributedAt == Date(timeIntervalSince1970: 1_790_000_000.5))
        #expect(details.campaign == "summer")
        #expect(details.appleAds?.campaignID == 42)
        #expect(details.appleAds?.clickedAt == Date(timeIntervalSince1970: 1_791_479_820))
        #expect(details.appleAds?.seenAt == nil, "What is not a date is left out.")
    }

    @Test("names the link, and when it was tapped")
    func link() throws {
        var wire = LandfallWire.AttributionDetails(source: .link, verified: true, attributedAtMilliseconds: 0)
        wire.link = .init(clickedAtMilliseconds: 1_790_000_000_000, isReattribution: true)
        wire.link?.code = "links.example.com/beach"

        let link = try #require(Landfall.AttributionDetails(wire).link)

        #expect(link.clickedAt == Date(timeIntervalSince1970: 1_790_000_000))
        #expect(link.code == "links.example.com/beach")
        #expect(link.isReattribution)
    }

    @Test(
        "is pending, organic or unavailable as the server reports",
        arguments: [
            (LandfallWire.Attribution.pending(nextAnswerNotBefore: 5_000), Landfall.Attribution.pending),
            (.notAttributed, .notAttributed), (.unavailable(.notFound), .unavailable(.notFound)),
        ])
    func states(wire: LandfallWire.Attribution, expected: Landfall.Attribution) {
        #expect(Landfall.Attribution(wire) == expected)
        #expect(expected.details == nil)
    }

    @Test("prints itself in one line, whatever the names contain")
    func text() {
        var details = AttributionDetails(source: .appleAds, isTest: true, attributedAt: .distantPast)
        details.campaign = "summer\n\u{2028}sale \u{202E}\u{7}"
        details.adGroup = "shoes"
        details.appleAds = AppleAdsDetails()
        details.appleAds?.campaignID = 42
        details.appleAds?.keywordID = 7
        var link = AttributionDetails(source: .link, isVerified: false, attributedAt: .distantPast)
        link.link = AttributedLink(clickedAt: .distantPast)
        link.link?.code = "links.example.com/beach"

        #expect(
            "\(Landfall.Attribution.attributed(details))"
                == #"attributed by apple_search_ads: campaign "summer  sale   ", ad group "shoes", keyword 7 (test)"#)
        #expect("\(Landfall.Attribution.attributed(link))" == #"attributed by link: link "links.example.com/beach" (not verified)"#)
        #expect("\(Landfall.Attribution.notAttributed)" == "not attributed (organic)")
        #expect("\(Landfall.Attribution.pending)" == "pending")
        #expect("\(Landfall.Attribution.unavailable(.notFound))" == "unavailable (notFound)")
    }

    @Test("A report uses the words of the wire", arguments: AttributionStatus.allCases)
    func status(_ status: AttributionStatus) {
        #expect(status.wire.rawValue == status.rawValue)
    }
}
