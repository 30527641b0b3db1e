// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("A followed log", .timeLimit(.minutes(2)))
struct FollowedLogTests {
    @Test("A restore at any segment has what was committed up to it, through restarts of the log, readers, roll-backs and VACUUM", arguments: 1...8 as ClosedRange<UInt64>)
    func anyMoment(seed: UInt64) async throws {
        var random = Seeded(state: seed)
        let files = try await StreamedFiles(pageSize: [512, 1_024, 4_096, 65_536][Int(seed % 4)]), store = files.store, writer = store.database.writer
        var known: [Int64: [String]] = [0: try TemporaryStore.contents(of: store.path)], reader: SQLiteConnection?
        func write(_ most: Int) async throws {
            for _ in 0..<Int.random(in: 0...most, using: &random) {
                let id = Int.random(in: 1...200, using: &random), size = Int.random(in: 1...5_000, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: try await store.run("DELETE FROM note WHERE id < \(id / 2)")
                case 1: try await store.run("UPDATE note SET bytes = randomblob(300) WHERE id > \(id)")
                case 2: _ = try? await store.run("INSERT INTO missing VALUES (1)")
                case 3: try await writer.betweenGroups { try $0.run("VACUUM"); return }
                default: try await store.run("INSERT OR REPLACE INTO note (id, bytes) VALUES (\(id), randomblob(\(size)))")
                }
            }
        }
        for step in 0..<24 {
            try await write(6)
            if step % 7 == 3 {
                reader = try SQLiteConnection(store.path, .reading)
                try reader?.beginSnapshot()
            }
            if step % 7 == 5 { reader = nil }
            known[try files.send(await files.log.next())] = try TemporaryStore.contents(of: store.path)
            if Bool.random(using: &random) {
                try await write(2)
                known[try files.send(await files.log.restart())] = try TemporaryStore.contents(of: store.path)
            }
        }
        withExtendedLifetime(reader) {}

        for last in [0, Int64.random(in: 0...files.newest, using: &random), files.newest] {
            let (reached, path) = try await files.restored(upTo: last), contents = try TemporaryStore.contents(of: path)
            #expect(reached.number == last && reached.ending == nil)
            #expect(known[last] == nil || known[last] == contents, "segment \(last)")
        }
        let last = try await files.restored()
        #expect(try TemporaryStore.contents(of: last.path) == TemporaryStore.contents(of: store.path))
    }

    @Test("A restored file has the bytes of the store's file, but for the two that say whether there is a log and their page's checksum", arguments: [512, 4_096, 65_536])
    func bytes(pageSize: Int) async throws {
        let files = try await StreamedFiles(pageSize: pageSize), store = files.store
        try await store.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO note (id, bytes) SELECT i, randomblob(\(pageSize / 3)) FROM n")
        try files.send(await files.log.next())
        try await store.run("DELETE FROM note WHERE id % 3 = 0")
        try files.send(await files.log.restart())
        let (_, path) = try await files.restored()

        #expect(StoreCopy.size(of: store.path + "-wal") == 0)
        let ours = try Data(contentsOf: URL(filePath: store.path)), restored = try Data(contentsOf: URL(filePath: path)).prefix(ours.count)
        let differing = zip(ours, restored).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        #expect(restored.count == ours.count && Set(differing).isSubset(of: [18, 19] + (pageSize - 8..<pageSize)), "\(differing.prefix(20))")
    }

    @Test("A log begins anew only when all of it was given out, and never while a reader needs it")
    func restarting() async throws {
        let files = try await StreamedFiles(), store = files.store, reader = try SQLiteConnection(store.path, .reading)
        try await store.run("INSERT INTO note (id) VALUES (1)")
        try reader.beginSnapshot()
        try files.send(await files.log.restart())
        let held = StoreCopy.size(of: store.path + "-wal")
        try await store.run("INSERT INTO note (id) VALUES (2)")
        reader.endSnapshot()
        try files.send(await files.log.restart())
        let free = StoreCopy.size(of: store.path + "-wal")
        // Of an empty log there is nothing to begin anew.
        let again = try await files.log.restart()
        try await store.run("INSERT INTO note (id) VALUES (3)")
        try files.send(await files.log.next())

        #expect(held > 0 && free == 0 && again == nil)
        let restored = try await files.restored()
        #expect(try TemporaryStore.contents(of: restored.path) == TemporaryStore.contents(of: store.path))
    }

