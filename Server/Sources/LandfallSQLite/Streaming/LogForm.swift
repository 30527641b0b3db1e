// SPDX-License-Identifier: Apache-2.0
import CPages
import Foundation

/// The checksum of a write-ahead log: two sums over pairs of 32-bit words. Each frame continues with the sums of the frame before.
struct LogChecksum: Hashable, Sendable {
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    init() {}

    init(first: UInt32, second: UInt32) { (self.first, self.second) = (first, second) }

    /// - Parameters:
    ///   - bytes: a multiple of 8.
    ///   - isBigEndian: the order of bytes in a word, which a log's first bytes say.
    mutating func add(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
        guard let start = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        landfall_log_checksum(start, bytes.count & ~7, isBigEndian ? 1 : 0, &first, &second)
    }
}

/// Two numbers that every frame of a log repeats. When a log begins anew, the first grows by one and the second is random.
struct LogSalts: Hashable, Sendable {
    let first: UInt32
    let second: UInt32

    func isFollowed(by next: LogSalts) -> Bool { next.first == first &+ 1 }
}

/// The beginning of a write-ahead log, see "WAL File Format" of SQLite's file format.
struct LogHeader: Hashable, Sendable {
    static let length = 32
    /// The last bit says how checksums read their words.
    private static let mark: UInt32 = 0x377F_0682
    private static let version: UInt32 = 3_007_000

    let isBigEndian: Bool
    let pageSize: Int
    let salts: LogSalts
    /// With which the first frame continues.
    let checksum: LogChecksum

    /// Nil if it is not the beginning of a log, or not all of it is written.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.length, bytes.word(0) & ~1 == Self.mark, bytes.word(4) == Self.version else { return nil }
        isBigEndian = bytes.word(0) & 1 == 1
        pageSize = Int(bytes.word(8))
        salts = LogSalts(first: bytes.word(16), second: bytes.word(20))
        var sum = LogChecksum()
        sum.add(UnsafeRawBufferPointer(rebasing: bytes[..<24]), isBigEndian: isBigEndian)
        checksum = sum
        guard StorePages.isSize(pageSize), sum == LogChecksum(first: bytes.word(24), second: bytes.word(28)) else { return nil }
    }

    /// Of a frame: its header and its page.
    var frameLength: Int { LogFrame.headerLength + pageSize }
    /// - Parameter frame: from 1 on.
    func offset(ofFrame frame: Int) -> Int64 { Int64(Self.length) + Int64(frame - 1) * Int64(frameLength) }
}

/// What is before each page of a log.
struct LogFrame: Hashable, Sendable {
    static let headerLength = 24

    let page: UInt32
    /// The store's size in pages after a commit; 0 if the transaction goes on.
    let databasePages: UInt32
    let salts: LogSalts
    /// Of the log up to this frame, itself included.
    let checksum: LogChecksum

    /// - Parameter bytes: at least ``headerLength``.
    init(_ bytes: UnsafeRawBufferPointer) {
        (page, databasePages) = (bytes.word(0), bytes.word(4))
        salts = LogSalts(first: bytes.word(8), second: bytes.word(12))
        checksum = LogChecksum(first: bytes.word(16), second: bytes.word(20))
    }
}

/// What is known of the pages of every store.
enum StorePages {
    static func isSize(_ size: Int) -> Bool { (512...65_536).contains(size) && size & (size - 1) == 0 }
}

extension UnsafeRawBufferPointer {
    /// Four bytes, the highest first.
    func word(_ place: Int) -> UInt32 { loadUnaligned(fromByteOffset: place, as: UInt32.self).bigEndian }
}
