// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
import LandfallServer
package import LandfallStore

/// The audit log for a file that grows with it: the oldest line first.
package struct AuditTail: Sendable {
    /// How many lines are read at once.
    static let most = 500

    package struct Batch: Sendable {
        /// One JSON object a line, with sorted keys. A line without a member or a network leaves the key out.
        package let text: [UInt8]
        /// The id of the last line.
        package let last: String
    }

    private let database: any Database
    private let app: AppID

    package init(database: any Database, app: AppID) { (self.database, self.app) = (database, app) }

    /// - Parameters:
    ///   - position: the id after which the batch begins.
    ///   - end: greater than the id of each line of the batch.
    /// - Returns: nil if there are no such lines.
    package func batch(after position: String, before end: String) async throws -> Batch? {
        let lines = try await database.read { [app] connection in
            try connection.rows(
                """
                SELECT \(AuditLog.Stored.columns) FROM audit_entry
                WHERE app_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4
                """, [.text(app.rawValue), .text(position), .text(end), .integer(Int64(Self.most))]
            ).map { Line(try AuditLog.Stored($0)) }
        }
        guard let last = lines.last else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Batch(text: try lines.flatMap { try encoder.encode($0) + [UInt8(ascii: "\n")] }, last: last.id)
    }

    private struct Line: Encodable {
        let action: String
        let at: String
        let id: String
        let member: String?
        let network: String?
        let subject: String

        init(_ stored: AuditLog.Stored) {
            let entry = stored.entry
            (action, at, id) = (entry.action, Self.time(entry.atMs), stored.id)
            (member, network, subject) = (entry.member, entry.network, entry.subject)
        }

        /// In RFC 3339, UTC, always with milliseconds: texts of one length sort by time.
        private static func time(_ milliseconds: Int64) -> String {
            let text = Instant(milliseconds: milliseconds).description
            return text.contains(".") ? text : text.dropLast() + ".000Z"
        }
    }
}
