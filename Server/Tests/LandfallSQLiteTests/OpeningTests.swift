// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Opening, reopening and closing", .timeLimit(.minutes(1)))
struct OpeningTests {
    @Test("The writer syncs every commit")
    func durable() async throws {
        let store = try await TemporaryStore()

        let settings = try await store.database.write { connection in
            (try connection.row("PRAGMA synchronous"), try connection.row("PRAGMA journal_mode"))
        }

        #expect(settings.0?.values == [.integer(2)])
        #expect(settings.1?.values == [.text("wal")])
    }

    @Test(
        "A store whose commits would not be synced is not served",
        arguments: [
            (0, "wal"), (1, "wal"), (nil, "wal"), (2, "delete"), (2, nil),
        ] as [(Int?, String?)])
    func notDurable(synchronous: Int?, journalMode: String?) throws {
        let error = #expect(throws: DatabaseError.self) {
            try Durability.check(synchronous: synchronous, journalMode: journalMode)
        }
        guard case .notDurable = error else { return #expect(Bool(false), "got \(String(describing: error))") }
        try Durability.check(synchronous: 2, journalMode: "WAL")
    }

    @Test("Written rows are there after closing and opening again")
    func reopen() async throws {
        let store = try await TemporaryStore()
        _ = try await store.database.write { try $0.run(insert(7)) }
        try await store.database.close()

        let again = try SQLiteDatabase(path: store.path, freeDiskShare: { 1 })

        let count = try await again.read { try $0.row("SELECT id FROM note")?.integer("id") }
        #expect(count == 7)
        try await again.close()
    }

    @Test("After closing, the file alone is the whole store, even if there were readers")
    func closedFile() async throws {
        let store = try await TemporaryStore()
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        _ = try await store.database.write { try $0.run(insert(7)) }
        #expect(try await store.ids() == [7])

        try await store.database.close()

        let copy = store.directory.appending(path: "copy/landfall.sqlite")
        try FileManager.default.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: store.path, toPath: copy.path)
        let again = try SQLiteDatabase(path: copy.path)
        let ids = try await again.read { try $0.rows("SELECT id FROM note").map { try $0.integer("id") } }
        #expect(ids == [7])
        try await again.close()
    }

    @Test("Closing waits for accepted writes and refuses later ones")
    func close() async throws {
        let store = try await TemporaryStore()
        let gate = DispatchSemaphore(value: 0)
        let first = try await store.occupyWriter(until: gate)
        let second = Task { [database = store.database] in try await database.write { try $0.run(insert(1)) } }
        await store.waitForWaiting(1)

        let closing = Task { [database = store.database] in try await database.close() }
        gate.signal()
        try await closing.value

        try await first.value
        #expect(try await second.value == 1)
        await #expect(throws: DatabaseError.closed) { try await store.database.write { try $0.run(insert(2)) } }
    }

    @Test("The engine counts no memory: the count has one lock, which every allocation of every connection would take")
    func uncounted() async throws {
        let store = try await TemporaryStore()

        _ = try await store.ids()

        #expect(sqlite3_memory_used() == 0)
    }

    @Test("A path that cannot be written is reported, with advice")
    func unwritable() throws {
        let error = #expect(throws: DatabaseError.self) { try SQLiteDatabase(path: "/dev/null/data/landfall.sqlite") }
        #expect(error?.description.contains("/dev/null/data/landfall.sqlite") == true)
        #expect(error?.description.contains("Choose a directory") == true)
    }

    @Test("A nearly full disk refuses writes and still reads", arguments: [(0.0499, true), (0.05, false)])
    func diskLow(share: Double, isRefused: Bool) async throws {
        let free = Watermark(1)
        let store = try await TemporaryStore(freeDiskShare: { free.value })
        free.value = share

        let result = await Task { [database = store.database] in try await database.write { try $0.run(insert(1)) } }.result

        if isRefused {
            #expect(throws: DatabaseError.diskLow) { try result.get() }
        } else {
            #expect(try result.get() == 1)
        }
        #expect(try await store.ids() == (isRefused ? [] : [1]))
        #expect(store.database.freeDiskShare == share)
    }

    @Test("The free share of a real disk is between 0 and 1")
    func realDisk() {
        #expect((0...1).contains(FreeDisk.share(at: FileManager.default.temporaryDirectory.appending(path: "x").path)))
    }
}
