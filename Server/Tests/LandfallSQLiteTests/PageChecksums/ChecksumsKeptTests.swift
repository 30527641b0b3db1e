// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Checksums are right after", .timeLimit(.minutes(2)))
struct ChecksumsKeptTests {
    @Test("VACUUM, deletions and a kill without a checkpoint")
    func lives() async throws {
        let store = try await TemporaryStore(pageSize: 1_024)
        try await store.fill(200)
        try await store.run("DELETE FROM note WHERE id % 3 = 0")
        try await store.database.writer.betweenGroups { try $0.run("VACUUM"); return }
        try await store.fill(50)
        let rows = try StoredPages.rows(store.path), path = try store.killed()

        let again = try SQLiteDatabase(path: path, freeDiskShare: { 1 })
        let damages = try await again.damages(whole: true), pages = try await again.conditions()
        try await again.close()

        #expect(damages == [] && pages.map(\.message) == ["Each page has a checksum, which is compared when it is read."])
        #expect(try StoredPages.rows(path) == rows)
        #expect(try StoredPages(path).differing == [])
        try await store.database.close()
        #expect(try StoredPages(store.path).differing == [])
    }

    @Test("reads beside writes that move the log")
    func beside() async throws {
        let store = try await TemporaryStore(pageSize: 512)
        try await store.database.writer.betweenGroups { try $0.run("PRAGMA wal_autocheckpoint = 3"); return }
        try await store.fill()

        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for _ in 0..<30 { try await store.fill() } }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<60 { _ = try await store.database.read { try $0.rows("SELECT id, text, bytes FROM note ORDER BY text") } }
                }
            }
            try await group.waitForAll()
        }

        #expect(store.database.metDamage == nil)
        try await store.database.close()
        #expect(try StoredPages(store.path).differing == [])
    }

    @Test("a backup, a restore and a stream")
    func copies() async throws {
        let files = try await StreamedFiles(["CREATE TABLE store (store_id TEXT)"]), store = files.store
        try await store.fill(400)
        try files.send(await files.log.next())
        let backup = store.directory.appending(path: "backup.sqlite").path, folder = StoreFolder(store.directory.appending(path: "restored").path)
        _ = try await store.database.copy(to: backup, isReplacing: false) { _, _ in }
        let (_, streamed) = try await files.restored()
        for file in [backup, streamed] {
            _ = try folder.restore(from: file, keepingAs: "landfall.replaced-\(UUID().uuidString)", progress: { _, _ in }) { _, _, _ in }

            #expect(try StoredPages(file).differing == [])
            #expect(try StoredPages(folder.database).differing == [])
            #expect(try StoredPages.rows(folder.database) == StoredPages.rows(store.path))
        }
    }

    @Test("a file that a session fills, in an order that SQLite chooses, with pages that were free again")
    func filled() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-filled-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "backup.sqlite").path

        _ = try BackupFile.make(at: path, isReplacing: false) { session in
            try session.write { connection in
                for name in ["note", "gone"] { try connection.run(Statement("CREATE TABLE \(name) (id INTEGER PRIMARY KEY, text TEXT, bytes BYTEA)", [])) }
                for name in ["gone", "note"] {
                    try connection.run(
                        Statement(
                            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO \(name) SELECT i, 'a', randomblob(900) FROM n", []))
                }
                try connection.run("DROP TABLE gone")
            }
        }

        #expect(try StoredPages(path).hasChecksums)
        #expect(try StoredPages(path).differing == [])
        #expect(try BackupFile(path).check())
    }
}

