// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// The table `install_progress`.
package enum InstallProgressRows {
    struct Stored: Hashable, Sendable {
        let firstOpenAtMs: Int64
        let facts: String
        /// See ``InstallProgress/Exposures``.
        let exposures: Int64
    }

    static let text = "SELECT first_open_at_ms, facts, exposures FROM install_progress WHERE app_id = $1 AND install_id = $2"

    static func stored(_ install: String, of app: AppID, _ connection: any ReadConnection) throws -> Stored? {
        try connection.row(text, [.text(app.rawValue), .text(install)]).map {
            Stored(firstOpenAtMs: try $0.integer(0), facts: try $0.text(1), exposures: try $0.integer(2))
        }
    }

    static func replacement(_ install: String, of app: AppID, with row: Stored) -> Statement {
        Statement(
            """
            INSERT INTO install_progress (app_id, install_id, first_open_at_ms, facts, exposures) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (app_id, install_id) DO UPDATE SET first_open_at_ms = excluded.first_open_at_ms, facts = excluded.facts,
              exposures = excluded.exposures
            """, [.text(app.rawValue), .text(install), .integer(row.firstOpenAtMs), .text(row.facts), .integer(row.exposures)])
    }

    /// Forgets what days of exposures have counted of an install, some of whose events were deleted.
    static func unseeing(_ install: String, in app: AppID) -> Statement {
        Statement(
            "UPDATE install_progress SET exposures = 0 WHERE app_id = $1 AND install_id = $2", [.text(app.rawValue), .text(install)])
    }

    /// Every zone's days begin at a quarter of an hour, so an install that is kept without its exact time stays in its day.
    private static let quarterMs: Int64 = 900_000

    /// Keeps the count of an install that is being erased: days that are computed again still count it.
    /// - Parameter facts: say nothing about the person, see ``ErasedProgress``.
    static func keeping(_ facts: InstallProgress.Facts, openedAtMs: Int64, in app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO install_kept (app_id, first_open_at_ms, facts, installs) VALUES ($1, $2, $3, 1)
            ON CONFLICT (app_id, first_open_at_ms, facts) DO UPDATE SET installs = install_kept.installs + 1
            """, [.text(app.rawValue), .integer(openedAtMs / quarterMs * quarterMs), .text(facts.text)])
    }

    /// Deletes what names the install. The days that counted it stay as they are.
    package static func removal(of install: InstallID, in app: AppID) -> [Statement] {
        let values: [SQLValue] = [.text(app.rawValue), .text(install.rawValue)]
        return [
            Statement("DELETE FROM install_progress WHERE app_id = $1 AND install_id = $2", values),
            Statement("DELETE FROM report_dirty WHERE app_id = $1 AND report = 'install' AND bucket = $2", values),
        ]
    }

    /// How many installs of a day have which facts, erased ones included.
    static let factsText = """
        SELECT facts, COUNT(*) AS installs FROM install_progress
        WHERE app_id = $1 AND first_open_at_ms >= $2 AND first_open_at_ms < $3 GROUP BY facts
        """
    static let keptText = """
        SELECT facts, installs FROM install_kept WHERE app_id = $1 AND first_open_at_ms >= $2 AND first_open_at_ms < $3
        """

    static func facts(of app: AppID, openedMs: Range<Int64>, _ connection: any ReadConnection) throws -> [(facts: String, installs: Int64)] {
        let values: [SQLValue] = [.text(app.rawValue), .integer(openedMs.lowerBound), .integer(openedMs.upperBound)]
        return try [factsText, keptText].flatMap { try connection.rows($0, values) }.map { (try $0.text(0), try $0.integer(1)) }
    }
}

extension InstallProgressRows.Stored {
    /// What is kept of an install that was computed anew. Events of earlier installs are deleted by and by: what was counted of them
    /// stays.
    /// - Parameter eventMs: how long events are certainly there.
    init(_ progress: InstallProgress, after stored: Self?, exposures: Int64, eventMs: Int64, nowMs: Int64) throws {
        let frozen = stored.flatMap { $0.firstOpenAtMs < nowMs - eventMs + Retention.dayMs ? $0 : nil }
        self.init(
            firstOpenAtMs: frozen?.firstOpenAtMs ?? progress.firstOpenAtMs,
            facts: try frozen.map { try InstallProgress.Facts($0.facts).completed(by: progress.facts).text } ?? progress.facts.text,
            exposures: exposures)
    }

    /// The first opens whose days count otherwise when one row follows another.
    static func openedMs(_ before: Self?, _ after: Self?) -> [Int64] {
        before?.firstOpenAtMs == after?.firstOpenAtMs && before?.facts == after?.facts
            ? [] : [before?.firstOpenAtMs, after?.firstOpenAtMs].compactMap(\.self)
    }
}
