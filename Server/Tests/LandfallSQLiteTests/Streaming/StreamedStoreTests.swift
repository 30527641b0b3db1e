// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("A copy that segments are written into", .timeLimit(.minutes(1)))
struct StreamedStoreTests {
    /// Four segments, each with a row.
    private func files() async throws -> StreamedFiles {
        let files = try await StreamedFiles()
        for id in 1...4 {
            try await files.store.run("INSERT INTO note (id) VALUES (\(id))")
            try files.send(await files.log.next())
        }
        return files
    }

    enum Damage: CaseIterable { case missing, flipped, flippedHeader, cut, empty, otherGeneration, otherNumber, laterForm }

    @Test("is of the last segment before one that is missing, changed, cut, or of another place in a stream", arguments: Damage.allCases)
    func damaged(_ damage: Damage) async throws {
        let files = try await files(), third = try #require(files.segments[3])
        switch damage {
        case .missing: files.segments[3] = nil
        case .flipped: files.segments[3]?[third.count / 2] ^= 4
        case .flippedHeader: files.segments[3]?[25] ^= 1
        case .cut: files.segments[3] = Array(third.dropLast(40))
        case .empty: files.segments[3] = []
        case .otherGeneration: files.segments[3] = try await StreamSegmentTests.bytes(generation: "stream-00000000-0000000000002", number: 3)
        case .otherNumber: files.segments[3] = files.segments[2]
        case .laterForm: files.segments[3]?[19] = 2
        }

        let (reached, path) = try await files.restored()

        #expect(reached.number == 2 && reached.atMs == 2_000)
        #expect(reached.ending?.contains("segment 3") == true, "\(reached.ending ?? "")")
        #expect(try TemporaryStore.contents(of: path) == ["1  ", "2  ", "ok"])
        #expect(try BackupFile(path).check())
    }

    @Test("has none of a change whose last segment is not there")
    func unfinished() async throws {
        let files = try await files()
        try await files.store.run("INSERT INTO note (id, bytes) VALUES (5, zeroblob(20000000))")
        try files.send(await files.log.next())
        #expect(files.newest == 7)

        let part = try await files.restored(upTo: 6), whole = try await files.restored()

        #expect(part.reached.number == 4 && part.reached.ending == "the change that begins in segment 5 has no end")
        #expect(try TemporaryStore.contents(of: part.path).count == 5)
        #expect(whole.reached.number == 7 && whole.reached.ending == nil)
        #expect(try TemporaryStore.contents(of: whole.path) == TemporaryStore.contents(of: files.store.path))
    }

    @Test("shrinks with the store")
    func shrinking() async throws {
        let files = try await StreamedFiles(["INSERT INTO note (id, bytes) VALUES (1, zeroblob(3000000))"])
        try await files.store.run("DELETE FROM note")
        try files.send(await files.log.next())
        try await files.store.database.writer.betweenGroups { try $0.run("VACUUM"); return }
        try files.send(await files.log.next())

        let (_, path) = try await files.restored()

        #expect(StoreCopy.size(of: path) < 100_000)
        #expect(try TemporaryStore.contents(of: path) == ["ok"])
    }

    @Test("is refused if it has changed itself")
    func changedCopy() async throws {
        let files = try await files(), (_, path) = try await files.restored()
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[5_000] ^= 1
        try bytes.write(to: URL(filePath: path))

        await #expect(throws: StoreCopyError.self) { _ = try await StreamedStore(path).append(of: StreamedFiles.generation, after: 4, newest: 4) { _ in nil } }
    }
}

@Suite("A segment", .timeLimit(.minutes(1)))
struct StreamSegmentTests {
    static func bytes(generation: String, number: Int64) async throws -> [UInt8] {
        StreamSegment.bytes(
            generation: generation, number: number, atMs: 1_796_050_862_123, pageSize: 512, databasePages: 9,
            pages: [LogChanges.Page(number: 1, offset: 0), LogChanges.Page(number: 7, offset: 1)]
        ) { [UInt8](repeating: UInt8($0.number), count: 512) }
    }

    @Test("is read as it was written")
    func whole() async throws {
        let segment = try StreamSegment(await Self.bytes(generation: "g", number: 1 << 33), generation: "g", number: 1 << 33)

        #expect(segment.pageSize == 512 && segment.databasePages == 9 && segment.atMs == 1_796_050_862_123 && segment.pages == [1, 7])
        #expect(segment.content(1).elementsEqual([UInt8](repeating: 7, count: 512)))
    }

    @Test("with any bit changed, or cut anywhere, is none")
    func everyByte() async throws {
        let bytes = try await Self.bytes(generation: "g", number: 3)
        for place in stride(from: 0, to: bytes.count, by: 7) {
            var wrong = bytes
            wrong[place] ^= 0x10
            #expect(throws: StreamSegment.Unusable.self, "byte \(place)") { try StreamSegment(wrong, generation: "g", number: 3) }
            #expect(throws: StreamSegment.Unusable.self, "cut to \(place)") { try StreamSegment(Array(bytes.prefix(place)), generation: "g", number: 3) }
        }
        #expect(throws: StreamSegment.Unusable.other) { try StreamSegment(bytes, generation: "h", number: 3) }
        #expect(throws: StreamSegment.Unusable.other) { try StreamSegment(bytes, generation: "g", number: 4) }
    }
}