@Suite("A store without checksums", .timeLimit(.minutes(2)))
struct BareStoreTests {
    @Test("works as before, its copies have none, and a restore gives them to it")
    func older() async throws {
        let store = try await TemporaryStore(hasChecksums: false), folder = StoreFolder(store.directory.path)
        try await store.run("CREATE TABLE store (store_id TEXT)")
        try await store.fill(3_000)
        let rows = try StoredPages.rows(store.path), backup = store.directory.appending(path: "backup.sqlite").path
        let pages = try await store.database.conditions().first
        _ = try await store.database.copy(to: backup, isReplacing: false) { _, _ in }
        try await store.database.close()
        #expect(try !StoredPages(store.path).hasChecksums)
        #expect(try !StoredPages(backup).hasChecksums)
        #expect(try OtherProgram(store.path).text("PRAGMA integrity_check") == "ok")
        #expect(pages?.check == "pages" && pages?.remedy == nil && pages?.message.contains("landfall restore") == true)

        _ = try folder.restore(from: backup, keepingAs: "landfall.replaced", progress: { _, _ in }) { new, applied, _ in
            #expect(applied.count == 1)
            try new.run(insert(-1))
        }

        #expect(try StoredPages(store.path).hasChecksums)
        #expect(try StoredPages(store.path).differing == [])
        #expect(try StoredPages.rows(store.path) == ["-1  "] + rows)
    }

    @Test("is one also if it is streamed")
    func streamed() async throws {
        let store = try await TemporaryStore(hasChecksums: false), copy = store.directory.appending(path: "copy.sqlite").path
        let log = try await store.database.followLog()
        _ = try await log.nextWithSnapshot().snapshot.copy(to: copy)
        try await store.fill()
        let segment = try #require(try await log.next()).segment(0, generation: "g", number: 1, atMs: 1)

        _ = try await StreamedStore(copy).append(of: "g", after: 0, newest: 1) { $0 == 1 ? segment : nil }

        #expect(try !StoredPages(copy).hasChecksums)
        #expect(try TemporaryStore.contents(of: copy) == TemporaryStore.contents(of: store.path))
        await log.end()
    }
}

@Suite("Another program", .timeLimit(.minutes(1)))
struct OtherProgramTests {
    @Test("that only looks at a killed server's store moves the log without checksums: the store is whole, and the next writes give them")
    func looking() async throws {
        let store = try await TemporaryStore()
        try await store.fill()
        let rows = try StoredPages.rows(store.path), path = try store.killed()
        #expect(try OtherProgram(path).text("SELECT COUNT(*) FROM note") == "40")
        #expect(try !StoredPages(path).differing.isEmpty)

        let database = try SQLiteDatabase(path: path, freeDiskShare: { 1 })
        let damages = try await database.damages(whole: true), pages = try await database.conditions().first?.message
        #expect(damages == [] && pages?.contains("Another program") == true)
        #expect(try StoredPages.rows(path) == rows)
        try await database.writer.betweenGroups { try $0.run("VACUUM"); return }
        try await database.close()

        #expect(try StoredPages(path).differing == [])
        try await store.database.close()
    }

    @Test("that changes a stopped server's store makes pages that are taken for damaged")
    func changing() async throws {
        let store = try await TemporaryStore()
        try await store.fill()
        try await store.database.close()
        try OtherProgram(store.path).run("UPDATE note SET text = 'other' WHERE id = 3")

        let error = #expect(throws: DatabaseError.self) { try SQLiteDatabase(path: store.path) }

        guard case .damaged(let text) = error else { return #expect(Bool(false), "got \(String(describing: error))") }
        #expect(text.contains("differs from its checksum"))
    }

    @Test("that changes a store and leaves the change in the log is believed")
    func leaving() async throws {
        let store = try await TemporaryStore()
        try await store.fill()
        try await store.database.close()
        do {
            // Who only reads cannot move the log when it is the last to end.
            let last = try SQLiteConnection(store.path, .reading)
            _ = try last.rows("SELECT id FROM note")
            try OtherProgram(store.path).run("UPDATE note SET text = 'other' WHERE id = 3")
        }

        let database = try SQLiteDatabase(path: store.path, freeDiskShare: { 1 })
        let text = try await database.read { try $0.row("SELECT text FROM note WHERE id = 3")?.text("text") }
        try await database.close()

        #expect(text == "other")
        #expect(try StoredPages(store.path).differing == [])
    }
}
