// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallResults
import LandfallServer

/// How many units come in a day, and which share of them does what a metric counts: as the store has it.
struct Traffic {
    /// Whole weeks: a weekend's users are others.
    static let days = 28

    let unitsPerDay: Double
    let rate: Double
    /// Where these numbers come from, in words.
    let source: String

    /// Of a placement: everyone who saw it on the newest days whose window is over.
    static func of(placement: String, metric: String, windowDays: Int, _ reach: Reach, now: Date = Date()) async throws -> Traffic {
        func day(_ daysAgo: Int) -> String {
            now.addingTimeInterval(-Double(daysAgo) * 86_400).formatted(.iso8601.year().month().day())
        }
        let (from, to) = (day(windowDays + days), day(windowDays + 1))
        let target = BackendCall.target("/v1/reports/paywalls", [("from", from), ("to", to), ("by", "placement")])
        let answer = try await reach.call(BackendCall("GET", target), within: .seconds(600))
        let report = try JSONDecoder().decode(ReportDocument.self, from: Data(answer))
        let metrics = report.columns.map(\.name).filter { $0.hasPrefix("converted.") }.map { String($0.dropFirst("converted.".count)) }
        guard metrics.contains(metric) else {
            throw ValidationError("--metric: there is no metric '\(metric)' that counts units. Known: \(metrics.joined(separator: ", ")).")
        }
        let row = report.rows.first { ($0.key["placement"] ?? nil) == placement }
        guard let row, let shown = row.values["shown"] ?? nil, shown > 0, let converted = row.values["converted." + metric] ?? nil else {
            throw ValidationError(
                "--placement: nothing is known of '\(metric)' at '\(placement)' from \(from) to \(to). Give --rate and --units-per-day.")
        }
        return Traffic(unitsPerDay: shown / Double(days), rate: converted / shown, source: "\(placement), \(from) to \(to) (UTC)")
    }

    /// Of a running experiment: its control's rate, and the units that came to it since its start.
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
