// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// Which store the server serves from. Made once, when the store is empty.
struct StoreMark: Hashable, Sendable {
    let id: String
    /// Unix milliseconds at creation. A store that replaces another is younger, so its epoch wins on every phone.
    let epoch: Int64

    /// Reads the mark, or makes it in an empty store. After `migrate`, before anything else.
    static func load(from database: any Database, nowMs: Int64) async throws -> StoreMark {
        let newID = UUIDv7.make(nowMs: nowMs)
        return try await database.write { connection in
            try connection.run(
                "INSERT INTO store (name, store_id, epoch) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                [.text("self"), .text(newID), .integer(nowMs)]
            )
            let row = try connection.row("SELECT store_id, epoch FROM store WHERE name = $1", [.text("self")])
            guard let row else { throw DatabaseError.failed("the store has no mark") }
            return StoreMark(id: try row.text("store_id"), epoch: try row.integer("epoch"))
        }
    }

    /// As much as a first open with everything in it, so that what still fits into the last pages is not taken for room.
    private static let roomLength = 64 * 1024

    /// Succeeds only where there is room for a write: makes one, and another that takes it back. In one unit what is taken back
    /// would not be written at all.
    static func tryRoom(in database: any Database) async throws {
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
