// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire

/// Identifies the store that the server serves from. Made once, when the store is empty.
package struct StoreMark: Hashable, Sendable, Redacted {
    let id: String
    /// Unix milliseconds at creation. A store that replaces another has a higher epoch, which wins on every phone.
    let epoch: Int64
    /// See ``PurchaseTokens``. A store that replaces another by a copy of it keeps the key.
    let purchaseKey: [UInt8]

    /// Reads the mark, or creates it in an empty store. Call it after `migrate`, before anything else.
    package static func load(from database: any Database, nowMs: Int64) async throws -> StoreMark {
        let newID = UUIDv7.make(nowMs: nowMs), newKey = (0..<32).map { _ in UInt8.random(in: 0...255) }
        return try await database.write { connection in
            try connection.run(
                "INSERT INTO store (name, store_id, epoch, purchase_key) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
                [.text("self"), .text(newID), .integer(nowMs), .blob(newKey)]
            )
            guard let row = try connection.row(question) else { throw DatabaseError.failed("the store has no mark") }
            return try StoreMark(row)
        }
    }

    package static let question = Statement("SELECT store_id, epoch, purchase_key FROM store WHERE name = $1", [.text("self")])

    /// - Parameter row: of the answer to ``question``.
    package init(_ row: Row) throws {
        (id, epoch, purchaseKey) = (try row.text("store_id"), try row.integer("epoch"), try row.blob("purchase_key"))
    }

    /// As large as the largest first open, so that the free bytes of the last pages do not count as room.
    private static let roomLength = 64 * 1024

    /// Succeeds only if there is room for a write: makes one, and deletes it in a second transaction. Within one transaction
    /// the deleted row would not be written at all.
    package static func tryRoom(in database: any Database) async throws {
        let text = String(repeating: "room", count: roomLength / 4)
        _ = try await database.write { connection in
            try connection.run(
                "INSERT INTO store (name, store_id, epoch) VALUES ($1, $2, 0) ON CONFLICT (name) DO UPDATE SET store_id = $2",
                [.text("room"), .text(text)]
            )
        }
        _ = try await database.write { try $0.run("DELETE FROM store WHERE name = $1", [.text("room")]) }
    }
}

extension RowLock {
    /// Held by a unit that is about the store as a whole: its configuration, its members.
    package static let store = RowLock("store", ["name": .text("self")])
}
