// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallReports
import LandfallServer

/// How many units come in a day, and the share of them that a metric counts, from the store.
struct Traffic {
    let unitsPerDay: Double
    let rate: Double
    /// Where these numbers come from, in words.
    let source: String
    /// The window of the metric that was counted; nil if the traffic does not say it.
    var windowDays: Int?

    /// The traffic of a placement: everyone who saw it on the newest days whose window is over.
    /// - Parameter windowDays: nil for the metric's own.
    static func of(placement: String, metric: String, windowDays: Int?, _ reach: Reach, now: Date = Date()) async throws -> Traffic {
        let asked = windowDays ?? PlanCommand.usualWindowDays
        let first = try await report(windowDays: asked, reach, now)
        let window = windowDays ?? Self.windowDays(of: metric, in: first) ?? asked
        let found = window == asked ? first : try await report(windowDays: window, reach, now)
        return try Traffic(found, placement: placement, metric: metric, windowDays: window)
    }

    private static func report(windowDays: Int, _ reach: Reach, _ now: Date) async throws -> ReportDocument {
        let days = dates(windowDays: windowDays, now: now)
        let range: [(String, String?)] = [("from", days[days.count - 1]), ("to", days[0]), ("by", "day,placement")]
        let answer = try await reach.call(BackendCall("GET", BackendCall.target("/v1/reports/paywalls", range)), within: .seconds(600))
        return try JSONDecoder().decode(ReportDocument.self, from: Data(answer))
    }

    /// The days that count, in UTC, the newest first.
    static func dates(windowDays: Int, now: Date) -> [String] {
        (1...PlacementTraffic.days).map { now.addingTimeInterval(-Double(windowDays + $0) * 86_400).formatted(.iso8601.year().month().day()) }
    }

    /// Nil if the report does not say it.
    static func windowDays(of metric: String, in report: ReportDocument) -> Int? {
        report.columns.first { $0.name == "converted." + metric }?.windowDays.map { Int($0) }
    }

    /// - Parameter report: of paywalls, by day and placement.
    init(_ report: ReportDocument, placement: String, metric: String, windowDays: Int) throws {
        let metrics = report.columns.map(\.name).filter { $0.hasPrefix("converted.") }.map { String($0.dropFirst("converted.".count)) }
        guard metrics.contains(metric) else {
            throw ValidationError("--metric: there is no metric '\(metric)' that counts units. Known: \(metrics.joined(separator: ", ")).")
        }
        guard let counted = PlacementTraffic(report, placement: placement, metric: metric), let rate = counted.rate else {
            throw ValidationError(
                "--placement: nothing is known of '\(metric)' at '\(placement)' from \(report.from) to \(report.to). Give --rate and --units-per-day.")
        }
        (unitsPerDay, self.rate) = (counted.unitsPerDay, rate)
        source = "\(placement), \(counted.from) to \(counted.to) (UTC)"
        self.windowDays = windowDays
    }

    private init(unitsPerDay: Double, rate: Double, source: String) {
        (self.unitsPerDay, self.rate, self.source) = (unitsPerDay, rate, source)
    }

    /// The traffic of a running experiment: its control's rate, and its units since its start.
    static func of(experiment: String, _ reach: Reach) async throws -> Traffic {
        let target = BackendCall.target("/v1/experiments/\(experiment)/results", [])
        let results = try JSONDecoder().decode(
            Results.self, from: Data(try await reach.call(BackendCall("GET", target), within: .seconds(600))))
        let units = results.variations.reduce(0) { $0 + $1.units }
        guard let day = results.day, day > 0, units > 0, let rate = results.variations.first?.rate else {
            throw ValidationError("--experiment: '\(experiment)' has no units with a rate yet. Give --rate and --units-per-day.")
        }
        return Traffic(unitsPerDay: Double(units) / Double(day), rate: rate, source: "\(experiment), \(day) days")
    }

    private struct Results: Decodable {
        struct Variation: Decodable {
            let units: Int
            let rate: Double?
        }

        let day: Int?
        let variations: [Variation]
    }
}
