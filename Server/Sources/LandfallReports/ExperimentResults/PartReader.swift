// SPDX-License-Identifier: Apache-2.0
import LandfallResults
import LandfallRules
import LandfallStore
import LandfallWire

/// Counts the newest units by what their installs are: the platform, and the app's version as it is now.
struct PartReader: Sendable {
    /// Whole days are read, from the newest one back, until there are so many units: what is wrong with a version shows there.
    static let enough = 100_000

    let database: any StoreReading
    let app: AppID
    let experiment: String
    let basis: ExperimentNumbers.Basis

    struct Found {
        let platform: String?
        let version: String?
        let units: Int
    }

    /// The first of the newest days that have enough units together.
    static func firstDay(_ byDay: [Int64: Int], enough: Int = enough) -> Int64? {
        var units = 0
        for (day, count) in byDay.sorted(by: { $0.key > $1.key }) {
            units += count
            if units >= enough { return day }
        }
        return byDay.keys.min()
    }

    /// The units of an arm that were exposed on this day or later.
    func units(of arm: ExperimentArms.Arm, sinceDay day: Int64) async throws -> [Found] {
        var found: [Found] = []
        let values: [SQLValue] = [
            .text(app.rawValue), .text(experiment), .text(arm.step), .integer(arm.epoch), .text(arm.variation),
            .integer(day * CountedExperiment.dayMs),
        ]
        // Of those who were shown their variation, the ones that count by their first exposure.
        let shown = values + [.flag(basis == .decided)]
        for (text, values) in [(Self.shownText, shown)] + (basis == .decided ? [(Self.decidedText, values)] : []) {
            try Task.checkCancellation()
            for row in try await database.read({ try $0.rows(text, values) }) {
                found.append(Found(platform: row.optionalText(0), version: row.optionalText(1), units: Int(try row.integer(2))))
            }
        }
        return found
    }

    static let shownText = """
        SELECT i.platform, i.app_version, COUNT(*) AS units
        FROM experiment_unit u JOIN install i ON i.app_id = $1 AND i.install_id = u.unit
        WHERE u.app_id = $1 AND u.experiment = $2 AND u.step = $3 AND u.epoch = $4 AND u.variation = $5
          AND u.shown_at_ms >= $6 AND ($7 = 0 OR u.decided_at_ms IS NULL OR u.decided_at_ms >= $6)
        GROUP BY i.platform, i.app_version
        """
    static let decidedText = """
        SELECT i.platform, i.app_version, COUNT(*) AS units
        FROM experiment_unit u JOIN install i ON i.app_id = $1 AND i.install_id = u.unit
        WHERE u.app_id = $1 AND u.experiment = $2 AND u.step = $3 AND u.epoch = $4 AND u.variation = $5
          AND u.shown_at_ms IS NULL AND u.decided_at_ms >= $6
        GROUP BY i.platform, i.app_version
        """
}
