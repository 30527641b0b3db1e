// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Frames of the log", .timeLimit(.minutes(2)))
struct LogFrameTests {
    @Test("are compared when their page is read: a flipped bit is refused, also where pages have no checksums", arguments: [true, false])
    func flipped(hasChecksums: Bool) async throws {
        let store = try await TemporaryStore(hasChecksums: hasChecksums)
        try await store.fill()
        let rows = try StoredPages.rows(store.path), log = try FileHandle(forUpdating: URL(filePath: store.path + "-wal"))
        let length = Int(try log.seekToEnd())
        var random = Seeded(state: 3), refused = 0
        for _ in 0..<300 {
            let place = UInt64(Int.random(in: LogHeader.length..<length, using: &random)), bit = UInt8.random(in: 0..<8, using: &random)
            try log.seek(toOffset: place)
            let byte = try #require(try log.read(upToCount: 1)?.first)
            try log.seek(toOffset: place)
            try log.write(contentsOf: Data([byte ^ 1 << bit]))

            let found = try? StoredPages.rows(store.path)

            #expect(found == nil || found == rows, "bit \(bit) of byte \(place)")
            if found == nil { refused += 1 }
            try log.seek(toOffset: place)
            try log.write(contentsOf: Data([byte]))
        }
        // A frame whose page was written again is not read, nor is the one of the schema after it was read.
        #expect(refused > 50)
        #expect(try StoredPages.rows(store.path) == rows)
        try await store.database.close()
    }

    @Test("with a flipped bit are not moved into the store's file, and what was there stays")
    func checkpoint() async throws {
        let store = try await TemporaryStore()
        try await store.fill()
        let connection = try SQLiteConnection(store.path, .readingAndWriting), path = store.path + "-wal", length = LogFrame.headerLength + 4_096
        let log = try FileHandle(forUpdating: URL(filePath: path)), last = (Int(try log.seekToEnd()) - LogHeader.length) / length
        let place = UInt64(LogHeader.length + last * length - 1_000)
        try log.seek(toOffset: place)
        let byte = try #require(try log.read(upToCount: 1)?.first)
        try log.seek(toOffset: place)
        try log.write(contentsOf: Data([byte ^ 4]))

        let error = #expect(throws: DatabaseError.self) { try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)") }

        #expect(error?.description.contains("frame \(last) of the write-ahead log differs") == true, "\(String(describing: error))")
        try log.seek(toOffset: place)
        try log.write(contentsOf: Data([byte]))
        _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try StoredPages(store.path).differing == [])
        try await store.database.close()
    }

    @Test("of a transaction that needs more memory than it may take are read by it, through savepoints", arguments: 1...6 as ClosedRange<UInt64>)
    func spilled(seed: UInt64) async throws {
        let store = try await TemporaryStore(pageSize: 512)
        try await store.fill()
        let connection = try SQLiteConnection(store.path, .readingAndWriting)
        try connection.run("PRAGMA cache_size = 5")
        var random = Seeded(state: seed)
        for _ in 0..<10 {
            do {
                try connection.run("BEGIN IMMEDIATE")
                for _ in 0..<6 {
                    try connection.run("SAVEPOINT part")
                    let most = Int.random(in: 1...300, using: &random)
                    try connection.run(
                        Statement(
                            """
                            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(most))
                            INSERT OR REPLACE INTO note (id, text, bytes) SELECT i * 7 % 401, hex(randomblob(8)), randomblob(i * 9) FROM n
                            """, []))
                    try connection.run(Statement("UPDATE note SET weight = \(most) WHERE id % 3 = \(most % 3)", []))
                    if Bool.random(using: &random) { try connection.run("ROLLBACK TO SAVEPOINT part") }
                    try connection.run("RELEASE SAVEPOINT part")
                }
                try connection.run("COMMIT")
            } catch DatabaseError.retry {
                // A frame that SQLite would have left without a checksum: the transaction is undone.
                _ = try? connection.run("ROLLBACK")
            }
            #expect(try connection.row("PRAGMA integrity_check")?.text(0) == "ok")
            #expect(try StoredPages.rows(store.killed()) == StoredPages.rows(store.path), "what is committed is there after a kill")
        }
        try await store.database.close()
    }

    @Test("that SQLite would commit without a checksum are refused: no commit is lost by a kill")
    func unsummed() async throws {
        let store = try await TemporaryStore()
        let connection = try SQLiteConnection(store.path, .readingAndWriting)
        try connection.run("CREATE INDEX note_weight ON note (weight)")
        try connection.run("PRAGMA cache_size = 5")
        _ = try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        func insert(_ count: Int) -> Statement {
            Statement(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO note (id, weight, bytes) SELECT i, random(), zeroblob(200) FROM n
                """, [])
        }
        do {
            try connection.run("BEGIN IMMEDIATE")
            try connection.run("SAVEPOINT unit")
            try connection.run(insert(5_000))
            try connection.run("ROLLBACK TO SAVEPOINT unit")
            try connection.run("RELEASE SAVEPOINT unit")
            try connection.run(insert(10))
            try connection.run("COMMIT")
        } catch DatabaseError.retry {
            _ = try? connection.run("ROLLBACK")
        }

        let after = try StoredPages.rows(store.killed()).count

        // Either all of them, from an SQLite that writes the checksums, or none.
        #expect(try StoredPages.rows(store.path).count == after)
        try await store.database.close()
    }
}
