// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("A copy of a store", .timeLimit(.minutes(2)))
struct StoreCopyTests {
    private func copied(_ path: String) throws -> SQLiteConnection { try SQLiteConnection(path, .reading) }

    @Test("is a snapshot of a store in use, and delays no write")
    func online() async throws {
        let store = try await TemporaryStore()
        try await store.database.write { connection in
            for id in 1...20_000 as ClosedRange<Int64> {
                try connection.run("INSERT INTO note (id, text, weight) VALUES ($1, $2, 0)", [.integer(id), .text(String(repeating: "x", count: 400))])
            }
        }
        let path = store.directory.appending(path: "copy.sqlite").path
        let writing = Task { [database = store.database] in
            var count: Int64 = 0
            while !Task.isCancelled {
                let next = 100_000 + 2 * count
                // Two rows and a sum: they agree in every snapshot. The last write is withdrawn if it has not begun.
                do {
                    try await database.write { connection in
                        for id in [next, next + 1] { try connection.run("INSERT INTO note (id) VALUES ($1)", [.integer(id)]) }
                        try connection.run("UPDATE note SET weight = weight + 2 WHERE id = 1")
                    }
                    count += 1
                } catch is CancellationError {}
            }
            return count
        }
        defer { writing.cancel() }
        while store.database.writeCounts.commits < 20 { await Task.yield() }
        let commits = store.database.writeCounts.commits

        // On a busy machine the writer may not get its turn during one copy.
        var (bytes, during, copies): (Int64, Int, Int) = (0, 0, 0)
        while during == 0, copies < 50 {
            bytes = Int64(try await store.database.copy(to: path, isReplacing: copies > 0) { _, _ in })
            during = Int(store.database.writeCounts.commits - commits)
            copies += 1
        }

        writing.cancel()
        let written = try await writing.value
        let copy = try copied(path)
        let new = try copy.row("SELECT COUNT(*) AS count FROM note WHERE id >= 100000")?.integer("count") ?? -1
        #expect(try copy.row("SELECT weight FROM note WHERE id = 1")?.real("weight") == Double(new))
        #expect(new % 2 == 0)
        #expect(during > 0 && new < 2 * written, "Nothing was written meanwhile: \(during), \(new), \(written)")
        #expect(try copy.row("PRAGMA integrity_check")?.text(0) == "ok")
        #expect(bytes > 8_000_000)
    }

