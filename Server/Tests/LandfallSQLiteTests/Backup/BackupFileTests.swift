// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("A backup's checksum", .timeLimit(.minutes(2)))
struct BackupFileTests {
    /// A store that can be restored, and a copy of it.
    private func copied() async throws -> (store: TemporaryStore, file: BackupFile) {
        let store = try await TemporaryStore()
        try await store.database.write { connection in
            try connection.run("CREATE TABLE store (store_id TEXT)")
            try connection.run("INSERT INTO note (id, text) VALUES (1, 'https://example.com/a')")
        }
        let path = store.directory.appending(path: "copy.sqlite").path
        let bytes = try await store.database.copy(to: path, isReplacing: false) { _, _ in }
        #expect(bytes == Int64(try Data(contentsOf: URL(filePath: path)).count))
        return (store, BackupFile(path))
    }

    private func write(_ bytes: Data, to file: BackupFile) throws { try bytes.write(to: URL(filePath: file.path)) }

    @Test("is inside the file, which stays a store that SQLite reads")
    func inside() async throws {
        let (store, file) = try await copied()

        #expect(try file.check())
        #expect(try await store.database.checkCopy(at: file.path))
        let copy = try SQLiteConnection(file.path, .reading)
        #expect(try copy.row("PRAGMA integrity_check")?.text(0) == "ok")
        #expect(try copy.row("SELECT text FROM note")?.text("text") == "https://example.com/a")
        // Reading it changed nothing.
        #expect(try file.check())
    }

    @Test("is wrong after a change of any byte, in a page, in the checksum or behind it, and after a cut")
    func changed() async throws {
        let (store, file) = try await copied()
        defer { withExtendedLifetime(store) {} }
        let good = try Data(contentsOf: URL(filePath: file.path))
        let places = [0, 30, good.count / 2, good.count - 200, good.count - 80, good.count - 70, good.count - 30, good.count - 2, good.count - 1]
        for place in places {
            var bytes = good
            bytes[place] ^= 0x20
            try write(bytes, to: file)
            #expect(throws: StoreCopyError.changed(path: file.path), "byte \(place)") { try file.check() }
        }
        for length in [good.count - 1, good.count - 50, good.count - 1_000] {
            try write(good.prefix(length), to: file)
            #expect(throws: StoreCopyError.changed(path: file.path), "cut to \(length)") { try file.check() }
        }
        try write(good + Data("x".utf8), to: file)
        #expect(throws: StoreCopyError.changed(path: file.path)) { try file.check() }
    }

    @Test("is missing in a backup of an earlier release, which is restored all the same")
    func earlier() async throws {
        let (store, file) = try await copied()
        try await store.database.close()
        try write(try Data(contentsOf: URL(filePath: file.path)).dropLast(26 + 64 + 1), to: file)

        #expect(try !file.check())
        let folder = StoreFolder(store.directory.path)
        let restored = try folder.restore(from: file.path, keepingAs: "landfall.old", progress: { _, _ in }) { _, _, _ in }
        #expect(restored.bytes > 0)
    }

    @Test("is compared before a restore changes the folder: a flipped byte in a text is refused")
    func restored() async throws {
        let (store, file) = try await copied()
        try await store.database.close()
        var bytes = try Data(contentsOf: URL(filePath: file.path))
        let text = try #require(bytes.firstRange(of: Data("example.com".utf8)))
        bytes[text.lowerBound] ^= 0x01
        try write(bytes, to: file)
        let folder = StoreFolder(store.directory.path)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()

        // SQLite itself sees no damage.
        #expect(try OtherProgram(file.path).text("PRAGMA integrity_check") == "ok")
        let error = #expect(throws: StoreCopyError.self) {
            try folder.restore(from: file.path, keepingAs: "landfall.old", progress: { _, _ in }) { _, _, _ in }
        }

        #expect(error?.description.contains("is not as it was written") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
    }
}
