// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
import LandfallWire

/// When each key was last used, as far as nodes have written it down: a row for each key that was ever used.
package struct KeyUseStore: Sendable {
    package let database: any Database
    package let app: AppID

    package init(database: any Database, app: AppID) {
        (self.database, self.app) = (database, app)
    }

    /// When these keys were last used; keys that were never used are left out.
    package func lastUses(of keys: [KeyID]) async throws -> [KeyID: Int64] {
        try await database.read { [app] connection in
            try keys.reduce(into: [:]) { uses, key in
                uses[key] = try connection.row(
                    "SELECT last_used_ms FROM key_use WHERE app_id = $1 AND key_id = $2", [.text(app.rawValue), .text(key.text)]
                )?.integer("last_used_ms")
            }
        }
    }

    /// An older time changes nothing: another node may have seen the key later.
    func write(_ uses: [KeyID: Int64]) async throws {
        let statements = uses.sorted { $0.key.text < $1.key.text }.map { key, atMs in
            Statement(
                """
                INSERT INTO key_use (app_id, key_id, last_used_ms) VALUES ($1, $2, $3)
                ON CONFLICT (app_id, key_id) DO UPDATE SET last_used_ms = excluded.last_used_ms
                WHERE key_use.last_used_ms < excluded.last_used_ms
                """, [.text(app.rawValue), .text(key.text), .integer(atMs)])
        }
        guard !statements.isEmpty else { return }
        try await database.write(.bulk, locking: []) { connection in
            for statement in statements { try connection.run(statement) }
        }
    }
}
