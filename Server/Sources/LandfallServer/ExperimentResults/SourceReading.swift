// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallResults
import LandfallWire

/// Counts the units of each source, by what is known now: attribution that came after the exposure is joined, because it says
/// where somebody came from before. A unit with one fact is counted in SQL, by its fact; a unit with several, or with a link, whose
/// click may be too old to count, is decided from all of them.
struct SourceReading: Sendable {
    /// Facts, or open exchanges, that one statement counts.
    static let page = 50_000
    /// Apple has not answered yet.
    static let pending = "pending"
    /// No source brought the unit, or none is known.
    static let none = "none"
    /// After every id in hexadecimal digits, however an engine orders texts.
    private static let afterAll = "g"

    let database: any Database
    let app: AppID
    let experiment: String
    let basis: ExperimentNumbers.Basis
    var page = page

    struct Found {
        let epoch: Int64
        let variation: String
        let source: String
        let units: Int
    }

    /// - Parameter body: is called for units with a source, and then for units whose source is pending. In this order, because a
    ///   unit whose answer comes meanwhile is then in neither, and never in both.
    func forEach(_ body: (Found) -> Void) async throws {
        try await forEach(Self.endText, Self.text, body) { $0?.name }
        try await forEach(Self.pendingEndText, Self.pendingText, body) { source in
            source?.name == nil && source?.isAnswered != true ? Self.pending : nil
        }
    }

    private func forEach(
        _ endText: String, _ text: String, _ body: (Found) -> Void, decide: (UnitSources.Source?) -> String?
    ) async throws {
        var after = ""
        while true {
            try Task.checkCancellation()
            let (rows, last) = try await page(endText, text, after: after)
            let several = rows.compactMap { $0.optionalText(0) }.sorted()
            let sources = try await UnitSources(database: database, app: app).sources(of: several)
            for row in rows {
                let source: String?
                if let unit = row.optionalText(0) { source = decide(sources[unit]) } else { source = try row.text(3) }
                guard let source else { continue }
                body(
                    Found(
                        epoch: try row.integer(1), variation: try row.text(2), source: source, units: Int(try row.integer(4))))
            }
            guard let last else { return }
            after = last
        }
    }

    private func page(_ endText: String, _ text: String, after: String) async throws -> ([Row], String?) {
        let key: [SQLValue] = [.text(app.rawValue), .text(after)]
        let rest: [SQLValue] = [.text(experiment), .flag(basis == .decided)]
        return try await database.read { [page] connection in
            let end = try connection.row(endText, key + [.integer(Int64(page - 1))])
            let last = try end?.text(0)
            return (try connection.rows(text, key + [.text(last ?? Self.afterAll)] + rest), last)
        }
    }
}

extension SourceReading {
    static let endText = """
        SELECT install_id FROM attribution_fact WHERE app_id = $1 AND install_id > $2
        ORDER BY install_id LIMIT 1 OFFSET $3
        """
    /// The first column is the unit that has to be decided, and null in a row that counts the others. Units whose facts
    /// are all organic or unknown have no source, and are not looked up: their words come after `non_organic`.
    static let text = """
        SELECT CASE WHEN p.facts > 1 OR p.source = 'link' THEN p.install_id END AS unit, u.epoch, u.variation, p.source,
          COUNT(*) AS units
        FROM (
            SELECT install_id, COUNT(*) AS facts, MAX(source) AS source
            FROM attribution_fact WHERE app_id = $1 AND install_id > $2 AND install_id <= $3
            GROUP BY install_id HAVING MIN(status) = 'non_organic'
          ) p
          CROSS JOIN experiment_unit u
        WHERE u.app_id = $1 AND u.unit = p.install_id AND u.experiment = $4
          AND u.step IN ('drawn', 'echoed') AND (u.shown_at_ms IS NOT NULL OR ($5 = 1 AND u.decided_at_ms IS NOT NULL))
        GROUP BY 1, 2, 3, 4
        """
    static let pendingEndText = """
        SELECT install_id FROM job WHERE app_id = $1 AND install_id > $2 AND kind = 'apple_ads'
        ORDER BY install_id LIMIT 1 OFFSET $3
        """
    /// Whose exchange with Apple is open; the first column is the unit where a fact may say more.
    static let pendingText = """
        SELECT p.known, u.epoch, u.variation, 'pending' AS source, COUNT(*) AS units
        FROM (
            SELECT j.install_id, MAX(f.install_id) AS known
            FROM job j LEFT JOIN attribution_fact f ON f.app_id = $1 AND f.install_id = j.install_id
            WHERE j.app_id = $1 AND j.install_id > $2 AND j.install_id <= $3 AND j.kind = 'apple_ads'
            GROUP BY j.install_id
          ) p
          CROSS JOIN experiment_unit u
        WHERE u.app_id = $1 AND u.unit = p.install_id AND u.experiment = $4
          AND u.step IN ('drawn', 'echoed') AND (u.shown_at_ms IS NOT NULL OR ($5 = 1 AND u.decided_at_ms IS NOT NULL))
        GROUP BY 1, 2, 3
        """
}
