// SPDX-License-Identifier: Apache-2.0
import LandfallResults
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Reads who did what a metric counts: its events by type and time, each with the unit of its install. Other events are not read.
struct OutcomeReader: Sendable {
    static let page = 50_000

    let database: any StoreReading
    let app: AppID
    let experiment: String
    let basis: ExperimentNumbers.Basis
    /// The buckets that are read at once: of a large experiment a part of them, so that memory has a bound.
    var buckets: Range<Int64> = 0..<Int64(Draw.bucketCount)
    var page = page

    struct Found {
        let unit: InstallKey
        let epoch: Int64
        let variation: String
        let atMs: Int64
    }

    /// - Parameters:
    ///   - range: the times of the events.
    ///   - most: units that are kept in memory.
    ///   - body: is called for the earliest event of a unit within its window, once.
    /// - Returns: false if more units than that converted. The rest of them was not read then.
    func forEach(
        of type: Event.Kind, windowMs: Int64, in range: Range<Int64>, most: Int, _ body: (Found) -> Void
    ) async throws -> Bool {
        var units: Set<InstallKey> = [], after = (atMs: range.lowerBound, install: "")
        while true {
            try Task.checkCancellation()
            let (rows, last) = try await rows(of: type, windowMs: windowMs, after: after, range.upperBound)
            for row in rows {
                guard let unit = InstallKey(InstallID(try row.text(0))), units.insert(unit).inserted else { continue }
                body(Found(unit: unit, epoch: try row.integer(1), variation: try row.text(2), atMs: try row.integer(3)))
            }
            guard units.count <= most else { return false }
            guard let last else { return true }
            after = last
        }
    }

    private func rows(
        of type: Event.Kind, windowMs: Int64, after: (atMs: Int64, install: String), _ endMs: Int64
    ) async throws -> ([Row], (Int64, String)?) {
        let key: [SQLValue] = [.text(app.rawValue), .text(type.rawValue), .integer(after.atMs), .text(after.install), .integer(endMs)]
        let rest: [SQLValue] = [
            .text(experiment), .integer(windowMs), .flag(basis == .decided), .integer(buckets.lowerBound), .integer(buckets.upperBound),
            .integer(Int64.max),
        ]
        return try await database.read { [page] connection in
            // First where the page ends, by the index alone: most events may be of others.
            let end = try connection.row(Self.endText, key + [.integer(Int64(page - 1))])
            let last = try end.map { (try $0.integer(0), try $0.text(1)) }
            let until: [SQLValue] = [.integer(last?.0 ?? endMs), .text(last?.1 ?? "")]
            return (try connection.rows(Self.text, Array(key.prefix(4)) + until + rest), last)
        }
    }

    static let endText = """
        SELECT occurred_at_ms, install_id FROM event
        WHERE app_id = $1 AND type = $2 AND type <> 'paywall_shown' AND type <> 'paywall_decided'
          AND (occurred_at_ms, install_id) > ($3, $4) AND occurred_at_ms < $5
        ORDER BY occurred_at_ms, install_id LIMIT 1 OFFSET $6
        """

    /// An install's own row comes before that of its device's first install: an install that was recognised as a reinstall later keeps
    /// what it has. Only a reinstall can have two, so the own row of others is not sought twice.
    ///
    /// The window begins with the first exposure: who was shown a paywall was decided about, also where that event is missing.
    /// The events of a page are joined in the order of their installs: the rows that are read then stand together. It is half the
    /// time of joining them by their times. The limit holds nothing back; without one an engine may ignore the order.
    static let text = """
        SELECT unit, epoch, variation, occurred_at_ms
        FROM (
            SELECT u.unit, u.epoch, u.variation, p.occurred_at_ms,
              CASE WHEN $9 = 1 AND u.decided_at_ms IS NOT NULL AND (u.shown_at_ms IS NULL OR u.decided_at_ms < u.shown_at_ms)
                THEN u.decided_at_ms ELSE u.shown_at_ms END AS exposed_at_ms
            FROM (
                SELECT occurred_at_ms, install_id FROM event
                WHERE app_id = $1 AND type = $2 AND type <> 'paywall_shown' AND type <> 'paywall_decided'
                  AND (occurred_at_ms, install_id) > ($3, $4) AND (occurred_at_ms, install_id) <= ($5, $6)
                ORDER BY install_id LIMIT $12
              ) p
              LEFT JOIN install i ON i.app_id = $1 AND i.install_id = p.install_id
              LEFT JOIN experiment_unit o ON o.app_id = $1 AND o.experiment = $7
                AND o.unit = CASE WHEN i.first_install_id IS NOT NULL THEN p.install_id END
              JOIN experiment_unit u ON u.app_id = $1 AND u.experiment = $7
                AND u.unit = COALESCE(o.unit, i.first_install_id, p.install_id)
            WHERE u.step IN ('drawn', 'echoed') AND u.bucket >= $10 AND u.bucket < $11
          ) found
        WHERE occurred_at_ms >= exposed_at_ms AND occurred_at_ms < exposed_at_ms + $8
        ORDER BY occurred_at_ms, unit
        """
}
