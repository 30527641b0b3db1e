// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// A write-ahead log as a file. SQLite locks nothing of it, so that it may be opened and closed beside SQLite.
final class LogFile: Sendable {
    private static let blockBytes = 1 << 20

    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(DatabaseError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    /// Nil if the log is empty or its beginning is not valid.
    func header() throws(DatabaseError) -> LogHeader? {
        let bytes = try read(at: 0, LogHeader.length)
        return bytes.withUnsafeBytes { LogHeader($0) }
    }

    /// Where the log ends, if it has this many frames.
    /// - Throws: ``LogBroken`` if the log does not have them.
    func position(frames: Int) throws -> LogPosition {
        guard frames > 0 else { return LogPosition() }
        guard let header = try header(), let frame = try frame(frames, header), frame.salts == header.salts else {
            throw LogBroken("its last commit is not in the file")
        }
        return LogPosition(salts: header.salts, frames: frames, checksum: frame.checksum)
    }

    /// Nil if the file is shorter.
    func frame(_ number: Int, _ header: LogHeader) throws(DatabaseError) -> LogFrame? {
        let bytes = try read(at: header.offset(ofFrame: number), LogFrame.headerLength)
        return bytes.count == LogFrame.headerLength ? bytes.withUnsafeBytes { LogFrame($0) } : nil
    }

    /// Reads the frames behind a position and compares each with its checksum.
    /// - Parameters:
    ///   - start: in this log.
    ///   - end: the number of the last frame, which is a commit; greater than that of the position.
    /// - Throws: ``LogBroken`` if one of them does not continue the one before.
    func changes(after start: LogPosition, upTo end: Int, _ header: LogHeader) throws -> LogChanges {
        var checksum = start.frames == 0 ? header.checksum : start.checksum, databasePages: UInt32 = 0, places: [UInt32: Int64] = [:]
        let length = header.frameLength, most = max(Self.blockBytes / length, 1)
        var next = start.frames + 1
        while next <= end {
            let count = min(most, end - next + 1), bytes = try read(at: header.offset(ofFrame: next), count * length)
            guard bytes.count == count * length else { throw LogBroken("the file ends before its last commit") }
            try bytes.withUnsafeBytes { bytes in
                for index in 0..<count {
                    let all = UnsafeRawBufferPointer(rebasing: bytes[index * length..<(index + 1) * length]), frame = LogFrame(all)
                    checksum.add(UnsafeRawBufferPointer(rebasing: all[..<8]), isBigEndian: header.isBigEndian)
                    checksum.add(UnsafeRawBufferPointer(rebasing: all[LogFrame.headerLength...]), isBigEndian: header.isBigEndian)
                    guard frame.salts == header.salts, frame.checksum == checksum, frame.page > 0 else {
                        throw LogBroken("frame \(next + index) does not continue the one before")
                    }
                    places[frame.page] = header.offset(ofFrame: next + index) + Int64(LogFrame.headerLength)
                    databasePages = frame.databasePages
                }
            }
            next += count
        }
        guard databasePages > 0 else { throw LogBroken("its last frame is not a commit") }
        // Pages that a later commit cut off are not part of the store any more.
        let pages = places.filter { $0.key <= databasePages }.map { LogChanges.Page(number: $0.key, offset: $0.value) }.sorted { $0.number < $1.number }
        return LogChanges(
            pages: pages, pageSize: header.pageSize, databasePages: databasePages,
            end: LogPosition(salts: header.salts, frames: end, checksum: checksum))
    }

    /// - Returns: fewer bytes at the end of the file.
    func read(at offset: Int64, _ count: Int) throws(DatabaseError) -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count {
                let got = pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset) + off_t(done))
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                done += got
            }
        }
        if let failure { throw .diskFailing("\(path): \(String(cString: strerror(failure)))") }
        return bytes
    }
}

/// Up to where a log was read.
struct LogPosition: Hashable, Sendable {
    /// Nil at the beginning of a log that is not known yet.
    var salts: LogSalts?
    var frames = 0
    var checksum = LogChecksum()
}

/// The pages that some commits changed, each as the last of them left it.
struct LogChanges: Hashable, Sendable {
    struct Page: Hashable, Sendable {
        let number: UInt32
        /// Of its content, in the log.
        let offset: Int64
    }

    /// In the order of their numbers.
    let pages: [Page]
    let pageSize: Int
    /// The store's size behind them.
    let databasePages: UInt32
    let end: LogPosition
}
