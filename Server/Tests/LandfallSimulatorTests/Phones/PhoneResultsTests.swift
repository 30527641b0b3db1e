// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallSimulator

@Suite("The results of a run of phones", .timeLimit(.minutes(1)))
struct PhoneResultsTests {
    @Test("The figures are those of the phones")
    func figures() throws {
        let report = results().report(seed: 9, scenario: "typical")
        let side = try #require(report.landfall)

        #expect(side.targeted == 0.5)
        #expect(side.targetedOfPossible == 0.6667)
        #expect((side.p50, side.p90, side.max) == (0.5, 5.06, 5.06))
        #expect(side.late == 1)
        #expect(side.withoutPaywall == 1)
        #expect(side.requestsPerOpen == 1.25)
        #expect(report.documented?.p50 == 5)
        #expect(report.limit?.p50 == 0.4)
        #expect((report.behindLimit?.p50, report.behindLimit?.p90) == (0.1, 4.66))
        #expect(report.each.map(\.landfall) == [0.5, 0.4, 5.06, 0.9])
        #expect(report.ratioP50 == 0.1)
    }

    @Test("The JSON has the documented keys")
    func keys() throws {
        let json = try WireCoding.encode(results().report(seed: 9, scenario: "typical"))
        let document = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        let side = ["targeted", "p50", "p90", "p99", "max", "appleAdsP50", "late", "withoutPaywall", "requestsPerOpen"]

        #expect(
            Set(document.keys)
                == [
                    "phones", "seed", "scenario", "deadlineSeconds", "documented", "landfall", "limit", "behindLimit", "each", "ratioP50",
                ]
        )
        #expect(Set((document["documented"] as? [String: Any] ?? [:]).keys) == Set(side))
        #expect(Set((document["landfall"] as? [String: Any] ?? [:]).keys) == Set(side + ["possible", "targetedOfPossible"]))
        #expect(Set((document["limit"] as? [String: Any] ?? [:]).keys) == ["p50", "p90", "p99"])
    }

    @Test("Without comparison there is neither the documented way nor a limit")
    func alone() {
        let report = results(isComparison: false).report(seed: 9, scenario: "typical")

        #expect(report.documented == nil)
        #expect(report.limit == nil)
        #expect(report.behindLimit == nil)
        #expect(report.ratioP50 == nil)
        #expect(report.landfall != nil)
    }

    @Test("The table stays within 80 columns and counts every phone once")
    func table() {
        let results = results()
        let lines = PhoneTable(results.report(seed: 9, scenario: "typical"), results).lines

        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(TimeBins(width: 0.25, upTo: 5.5).counts(results.landfall).reduce(0, +) == 4)
        #expect(TimeBins(width: 0.25, upTo: 5.5).counts([0, 0.249, 0.25, 99]).last == 1)
    }

    @Test("The picture is well-formed XML with both ways in it")
    func picture() throws {
        let results = results()
        let svg = PhonePicture(results.report(seed: 9, scenario: "typical"), results).svg

        #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains("Landfall, median 0.5 s"))
        #expect(svg.contains("the documented way, median 5.0 s"))
        #expect(svg.components(separatedBy: "<rect").count == svg.components(separatedBy: "</rect>").count)
    }

    /// Four phones: an Apple Ads phone in time, an organic one, one whose answer was lost on the way and came late, and one
    /// without a paywall.
    private func results(isComparison: Bool = true) -> PhoneResults {
        let phones = (0..<1_000).lazy.map { DrawnPhone($0, in: .fast, seed: 1) }
        let (organic, appleAds) = (phones.first { $0.isOrganic }!, phones.first { !$0.isOrganic }!)
        func record(
            _ phone: DrawnPhone, _ isAppleAds: Bool?, _ milliseconds: Int, possible: Bool = true, requests: Int = 1
        ) -> PhoneRecord {
            let outcome = PhoneOutcome(isAppleAds: isAppleAds, elapsed: .milliseconds(milliseconds), requests: requests)
            let documented = PhoneOutcome(isAppleAds: false, elapsed: .seconds(5), requests: 7)
            return PhoneRecord(
                phone: phone, landfall: outcome, wasPossible: possible, documented: isComparison ? documented : nil,
                limit: isComparison ? .milliseconds(400) : nil
            )
        }
        return PhoneResults(
            [
                record(appleAds, true, 500), record(organic, false, 400), record(appleAds, false, 5_060, requests: 2),
                record(organic, nil, 900, possible: false),
            ],
            deadline: .seconds(5)
        )
    }
}
