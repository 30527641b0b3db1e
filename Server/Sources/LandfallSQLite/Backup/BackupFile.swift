// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
package import LandfallStore

/// A file that a backup was written to: a store, and behind its last page the SHA-256 of everything before.
///
/// The checksum is inside the file, because a second file beside it gets lost when people copy, rename or upload the first, and because
/// two files cannot be replaced in one step. SQLite reads only the pages that the file's header counts, so the file is still a store.
package struct BackupFile: Hashable, Sendable {
    private static let mark = Array("\nlandfall backup, sha-256 ".utf8)
    private static let digits = 64
    /// The first bytes of every SQLite file.
    private static let beginning = Array("SQLite format 3\0".utf8)
    /// The length of the checksum with its mark and the line break.
    private static let length = mark.count + digits + 1
    /// The size of every page is a multiple of this.
    private static let smallestPage = 512
    private static let blockBytes = 1 << 20

    package let path: String

    package init(_ path: String) { self.path = path }

    /// Writes the checksum behind the last page, and syncs the file.
    func seal() throws(StoreCopyError) {
        try opened(O_RDWR) { (descriptor, size) throws(StoreCopyError) in
            let line = Self.line(try hash(descriptor, upTo: size))
            guard pwrite(descriptor, line, line.count, off_t(size)) == line.count, fsync(descriptor) == 0 else {
                throw .notWritten(path: path, reason: String(cString: strerror(errno)))
            }
        }
    }

    /// Reads the whole file.
    /// - Returns: false for a backup of an earlier release, which has no checksum.
    /// - Throws: ``LandfallStore/StoreCopyError/changed(path:)`` if a byte has changed, and
    ///   ``LandfallStore/StoreCopyError/notReadable(path:reason:)`` for a file that is not a store.
    @discardableResult
    package func check() throws(StoreCopyError) -> Bool {
        try opened(O_RDONLY) { (descriptor, size) throws(StoreCopyError) in
            let pages = size - Self.length
            var line = [UInt8](repeating: 0, count: Self.length)
            guard pages >= 0, pread(descriptor, &line, line.count, off_t(pages)) == line.count, line.starts(with: Self.mark) else {
                guard isStore(descriptor) else { throw .notReadable(path: path, reason: "it does not begin as SQLite's files do") }
                guard size % Self.smallestPage == 0 else { throw .changed(path: path) }
                return false
            }
            guard Self.line(try hash(descriptor, upTo: pages)) == line else { throw .changed(path: path) }
            return true
        }
    }

    /// Of a file with a checksum: the bytes before it.
    var storeLength: Int { Int(StoreCopy.size(of: path)) - Self.length }

    private func isStore(_ descriptor: Int32) -> Bool {
        var beginning = [UInt8](repeating: 0, count: Self.beginning.count)
        return pread(descriptor, &beginning, beginning.count, 0) == beginning.count && beginning == Self.beginning
    }

    private static func line(_ hash: String) -> [UInt8] { mark + Array(hash.utf8) + [UInt8(ascii: "\n")] }

    private func opened<Value>(
        _ mode: Int32, _ body: (_ descriptor: Int32, _ size: Int) throws(StoreCopyError) -> Value
    ) throws(StoreCopyError) -> Value {
        let descriptor = open(path, mode | O_CLOEXEC)
        var facts = stat()
        guard descriptor >= 0, fstat(descriptor, &facts) == 0 else {
            throw .notReadable(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        return try body(descriptor, Int(facts.st_size))
    }

    private func hash(_ descriptor: Int32, upTo end: Int) throws(StoreCopyError) -> String {
        var hash = SHA256()
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        var place = 0
        while place < end {
            let count = pread(descriptor, &block, min(block.count, end - place), off_t(place))
            guard count > 0 else { throw .notReadable(path: path, reason: String(cString: strerror(errno))) }
            block.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            place += count
        }
        return hash.finalize().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