    @Test("A log that has become long begins anew although more than usual was committed since the last batch")
    func longAndBusy() async throws {
        let files = try await StreamedFiles(), store = files.store
        for id in 0..<10 { try await store.run("INSERT INTO note (id, bytes) VALUES (\(id), zeroblob(8000000))") }
        try files.send(await files.log.next())
        try await store.run("INSERT INTO note (id, bytes) VALUES (10, zeroblob(9000000))")
        let busy = files.log.unsentBytes
        try files.send(await files.log.restart())

        let log = StoreCopy.size(of: store.path + "-wal"), restored = try SQLiteConnection(try await files.restored().path, .reading)
        #expect(busy > SQLiteBatch.largestSegment && log == 0)
        #expect(try restored.rows("SELECT id FROM note WHERE LENGTH(bytes) > 0").count == 11 && restored.row("PRAGMA integrity_check")?.text(0) == "ok")
    }

    @Test("Pages are not sent if the log has begun anew while they were read")
    func overwritten() async throws {
        let files = try await StreamedFiles(), store = files.store
        try await store.run("INSERT INTO note (id) VALUES (1)")
        let batch = try #require(try await files.log.next()), log = try FileHandle(forUpdating: URL(filePath: store.path + "-wal"))
        try log.seek(toOffset: 16)
        try log.write(contentsOf: Data([1, 2, 3, 4]))

        #expect(throws: LogBroken.self) { try batch.segment(0, generation: "a", number: 1, atMs: 5) }
    }

    @Test("Commits move nothing out of a followed log; afterwards they do again")
    func owning() async throws {
        let files = try await StreamedFiles(), store = files.store
        for id in 0..<4 { try await store.run("INSERT INTO note (id, bytes) VALUES (\(id), zeroblob(2000000))") }
        let followed = StoreCopy.size(of: store.path)
        #expect(files.log.isLong && files.log.unsentBytes > 4_000_000)

        await files.log.end()
        try await store.run("INSERT INTO note (id) VALUES (9)")

        #expect(followed < 1_000_000 && StoreCopy.size(of: store.path) > 8_000_000)
    }

    @Test("A batch has the same bytes each time, and no commit twice")
    func same() async throws {
        let files = try await StreamedFiles()
        try await files.store.run("INSERT INTO note (id) VALUES (1)")
        let batch = try #require(try await files.log.next())
        try await files.store.run("INSERT INTO note (id) VALUES (2)")

        let (first, again) = (try batch.segment(0, generation: "a", number: 1, atMs: 5), try batch.segment(0, generation: "a", number: 1, atMs: 5))
        let next = try await files.log.next(), none = try await files.log.next()

        #expect(first == again && next != nil && none == nil)
    }

    @Test("Another program cannot begin the log anew, and what it commits is in the next batch")
    func another() async throws {
        let files = try await StreamedFiles(), store = files.store, other = try SQLiteConnection(store.path, .readingAndWriting)
        try await store.run("INSERT INTO note (id) VALUES (1)")
        try files.send(await files.log.next())
        try other.run("INSERT INTO note (id) VALUES (2)")
        let isDone = try other.checkpoint(.truncating).isDone
        try await store.run("INSERT INTO note (id) VALUES (3)")
        try files.send(await files.log.next())

        let restored = try await files.restored()
        #expect(!isDone)
        #expect(try TemporaryStore.contents(of: restored.path) == ["1  ", "2  ", "3  ", "ok"])
    }

    @Test("A log that does not continue what was read of it is noticed", arguments: [30, -1, LogHeader.length + 16])
    func broken(byte: Int) async throws {
        let files = try await StreamedFiles(), store = files.store, path = store.path + "-wal"
        // The copy is made, so the log may begin anew: then the first frame is the first that is read.
        _ = try await files.log.restart()
        try await store.run("INSERT INTO note (id) VALUES (1)")
        let log = try FileHandle(forUpdating: URL(filePath: path)), end = try log.seekToEnd()
        let place = byte < 0 ? end - 1 : UInt64(byte)
        try log.seek(toOffset: place)
        let old = try #require(try log.read(upToCount: 1)?.first)
        try log.seek(toOffset: place)
        try log.write(contentsOf: Data([old ^ 1]))

        await #expect(throws: LogBroken.self) { _ = try await files.log.next() }
    }

    @Test("Only one follows a store at a time")
    func once() async throws {
        let files = try await StreamedFiles()
        await #expect(throws: DatabaseError.self) { _ = try await files.store.database.followLog() }
        await files.log.end()
        let next = try await files.store.database.followLog()
        await next.end()
    }
}

/// Numbers that a seed decides.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ (mixed >> 27)
    }
}
