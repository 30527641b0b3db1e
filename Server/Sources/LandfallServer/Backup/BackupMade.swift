// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

/// When the store was last copied. The store itself knows it, so that every node and a later start know it too.
package struct BackupMade: Hashable, Sendable {
    package let atMs: Int64
    package let bytes: Int64
    /// Where it was written; nil if that is not known.
    package var file: String?

    package static let created = Migration(
        id: "2026-11-28 backups: create backup_made",
        [
            """
            CREATE TABLE backup_made (
              name  TEXT   NOT NULL,  -- 'last'
              at_ms BIGINT NOT NULL,
              bytes BIGINT NOT NULL,
              file  TEXT,
              PRIMARY KEY (name)
            )
            """
        ])

    package static func last(_ connection: any ReadConnection) throws -> BackupMade? {
        try connection.row("SELECT at_ms, bytes, file FROM backup_made WHERE name = $1", [.text("last")]).map {
            BackupMade(atMs: try $0.integer("at_ms"), bytes: try $0.integer("bytes"), file: $0.optionalText("file"))
        }
    }

    package init(atMs: Int64, bytes: Int64, file: String? = nil) { (self.atMs, self.bytes, self.file) = (atMs, bytes, file) }

    package func store(_ connection: any WriteConnection) throws {
        try connection.run(
            """
            INSERT INTO backup_made (name, at_ms, bytes, file) VALUES ($1, $2, $3, $4)
            ON CONFLICT (name) DO UPDATE SET at_ms = excluded.at_ms, bytes = excluded.bytes, file = excluded.file
            """, [.text("last"), .integer(atMs), .integer(bytes), .text(file)])
    }
}
