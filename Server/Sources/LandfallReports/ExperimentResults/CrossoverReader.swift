// SPDX-License-Identifier: Apache-2.0
import LandfallResults
import LandfallRules
import LandfallStore
import LandfallWire

/// Counts the units of people who are in two variations: somebody with two phones. An install begins with a profile of its own; so of
/// two installs with one profile, one came from another. Only these installs are read, by their index, and the profiles they came to.
struct CrossoverReader: Sendable {
    static let page = 10_000

    let database: any StoreReading
    let app: AppID
    let experiment: String
    /// Units that say a later one are not counted.
    let newestEpoch: Int64
    let basis: ExperimentNumbers.Basis
    var page = page

    func units() async throws -> Int {
        var units = 0, after = ""
        while true {
            try Task.checkCancellation()
            let values: [SQLValue] = [
                .text(app.rawValue), .text(after), .integer(Int64(page)), .text(experiment), .flag(basis == .decided),
                .integer(newestEpoch),
            ]
            guard let row = try await database.read({ try $0.row(Self.text, values) }) else { return units }
            units += Int(row.optionalInteger(2) ?? 0)
            guard try row.integer(0) >= page, let last = row.optionalText(1) else { return units }
            after = last
        }
    }

    /// `CROSS JOIN` is the plain join in SQL; SQLite also keeps its order. In the other order every page reads all installs.
    static let text = """
        SELECT COUNT(*) AS profiles, MAX(profile_id) AS last_id,
          CAST(SUM(CASE WHEN first_variation <> last_variation THEN units ELSE 0 END) AS BIGINT) AS units
        FROM (
            SELECT p.profile_id, COUNT(u.unit) AS units, MIN(u.variation) AS first_variation, MAX(u.variation) AS last_variation
            FROM (
                SELECT DISTINCT m.profile_id
                FROM install m CROSS JOIN experiment_unit x
                WHERE m.app_id = $1 AND m.profile_id > $2 AND m.profile_id <> 'i_' || m.install_id
                  AND x.app_id = $1 AND x.unit = m.install_id AND x.experiment = $4
                ORDER BY m.profile_id LIMIT $3
              ) p
              CROSS JOIN install i
              LEFT JOIN experiment_unit u ON u.app_id = $1 AND u.unit = i.install_id AND u.experiment = $4
                AND u.step IN ('drawn', 'echoed') AND u.epoch <= $6
                AND (u.shown_at_ms IS NOT NULL OR ($5 = 1 AND u.decided_at_ms IS NOT NULL))
            WHERE i.app_id = $1 AND i.profile_id = p.profile_id
            GROUP BY p.profile_id
          ) found
        """
}
