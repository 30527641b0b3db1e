// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("The form of a write-ahead log", .timeLimit(.minutes(1)))
struct LogFormTests {
    @Test(
        "Checksums add pairs of words in the order of bytes that the log says",
        arguments: [
            (false, [1, 2, 3, 4, 5, 6, 7, 8], 0x0403_0201, 0x0C0A_0806), (true, [1, 2, 3, 4, 5, 6, 7, 8], 0x0102_0304, 0x0608_0A0C),
            (true, [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4], 7, 14), (true, [255, 255, 255, 255, 0, 0, 0, 1], 0xFFFF_FFFF, 0), (false, [], 0, 0),
        ] as [(Bool, [UInt8], UInt32, UInt32)])
    func checksum(isBigEndian: Bool, bytes: [UInt8], first: UInt32, second: UInt32) {
        var sum = LogChecksum()
        bytes.withUnsafeBytes { sum.add($0, isBigEndian: isBigEndian) }

        #expect(sum == LogChecksum(first: first, second: second))
    }

    @Test("A log is followed by the one whose first salt is greater by one, also behind the greatest")
    func salts() {
        #expect(LogSalts(first: 7, second: 1).isFollowed(by: LogSalts(first: 8, second: 0)))
        #expect(LogSalts(first: .max, second: 1).isFollowed(by: LogSalts(first: 0, second: 9)))
        #expect(!LogSalts(first: 7, second: 1).isFollowed(by: LogSalts(first: 9, second: 1)))
        #expect(!LogSalts(first: 7, second: 1).isFollowed(by: LogSalts(first: 7, second: 2)))
    }

    @Test("A header with another mark, form, page size or checksum is none")
    func header() async throws {
        let store = try await TemporaryStore(), bytes = [UInt8](try Data(contentsOf: URL(filePath: store.path + "-wal")).prefix(LogHeader.length))
        let good = try #require(bytes.withUnsafeBytes { LogHeader($0) })
        #expect(good.pageSize == 4_096)
        for place in [0, 3, 4, 8, 10, 16, 23, 24, 31] {
            var wrong = bytes
            wrong[place] ^= 0x40
            #expect(wrong.withUnsafeBytes { LogHeader($0) } == nil, "byte \(place)")
        }
        #expect(bytes.dropLast().withUnsafeBytes { LogHeader($0) } == nil)
    }

    @Test("A log with checksums of the other order of bytes is read as SQLite itself reads it", arguments: [false, true])
    func order(isBigEndian: Bool) async throws {
        let store = try await TemporaryStore()
        try await store.run("INSERT INTO note (id, text) VALUES (1, 'a'), (2, 'b')")
        let folder = store.directory.appending(path: "other"), path = folder.appending(path: "landfall.sqlite").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: store.path, toPath: path)
        let log = try [UInt8](Data(contentsOf: URL(filePath: store.path + "-wal"))).withChecksums(isBigEndian: isBigEndian)
        try Data(log.bytes).write(to: URL(filePath: path + "-wal"))

        let file = try LogFile(path + "-wal"), header = try #require(try file.header())
        let changes = try file.changes(after: LogPosition(salts: header.salts), upTo: log.frames, header)
        let rows = try SQLiteConnection(path, .readingAndWriting).rows("SELECT id FROM note").count

        #expect(header.isBigEndian == isBigEndian && changes.end.frames == log.frames && changes.databasePages > 0)
        #expect(rows == 2)
    }
}

extension [UInt8] {
    /// The same log with checksums of one order of bytes, up to its last valid frame.
    fileprivate func withChecksums(isBigEndian: Bool) throws -> (bytes: [UInt8], frames: Int) {
        var bytes = self
        let header = try #require(withUnsafeBytes { LogHeader($0) })
        func write(_ sum: LogChecksum, at place: Int) {
            for (index, word) in [sum.first, sum.second].enumerated() {
                for byte in 0..<4 { bytes[place + index * 4 + byte] = UInt8(truncatingIfNeeded: word >> UInt32(24 - byte * 8)) }
            }
        }
        func add(_ range: Range<Int>, to sum: inout LogChecksum) {
            bytes.withUnsafeBytes { sum.add(UnsafeRawBufferPointer(rebasing: $0[range]), isBigEndian: isBigEndian) }
        }
        bytes[3] = isBigEndian ? 0x83 : 0x82
        var sum = LogChecksum()
        add(0..<24, to: &sum)
        write(sum, at: 24)
        var frames = 0
        while true {
            let start = Int(header.offset(ofFrame: frames + 1)), end = start + header.frameLength
            guard end <= count, bytes.withUnsafeBytes({ LogFrame(UnsafeRawBufferPointer(rebasing: $0[start...])).salts }) == header.salts else { break }
            add(start..<start + 8, to: &sum)
            add(start + LogFrame.headerLength..<end, to: &sum)
            write(sum, at: start + 16)
            frames += 1
        }
        return (bytes, frames)
    }
}