    @Test("is one file for this user only, needs no log, and leaves nothing else")
    func file() async throws {
        let store = try await TemporaryStore()
        let folder = store.directory.appending(path: "copies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "a.sqlite").path

        _ = try await store.database.copy(to: path, isReplacing: false) { _, _ in }

        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.sqlite"])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try copied(path).row("PRAGMA journal_mode")?.text(0) == "delete")
    }

    @Test("replaces a file only if the caller asks for it")
    func taken() async throws {
        let store = try await TemporaryStore()
        let path = store.directory.appending(path: "copy.sqlite").path
        try Data("mine".utf8).write(to: URL(filePath: path))

        await #expect(throws: StoreCopyError.fileExists(path)) {
            _ = try await store.database.copy(to: path, isReplacing: false) { _, _ in }
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        _ = try await store.database.copy(to: path, isReplacing: true) { _, _ in }
        #expect(try copied(path).row("PRAGMA integrity_check")?.text(0) == "ok")
    }

    @Test("that is cancelled, or finds no room, leaves no file")
    func ended() async throws {
        let store = try await TemporaryStore()
        let folder = store.directory.appending(path: "copies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let task = Task { [database = store.database] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await database.copy(to: folder.appending(path: "a.sqlite").path, isReplacing: false) { _, _ in }
        }

        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: StoreCopyError.self) {
            _ = try await store.database.copy(to: folder.path + "/nowhere/a.sqlite", isReplacing: false) { _, _ in }
        }

        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("is not stopped by what a killed copy has left, and removes it once no other copy writes there")
    func leftover() async throws {
        let store = try await TemporaryStore()
        let folder = store.directory.appending(path: "copies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
        let path = folder.appending(path: "a.sqlite").path
        let begun = AsyncStream<Void>.makeStream(), gate = DispatchSemaphore(value: 0)
        let writing = Task { [database = store.database] in
            try await database.copy(to: path, isReplacing: true) { _, _ in
                begun.continuation.finish()
                gate.wait()
                gate.signal()
            }
        }
        defer { gate.signal() }
        for await _ in begun.stream {}
        let underWay = try names()
        let left = ["a.sqlite.\(getpid()).partial", "a.sqlite.landfall-1x.partial", "a.sqlite.landfall-1x.partial-journal", "b.sqlite.landfall-1x.partial"]
        let others = ["a.sqlite.b.1x.partial", "a.sqlite.download.partial", "a.sqlite.mine", "b.sqlite.1.partial", "landfall-1x.partial"]
        for name in left + others { try Data("x".utf8).write(to: folder.appending(path: name)) }

        _ = try await store.database.copy(to: path, isReplacing: true) { _, _ in }
        let beside = try names()
        gate.signal()
        _ = try await writing.value
        _ = try await store.database.copy(to: path, isReplacing: true) { _, _ in }

        #expect(underWay.filter { $0.hasSuffix(".partial") }.count == 1)
        #expect(beside == (underWay + left + others + ["a.sqlite"]).sorted())
        #expect(try names() == (others + ["a.sqlite"]).sorted())
        #expect(try copied(path).row("PRAGMA integrity_check")?.text(0) == "ok")
    }

    @Test("whose restore was killed is not begun anew as an empty one, and a second restore goes through")
    func killed() async throws {
        let store = try await TemporaryStore(), folder = StoreFolder(store.directory.appending(path: "restored").path)
        _ = try await store.database.write { try $0.run("CREATE TABLE store (store_id TEXT)") }
        let path = store.directory.appending(path: "copy.sqlite").path
        _ = try await store.database.copy(to: path, isReplacing: false) { _, _ in }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: URL(filePath: folder.restoring))

        func restore(_ file: String, preparing: () throws -> Void = {}) throws {
            _ = try folder.restore(from: file, keepingAs: "landfall.replaced", progress: { _, _ in }) { _, _, _ in try preparing() }
        }

        #expect(throws: DatabaseError.halfRestored(folder: folder.path)) { try SQLiteDatabase(path: folder.database) }
        #expect(throws: StoreCopyError.self) { try restore(folder.path + "/nowhere.sqlite") }
        #expect(throws: CancellationError.self) { try restore(path) { throw CancellationError() } }
        // Neither by a restore that failed.
        #expect(throws: DatabaseError.halfRestored(folder: folder.path)) { try SQLiteDatabase(path: folder.database) }
        #expect(!FileManager.default.fileExists(atPath: folder.database))
        try restore(path)

        try await SQLiteDatabase(path: folder.database).close()
    }

    @Test("replaces a folder's store, which is kept; a store in use and a file that is not a store are refused")
    func restored() async throws {
        let store = try await TemporaryStore()
        _ = try await store.database.write { try $0.run("CREATE TABLE store (store_id TEXT)") }
        _ = try await store.database.write { try $0.run(insert(1)) }
        let path = store.directory.appending(path: "copy.sqlite").path
        _ = try await store.database.copy(to: path, isReplacing: false) { _, _ in }
        _ = try await store.database.write { try $0.run(insert(2)) }
        let folder = StoreFolder(store.directory.path)
        func restore(_ file: String) throws -> StoreFolder.Restored {
            try folder.restore(from: file, keepingAs: "landfall.replaced", progress: { _, _ in }) { new, applied, old in
                #expect(applied.filter { $0 != .pageChecksums }.count == 1)
                #expect(try old?.rows("SELECT id FROM note").count == 2)
                try new.run(insert(7))
            }
        }

        #expect(throws: DatabaseError.self) { try restore(path) }
        try await store.database.close()
        #expect(throws: StoreCopyError.self) { try restore(folder.path + "/nowhere.sqlite") }
        try Data("no store".utf8).write(to: URL(filePath: folder.path + "/text"))
        #expect(throws: StoreCopyError.self) { try restore(folder.path + "/text") }
        let restored = try restore(path)

        #expect(restored.replaced == folder.path + "/landfall.replaced")
        func ids(_ path: String) throws -> [Int64] { try copied(path).rows("SELECT id FROM note ORDER BY id").map { try $0.integer("id") } }
        #expect(try ids(folder.database) == [1, 7])
        #expect(try ids(folder.path + "/landfall.replaced/landfall.sqlite") == [1, 2])
        #expect(try ids(path) == [1])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/landfall.restoring"))
        #expect(try FileManager.default.attributesOfItem(atPath: folder.database)[.posixPermissions] as? Int == 0o600)
    }
}
