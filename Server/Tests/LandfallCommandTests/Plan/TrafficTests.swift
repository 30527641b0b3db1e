// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallCommand
@testable import LandfallReports

@Suite("The traffic of a placement", .timeLimit(.minutes(1)))
struct TrafficTests {
    /// 7 December 2026.
    private static let now = Date(timeIntervalSince1970: 1_796_644_800)

    /// - Parameter days: of November 2026; on each of them 60 installs see the placement, and 3 of them convert.
    private static func report(_ days: [Int], window: String = "") throws -> ReportDocument {
        let rows = days.map { #"{"key":{"day":"2026-11-\#($0)","placement":"onboarding"},"values":{"shown":60,"converted.trial":3}}"# }
        let text = #"""
            {"report":"paywalls","from":"2026-10-26","to":"2026-11-22","timeZone":"UTC","completeToMilliseconds":1,"by":["day","placement"],
             "columns":[{"name":"shown","definition":"d","unit":"count"},{"name":"converted.trial","definition":"d","unit":"count"\#(window)}],
             "rows":[{"key":{"day":"2026-10-26","placement":"settings"},"values":{"shown":900,"converted.trial":1}},\#(rows.joined(separator: ","))],
             "totals":{}}
            """#
        return try JSONDecoder().decode(ReportDocument.self, from: Data(text.utf8))
    }

    @Test(
        "is divided by the days since the placement was first seen: for a new one, for one with a day without units, for an old one",
        arguments: [(Array(17...22), 60), ([17, 18, 22], 30)] as [([Int], Double)])
    func young(days: [Int], perDay: Double) throws {
        let traffic = try Traffic(try Self.report(days), placement: "onboarding", metric: "trial", windowDays: 14)
        let old = try Traffic(try Self.report([22]), placement: "settings", metric: "trial", windowDays: 14)

        #expect(traffic.unitsPerDay == perDay && traffic.rate == 0.05)
        #expect(traffic.source == "onboarding, 2026-11-17 to 2026-11-22 (UTC)")
        #expect(old.unitsPerDay == 900.0 / 28 && old.source == "settings, 2026-10-26 to 2026-11-22 (UTC)")
    }

    @Test("counts days whose window is over; the window is the metric's own if the server says it")
    func window() throws {
        let days = Traffic.dates(windowDays: 14, now: Self.now)

        #expect(days.count == 28 && days.first == "2026-11-22" && days.last == "2026-10-26")
        #expect(Traffic.windowDays(of: "trial", in: try Self.report([22], window: #","windowDays":7"#)) == 7)
        #expect(Traffic.windowDays(of: "trial", in: try Self.report([22])) == nil)
    }

    @Test("is unknown for a placement that nobody saw")
    func unseen() throws {
        #expect(throws: (any Error).self) {
            _ = try Traffic(try Self.report([22]), placement: "nowhere", metric: "trial", windowDays: 14)
        }
    }
}
