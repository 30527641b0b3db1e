// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Checking for damage", .timeLimit(.minutes(1)))
struct StoreExaminationTests {
    private static let page = 4096

    /// A closed store with a table and an index over its texts, and the pages where both begin.
    private func store() async throws -> (store: TemporaryStore, table: Int, index: Int) {
        let store = try await TemporaryStore()
        let roots = try await store.database.write { connection in
            try connection.run("CREATE INDEX note_text ON note (text)")
            for id in 1...20 {
                try connection.run("INSERT INTO note (id, text) VALUES ($1, $2)", [.integer(Int64(id)), .text("note \(id)")])
            }
            return try ["note", "note_text"].map { name in
                Int(try connection.row("SELECT rootpage FROM sqlite_master WHERE name = $1", [.text(name)])?.integer("rootpage") ?? 0)
            }
        }
        try await store.database.close()
        return (store, roots[0], roots[1])
    }

    private func change(_ path: String, page: Int, _ body: (inout Data) -> Void) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64((page - 1) * Self.page))
        var bytes = try file.read(upToCount: Self.page) ?? Data()
        body(&bytes)
        // As if SQLite itself had written it so.
        var stamped = [UInt8](bytes)
        StorePages.stamp(&stamped, number: UInt32(page))
        bytes = Data(stamped)
        try file.seek(toOffset: UInt64((page - 1) * Self.page))
        try file.write(contentsOf: bytes)
    }

    @Test("A sound store has no damage in the quick and in the whole check")
    func sound() async throws {
        let (store, _, _) = try await store()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it

        let database = try SQLiteDatabase(path: store.path)

        #expect(try await database.damages(whole: false) == [])
        #expect(try await database.damages(whole: true) == [])
        #expect(database.metDamage == nil)
        try await database.close()
    }

    @Test("A page that SQLite did not write keeps a store from being opened")
    func opening() async throws {
        let (store, table, _) = try await store()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        try change(store.path, page: table) { $0 = Data(count: Self.page) }

        let error = #expect(throws: DatabaseError.self) { try SQLiteDatabase(path: store.path) }

        guard case .damaged = error else { return #expect(Bool(false), "got \(String(describing: error))") }
    }

    @Test("The whole check finds an index that differs from its table, and that is remembered")
    func index() async throws {
        let (store, _, index) = try await store()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        try change(store.path, page: index) { bytes in
            let place = bytes.range(of: Data("note 7".utf8))
            bytes.replaceSubrange(place!, with: Data("note 9".utf8))
        }

        let database = try SQLiteDatabase(path: store.path)
        let damages = try await database.damages(whole: true)

        #expect(!damages.isEmpty)
        #expect(database.metDamage == damages.first)
        try await database.close()
    }

    @Test("A session finds an index that differs from its table, which no check at the opening sees")
    func session() async throws {
        let (store, _, index) = try await store()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        try SQLiteSession(reading: store.path).examine()
        try change(store.path, page: index) { bytes in
            let place = bytes.range(of: Data("note 7".utf8))
            bytes.replaceSubrange(place!, with: Data("note 9".utf8))
        }

        let error = #expect(throws: DatabaseError.self) { try SQLiteSession(reading: store.path).examine() }

        guard case .damaged = error else { return #expect(Bool(false), "got \(String(describing: error))") }
    }

    @Test("Damage that a read meets is thrown and remembered; later good reads do not clear it")
    func met() async throws {
        let (store, table, _) = try await store()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        let database = try SQLiteDatabase(path: store.path, examines: false)
        try change(store.path, page: table) { $0 = Data(count: Self.page) }

        let error = await #expect(throws: DatabaseError.self) {
            try await database.read { try $0.rows("SELECT id, weight FROM note") }
        }
        _ = try await database.read { try $0.rows("SELECT name FROM sqlite_master") }

        guard case .damaged = error else { return #expect(Bool(false), "got \(String(describing: error))") }
        #expect(database.metDamage != nil)
        try await database.close()
    }

    @Test("Damage that a write meets is remembered too")
    func metByWrite() async throws {
        let (store, table, _) = try await store()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        let database = try SQLiteDatabase(path: store.path, examines: false)
        try change(store.path, page: table) { $0 = Data(count: Self.page) }

        let error = await #expect(throws: DatabaseError.self) { try await database.write { try $0.run(insert(99)) } }

        guard case .damaged = error else { return #expect(Bool(false), "got \(String(describing: error))") }
        #expect(database.metDamage != nil)
        try await database.close()
    }

    @Test("A store that is too large for the time limit is opened; unread parts count as sound")
    func timeLimit() async throws {
        let (store, _, _) = try await store()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        let database = try SQLiteDatabase(path: store.path)
        _ = try await database.write { connection in
            try connection.run("CREATE TABLE large (id INTEGER PRIMARY KEY, bytes BYTEA)")
            for id in 0..<400 {
                try connection.run(
                    "INSERT INTO large VALUES ($1, $2)", [.integer(Int64(id)), .blob([UInt8](repeating: 7, count: 100_000))])
            }
        }
        try await database.close()
        let begun = ContinuousClock.now

        let again = try SQLiteDatabase(path: store.path)

        #expect(begun.duration(to: .now) < .seconds(5))
        #expect(again.metDamage == nil)
        try await again.close()
    }
}
