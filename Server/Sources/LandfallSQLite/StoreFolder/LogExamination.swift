// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// Checks the write-ahead log that an earlier process has left, before SQLite reads it.
///
/// SQLite takes the first frame whose checksum does not fit for the end of the log. After a power cut it is: the last transaction was not yet
/// synced, and nobody was told of it. If a bit flipped before, all later commits would be gone without an error, although they were answered;
/// and pages that a checkpoint had already moved would go back to older ones. The two differ by what follows: a transaction is written only
/// after the one before is synced. So two commits at or behind such a frame prove that it was once on disk as it should be.
///
/// A flip in the last transaction cannot be told from a power cut.
enum LogExamination {
    /// So many commits behind a frame prove that it was synced: its own, and one that began after that.
    private static let proof = 2
    private static let blockBytes = 1 << 20
    /// SQLite's usual one: only for a log whose first bytes are damaged.
    private static let usualPageSize = 4_096

    /// Reads the whole log; nothing may write into it meanwhile.
    /// - Returns: the damage; nil if there is none, or no log.
    static func damage(ofLog path: String) throws(DatabaseError) -> String? {
        guard access(path, F_OK) == 0 else { return nil }
        let file = try LogFile(path), beginning = try file.read(at: 0, LogHeader.length)
        guard beginning.count == LogHeader.length else { return nil }
        var walk = beginning.withUnsafeBytes { Walk($0, usualPageSize: usualPageSize) }
        let length = LogFrame.headerLength + walk.pageSize, most = max(blockBytes / length, 1)
        var place = Int64(LogHeader.length)
        while true {
            let bytes = try file.read(at: place, most * length)
            bytes.withUnsafeBytes { bytes in
                for start in stride(from: 0, through: bytes.count - length, by: length) {
                    walk.take(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
                }
            }
            if walk.commitsBehind >= proof, let broken = walk.broken {
                return broken == 0
                    ? "the first bytes of its write-ahead log have changed" : "frame \(broken) of its write-ahead log has changed, and later commits are behind it"
            }
            guard bytes.count == most * length else { return nil }
            place += Int64(bytes.count)
        }
    }

    private struct Walk {
        let pageSize: Int
        private let header: LogHeader?
        /// Of the first frame if the log's own are not to be trusted.
        private var salts: LogSalts?
        private var checksum: LogChecksum
        private var frames = 0
        /// The first frame that does not continue the one before; 0 is the log's beginning.
        private(set) var broken: Int?
        private(set) var commitsBehind = 0

        init(_ beginning: UnsafeRawBufferPointer, usualPageSize: Int) {
            header = LogHeader(beginning)
            let size = Int(beginning.word(8))
            pageSize = StorePages.isSize(size) ? size : usualPageSize
            (salts, checksum) = (header?.salts, header?.checksum ?? LogChecksum())
            if header == nil { broken = 0 }
        }

        mutating func take(_ bytes: UnsafeRawBufferPointer) {
            let frame = LogFrame(bytes)
            frames += 1
            if broken == nil, let header {
                checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]), isBigEndian: header.isBigEndian)
                checksum.add(UnsafeRawBufferPointer(rebasing: bytes[LogFrame.headerLength...]), isBigEndian: header.isBigEndian)
                if frame.salts == header.salts, frame.checksum == checksum, frame.page > 0 { return }
                broken = frames
            }
            if salts == nil { salts = frame.salts }
            // Frames that an earlier, longer log has left have other salts. Of the broken one a bit of the salts may be what has changed.
            guard frame.databasePages > 0, let salts else { return }
            if frame.salts == salts || frames == broken && frame.salts.isOneBit(from: salts) { commitsBehind += 1 }
        }
    }
}

extension LogSalts {
    fileprivate func isOneBit(from other: LogSalts) -> Bool {
        (first ^ other.first).nonzeroBitCount + (second ^ other.second).nonzeroBitCount == 1
    }
}
