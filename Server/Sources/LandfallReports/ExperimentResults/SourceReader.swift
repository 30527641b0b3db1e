// SPDX-License-Identifier: Apache-2.0
import LandfallResults
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Counts the units of each source, by what is known now: attribution that came after the exposure is joined, because it says
/// where somebody came from before.
///
/// Only facts that name an origin are read: the others never win over them. A unit whose facts all name the same origin is counted in
/// SQL; so is one with a single click, by its link and by the days from the click to the first open. Any other unit is
/// decided from all of its facts.
struct SourceReader: Sendable {
    /// Facts, or open exchanges, that one statement counts.
    static let page = 50_000
    /// Apple has not answered yet.
    static let pending = "pending"
    /// No source brought the unit, or none is known.
    static let none = "none"
    /// After every id in hexadecimal digits, however an engine orders texts.
    static let afterAll = "g"

    let database: any StoreReading
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
        try await forEachPage(endingBy: Self.endText, of: [Self.text, Self.clickText]) { rows in
            try await count(rows[0], body) { $0?.name }
            for row in rows[1] where try UnitSources.counts(clickOf: row.optionalText(3), days: row.optionalInteger(5)) {
                try body(found(row, from: AttributionSource.link.rawValue))
            }
        }
        try await forEachPage(endingBy: Self.pendingEndText, of: [Self.pendingText]) { rows in
            try await count(rows[0], body) { source in
                source?.name == nil && source?.isAnswered != true ? Self.pending : nil
            }
        }
    }

    /// - Parameters:
    ///   - rows: those with a unit in the first column are of this unit only, and have to be decided.
    ///   - decide: says what the unit is counted as.
    private func count(_ rows: [Row], _ body: (Found) -> Void, decide: (UnitSources.Source?) -> String?) async throws {
        let several = rows.compactMap { $0.optionalText(0) }.sorted()
        let sources = try await UnitSources(database: database, app: app).sources(of: several)
        for row in rows {
            let source: String?
            if let unit = row.optionalText(0) { source = decide(sources[unit]) } else { source = try row.text(3) }
            if let source { try body(found(row, from: source)) }
        }
    }

    private func found(_ row: Row, from source: String) throws -> Found {
        Found(epoch: try row.integer(1), variation: try row.text(2), source: source, units: Int(try row.integer(4)))
    }

    private func forEachPage(endingBy endText: String, of texts: [String], _ body: ([[Row]]) async throws -> Void) async throws {
        var after = ""
        while true {
            try Task.checkCancellation()
            let key: [SQLValue] = [.text(app.rawValue), .text(after)]
            let rest: [SQLValue] = [.text(experiment), .flag(basis == .decided)]
            let (rows, last) = try await database.read { [page] connection in
                let last = try connection.row(endText, key + [.integer(Int64(page - 1))])?.text(0)
                let values = key + [.text(last ?? Self.afterAll)] + rest
                return (try texts.map { try connection.rows($0, values) }, last)
            }
            try await body(rows)
            guard let last else { return }
            after = last
        }
    }
}

extension SourceReader {
    static let endText = """
        SELECT install_id FROM attribution_fact WHERE app_id = $1 AND install_id > $2 AND status = 'non_organic'
        ORDER BY install_id LIMIT 1 OFFSET $3
        """
    /// The first column is the unit that has to be decided, and null in a row that counts the others.
    static let text = """
        SELECT CASE WHEN p.first_source <> p.source OR p.source = 'link' THEN p.install_id END AS unit, u.epoch, u.variation,
          p.source, COUNT(*) AS units
        FROM (
            SELECT install_id, MIN(source) AS first_source, MAX(source) AS source
            FROM attribution_fact WHERE app_id = $1 AND install_id > $2 AND install_id <= $3 AND status = 'non_organic'
            GROUP BY install_id HAVING COUNT(*) > 1 OR MAX(source) <> 'link'
          ) p
          CROSS JOIN experiment_unit u
        WHERE u.app_id = $1 AND u.unit = p.install_id AND u.experiment = $4
          AND u.step IN ('drawn', 'echoed') AND (u.shown_at_ms IS NOT NULL OR ($5 = 1 AND u.decided_at_ms IS NOT NULL))
        GROUP BY 1, 2, 3, 4
        """
    /// Units with one click and no other origin. The last column is the smallest window in days that the click is inside of; null if
    /// it came after the first open, for which it never counts.
    static let clickText = """
        SELECT 'click' AS kind, epoch, variation, link, COUNT(*) AS units,
          CASE WHEN said_at_ms <= opened_at_ms + \(LinkCredit.handOverMs)
            THEN (opened_at_ms - said_at_ms + 86399999) / 86400000 END AS days
        FROM (
            SELECT u.epoch, u.variation, f.link, f.said_at_ms,
              CASE WHEN i.installed_at_ms < i.created_at_ms THEN i.installed_at_ms ELSE i.created_at_ms END AS opened_at_ms
            FROM (
                SELECT install_id
                FROM attribution_fact WHERE app_id = $1 AND install_id > $2 AND install_id <= $3 AND status = 'non_organic'
                GROUP BY install_id HAVING COUNT(*) = 1 AND MAX(source) = 'link'
              ) p
              CROSS JOIN experiment_unit u
              CROSS JOIN attribution_fact f
              CROSS JOIN install i
            WHERE u.app_id = $1 AND u.unit = p.install_id AND u.experiment = $4
              AND u.step IN ('drawn', 'echoed') AND (u.shown_at_ms IS NOT NULL OR ($5 = 1 AND u.decided_at_ms IS NOT NULL))
              AND f.app_id = $1 AND f.install_id = p.install_id AND f.status = 'non_organic'
              AND i.app_id = $1 AND i.install_id = p.install_id
          ) found
        GROUP BY 2, 3, 4, 6
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
