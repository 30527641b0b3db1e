// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

/// The disk is full although it was judged to have room: another process filled it since, or the store has a quota.
@Suite("A store whose disk is full", .timeLimit(.minutes(1)))
struct FullDiskTests {
    @Test(
        "refuses writes for a while, keeps reading, loses no confirmed write, and recovers once there is room",
        .enabled(if: OwnDisk.isAvailable, "a file system of one's own may not be mounted here"))
    func full() async throws {
        let disk = try OwnDisk(megabytes: 48)
        let store = try FullStore(in: disk.path)
        try await store.prepare()

        // The room ends in the middle of a page, of a commit, of the log's way into the database.
        for room in [0, 4_096, 12_288, 40_960, 200_000, 1_000_000, 4_200_000, 0] {
            try disk.fill(leaving: room)
            try await store.fail(times: 5, "with \(room) bytes of room")
            #expect(store.database.writeCounts.isFailing)
            try disk.empty()
            try await store.succeed(times: 40)
            #expect(!store.database.writeCounts.isFailing)
        }

        #expect(store.database.writeCounts.endedGroups >= 8)
        // More than the log takes, so that it was written into the database and begun anew.
        try await store.succeed(times: 1_200)
        #expect(try await store.ids() == store.confirmed)
        try await store.database.close()
        let again = try FullStore(in: disk.path)
        #expect(try await again.ids() == store.confirmed)
        #expect(try await again.check() == "ok")
        try await again.database.close()
    }

    @Test("does the same if SQLite itself limits the file's size, which needs no separate file system")
    func pages() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "landfall-full-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try FullStore(in: directory.path)
        try await store.prepare()
        // SQLite's own limit of the file: it answers as for a full disk.
        func limit(to pages: Int) async throws {
            _ = try await store.database.write { try $0.rows("PRAGMA max_page_count = \(pages)") }
        }

        try await limit(to: 60)
        try await store.fail(times: 5, "at the limit of pages")
        try await limit(to: 1_000_000)
        try await store.succeed(times: 20)

        #expect(try await store.ids() == store.confirmed)
        #expect(try await store.check() == "ok")
        try await store.database.close()
    }
}

/// A store, and its confirmed writes.
private final class FullStore {
    let database: SQLiteDatabase
    private(set) var confirmed: [Int64] = []
    private var last: Int64 = 0

    init(in directory: String) throws {
        database = try SQLiteDatabase(path: directory + "/landfall.sqlite", freeDiskShare: { 0.06 })
    }

    func prepare() async throws {
        try await database.migrate([
            Migration(
                id: "2026-11-22 notes: create", ["CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, bytes BYTEA)"])
        ])
        try await succeed(times: 10)
    }

    func succeed(times: Int) async throws {
        for _ in 0..<times { try await write() }
    }

    /// Writes until that many writes in a row found no room. Reading goes on.
    func fail(times: Int, _ comment: Comment) async throws {
        var failures = 0
        for _ in 0..<2_000 where failures < times {
            do {
                try await write()
                failures = 0
            } catch DatabaseError.retry {
                failures += 1
            }
        }
        #expect(failures == times, comment)
        #expect(try await ids() == confirmed, comment)
    }

    /// 6 KB, so that the file grows with each.
    private func write() async throws {
        last += 1
        let id = last
        let statement = Statement(
            "INSERT INTO note (id, bytes) VALUES ($1, $2)", [.integer(id), .blob([UInt8](repeating: 7, count: 6_000))])
        _ = try await database.write { try $0.run(statement) }
        confirmed.append(id)
    }

    func ids() async throws -> [Int64] {
        try await database.read { try $0.rows("SELECT id FROM note ORDER BY id").map { try $0.integer("id") } }
    }

    func check() async throws -> String? {
        try await database.read { try $0.row("PRAGMA integrity_check")?.text("integrity_check") }
    }
}
