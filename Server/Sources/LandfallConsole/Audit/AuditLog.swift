// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Reads the log. A line is written by the unit that it is about.
struct AuditLog: Sendable {
    static let pageLength = 100
    /// Of a file's page.
    static let longestPage = 1_000
    /// How many lines a filter looks at for one page, and how many of them at once.
    static let mostLooked = 10_000, lookLength = 1_000

    let database: any Database
    let app: AppID

    /// A line as it is stored.
    struct Stored: Sendable {
        let id: String
        let entry: AuditPage.Entry
    }

    struct Page: Sendable {
        let lines: [Stored]
        /// The id after which the next page begins; nil on the last one.
        let next: String?
    }

    /// Every line, the newest first.
    func page(before: String?) async throws -> [Stored] { try await page(AuditPage.Filter(), before: before).lines }

    /// The lines that the filter names, the newest first. Looks at a bounded number of lines: a page may have few lines, or none, and
    /// still be followed by another one.
    /// - Parameter before: the id after which the page begins; nil for the newest.
    func page(_ filter: AuditPage.Filter, before: String?, most: Int = pageLength) async throws -> Page {
        let isWhole = filter == AuditPage.Filter()
        var found: [Stored] = [], before = before, looked = 0
        while looked < Self.mostLooked {
            let limit = isWhole ? most : Self.lookLength
            let lines = try await lines(before: before, limit: limit)
            for line in lines where filter.names(line.entry) {
                found.append(line)
                if found.count == most { return Page(lines: found, next: line.id) }
            }
            guard lines.count == limit else { return Page(lines: found, next: nil) }
            looked += lines.count
            before = lines.last?.id
        }
        return Page(lines: found, next: before)
    }

    private func lines(before: String?, limit: Int) async throws -> [Stored] {
        try await database.read { [app] connection in
            try connection.rows(
                """
                SELECT \(Stored.columns) FROM audit_entry
                WHERE app_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3
                """, [.text(app.rawValue), .text(before ?? "g"), .integer(Int64(limit))]
            ).map { try Stored($0) }
        }
    }
}

extension AuditLog.Stored {
    static let columns = "id, at_ms, member, action, subject, network"

    init(_ row: Row) throws {
        id = try row.text("id")
        entry = AuditPage.Entry(
            atMs: try row.integer("at_ms"), member: row.optionalText("member"), action: try row.text("action"),
            subject: try row.text("subject"), network: row.optionalText("network"))
    }
}

extension AuditPage.Filter {
    fileprivate func names(_ entry: AuditPage.Entry) -> Bool {
        (member.isEmpty || entry.member.map { $0.hasSameBytes(as: member) || $0.hasSameBytes(as: member.lowercased()) } ?? false)
            && (action.isEmpty || entry.action.hasSameBytes(as: action))
    }
}
