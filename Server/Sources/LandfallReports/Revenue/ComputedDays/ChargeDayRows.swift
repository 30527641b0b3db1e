// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
package import LandfallStore

package enum ChargeDaySchema {
    package static let created = Migration(
        id: "2026-11-29 revenue: create charge_day, mark the days of charges",
        [
            // Equal charges of a day, counted. It is only read while no mark says that one of them has changed.
            """
            CREATE TABLE charge_day (
              app_id TEXT   NOT NULL,
              view   TEXT   NOT NULL,  -- purchase or booking: which day of a charge it is
              day    BIGINT NOT NULL,  -- since 1970, UTC
              cells  TEXT   NOT NULL,  -- what describes and prices charges, and how many there are, a line each
              PRIMARY KEY (app_id, view, day)
            )
            """,
            """
            INSERT INTO report_dirty (app_id, report, bucket, since_ms, stamp)
            SELECT app_id, 'charge', CAST(purchase_day AS TEXT) || ' 0', 0, 0 FROM charge GROUP BY app_id, purchase_day
            UNION
            SELECT app_id, 'charge', CAST(booking_day AS TEXT) || ' 0', 0, 0 FROM charge GROUP BY app_id, booking_day
            """,
        ])
}

/// The table `charge_day`.
struct ChargeDayRows: Sendable {
    let app: AppID
    let view: RevenueView

    /// Replaces a day. A day without charges has no row.
    func replacement(of day: Int64, with text: String) -> Statement {
        let key: [SQLValue] = [.text(app.rawValue), .text(view.rawValue), .integer(day)]
        guard !text.isEmpty else { return Statement("DELETE FROM charge_day WHERE app_id = $1 AND view = $2 AND day = $3", key) }
        return Statement(
            """
            INSERT INTO charge_day (app_id, view, day, cells) VALUES ($1, $2, $3, $4)
            ON CONFLICT (app_id, view, day) DO UPDATE SET cells = excluded.cells
            """, key + [.text(text)])
    }

    static let text = "SELECT day, cells FROM charge_day WHERE app_id = $1 AND view = $2 AND day >= $3 AND day <= $4"
    static let marksText = "SELECT bucket FROM report_dirty WHERE app_id = $1 AND report = $2 LIMIT $3"
}
