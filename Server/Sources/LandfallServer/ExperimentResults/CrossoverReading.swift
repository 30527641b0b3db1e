// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallResults
import LandfallWire

/// Counts the units of people who are in two variations: somebody with two phones. Only profiles with several installs are read.
struct CrossoverReading: Sendable {
    static let page = 1_000

    let database: any Database
    let app: AppID
    let experiment: String
    let basis: ExperimentNumbers.Basis
    var page = page

    func units() async throws -> Int {
        var units = 0, after = ""
        while true {
            try Task.checkCancellation()
            let values: [SQLValue] = [
                .text(app.rawValue), .text(after), .integer(Int64(page)), .text(experiment), .flag(basis == .decided),
            ]
            let rows = try await database.read { try $0.rows(Self.text, values) }
            for row in rows where try row.integer(2) > 1 { units += Int(try row.integer(1)) }
            guard rows.count >= page, let last = try rows.last?.text(0) else { return units }
            after = last
        }
    }

    static let text = """
        SELECT p.profile_id, COUNT(u.unit) AS units, COUNT(DISTINCT u.variation) AS variations
        FROM (
            SELECT profile_id FROM install WHERE app_id = $1 AND profile_id > $2
            GROUP BY profile_id HAVING COUNT(*) > 1 ORDER BY profile_id LIMIT $3
          ) p
          JOIN install i ON i.app_id = $1 AND i.profile_id = p.profile_id
          LEFT JOIN experiment_unit u ON u.app_id = $1 AND u.unit = i.install_id AND u.experiment = $4
            AND u.step IN ('drawn', 'echoed') AND (u.shown_at_ms IS NOT NULL OR ($5 = 1 AND u.decided_at_ms IS NOT NULL))
        GROUP BY p.profile_id ORDER BY p.profile_id
        """
}
