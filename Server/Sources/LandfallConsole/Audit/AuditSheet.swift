// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer

/// A page of the audit log for other programs, in the words that are stored.
struct AuditSheet: Encodable {
    struct Row: Encodable {
        let id: String
        /// In RFC 3339, UTC.
        let at: String
        let atMilliseconds: Int64
        /// Absent: nobody was signed in.
        let member: String?
        let action: String
        let subject: String
        let network: String?
    }

    let entries: [Row]
    /// The value of `before` for the next page; absent on the last one.
    let next: String?

    init(_ page: AuditLog.Page) {
        entries = page.lines.map { line in
            Row(
                id: line.id, at: Instant(milliseconds: line.entry.atMs).description, atMilliseconds: line.entry.atMs,
                member: line.entry.member, action: line.entry.action, subject: line.entry.subject, network: line.entry.network)
        }
        next = page.next
    }

    static let header = "id,at,atMilliseconds,member,action,subject,network\r\n"

    /// As CSV, without the header.
    var lines: String {
        entries.map { row in
            [
                row.id, row.at, "\(row.atMilliseconds)", SpreadsheetCell.text(row.member), row.action, SpreadsheetCell.text(row.subject),
                SpreadsheetCell.text(row.network),
            ].joined(separator: ",") + "\r\n"
        }.joined()
    }
}
