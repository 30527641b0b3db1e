// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Checking the log that an earlier process left", .timeLimit(.minutes(1)))
struct LogExaminationTests {
    private static let frame = LogFrame.headerLength + 4_096

    /// The log of a store whose process ends without closing it, after five commits; and where the last two transactions begin.
    private func log() async throws -> (folder: URL, bytes: Data, last: Int, before: Int) {
        let store = try await TemporaryStore()
        let path = store.path + "-wal"
        for id in Int64(1)...3 { try await store.database.write { _ = try $0.run(insert(id)) } }
        let before = try Data(contentsOf: URL(filePath: path)).count
        try await store.database.write { _ = try $0.run(insert(4)) }
        let last = try Data(contentsOf: URL(filePath: path)).count
        try await store.database.write { _ = try $0.run(insert(5)) }
        let bytes = try Data(contentsOf: URL(filePath: path))
        defer { withExtendedLifetime(store) {} }  // the folder goes with it
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-log-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: store.path, toPath: folder.appending(path: "landfall.sqlite").path)
        return (folder, bytes, last, before)
    }

    private func damage(_ bytes: Data, in folder: URL) throws -> String? {
        let log = folder.appending(path: "landfall.sqlite-wal")
        try bytes.write(to: log)
        return try LogExamination.damage(ofLog: log.path)
    }

    @Test("A whole log, one that ends anywhere, and one whose last transaction is torn have no damage")
    func sound() async throws {
        let (folder, bytes, last, _) = try await log()
        defer { try? FileManager.default.removeItem(at: folder) }

        #expect(try damage(bytes, in: folder) == nil)
        for end in stride(from: 0, through: bytes.count, by: 1_999) { #expect(try damage(bytes.prefix(end), in: folder) == nil, "ends at \(end)") }
        for place in stride(from: last, to: bytes.count, by: 512) {
            var torn = bytes
            torn.replaceSubrange(place..<min(place + 512, bytes.count), with: Data(count: min(512, bytes.count - place)))
            #expect(try damage(torn, in: folder) == nil, "torn at \(place)")
        }
        #expect(try LogExamination.damage(ofLog: folder.path + "/none") == nil)
    }

    @Test("A flipped bit before the last transaction is found, wherever it is")
    func flipped() async throws {
        let (folder, bytes, last, _) = try await log()
        defer { try? FileManager.default.removeItem(at: folder) }

        for place in Array(0..<LogHeader.length) + stride(from: LogHeader.length, to: last, by: 97) + (last - Self.frame..<last - Self.frame + LogFrame.headerLength) {
            var wrong = bytes
            wrong[place] ^= 0x10
            #expect(try damage(wrong, in: folder) != nil, "byte \(place)")
        }
    }

    @Test("Frames that a longer log has left prove nothing, neither behind its end nor where the last transaction was not written")
    func older() async throws {
        let (folder, bytes, last, before) = try await log()
        defer { try? FileManager.default.removeItem(at: folder) }
        var older = bytes, torn = bytes
        for start in stride(from: before, to: bytes.count, by: Self.frame) { older.replaceSubrange(start + 8..<start + 16, with: [9, 8, 7, 6, 5, 4, 3, 2]) }
        // The first frame of the last transaction was not written, a commit of the longer log is there, and what follows was written.
        torn.replaceSubrange(last + 4..<last + 16, with: [0, 0, 0, 9, 9, 8, 7, 6, 5, 4, 3, 2])

        #expect(try damage(older, in: folder) == nil)
        #expect(try damage(torn, in: folder) == nil)
        #expect(bytes.count - last >= 2 * Self.frame, "the last transaction has several frames")
    }

    @Test("A store with such a log is not opened, and its log is left as it is")
    func opening() async throws {
        let (folder, bytes, _, _) = try await log()
        defer { try? FileManager.default.removeItem(at: folder) }
        var wrong = bytes
        wrong[LogHeader.length + Self.frame + 99] ^= 1
        _ = try damage(wrong, in: folder)

        let error = #expect(throws: DatabaseError.self) { try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path) }

        guard case .damaged(let text) = error else { return #expect(Bool(false), "got \(String(describing: error))") }
        #expect(text.contains("frame 2"))
        #expect(try Data(contentsOf: folder.appending(path: "landfall.sqlite-wal")) == wrong)
    }
}
