// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

/// The file of one segment: some changed pages of a store. All numbers have their highest byte first.
///
/// | bytes | what |
/// |---|---|
/// | 16 | the mark |
/// | 4 | the version of this form, 1 |
/// | 4 | the size of a page in bytes |
/// | 4 | how many pages follow |
/// | 4 | the store's size in pages behind this segment; 0 if the next segment belongs to the same change |
/// | 8 | the segment's number in its generation |
/// | 8 | when all of it was committed, in Unix milliseconds |
/// | 64 | the generation's name, filled with zeros |
/// | 4 each | the numbers of the pages, ascending |
/// | a page each | the pages |
/// | 32 | the SHA-256 of everything before |
package struct StreamSegment: Hashable, Sendable {
    private static let mark = Array("landfall changes".utf8)
    private static let version: UInt32 = 1
    private static let nameLength = 64
    private static let headerLength = 48 + nameLength

    package let pageSize: Int
    /// 0 if the next segment belongs to the same change.
    package let databasePages: UInt32
    package let atMs: Int64
    /// The numbers of the pages.
    let pages: [UInt32]
    /// Where the first page begins in the bytes.
    private let start: Int
    private let bytes: [UInt8]

    /// A page's content.
    func content(_ index: Int) -> ArraySlice<UInt8> { bytes[start + index * pageSize..<start + (index + 1) * pageSize] }

    /// - Throws: why the bytes are not this segment.
    package init(_ bytes: [UInt8], generation: String, number: Int64) throws(Unusable) {
        guard bytes.count >= Self.headerLength + SHA256.byteCount, bytes.starts(with: Self.mark) else { throw .noSegment }
        let end = bytes.count - SHA256.byteCount
        guard SHA256.hash(data: bytes[..<end]).elementsEqual(bytes[end...]) else { throw .changed }
        func word(_ place: Int) -> UInt32 { bytes.withUnsafeBytes { $0.word(place) } }
        func long(_ place: Int) -> UInt64 { UInt64(word(place)) << 32 | UInt64(word(place + 4)) }
        guard word(16) == Self.version else { throw .version(word(16)) }
        guard bytes[48..<Self.headerLength].elementsEqual(Self.name(generation)), long(32) == UInt64(number) else { throw .other }
        (pageSize, databasePages, atMs) = (Int(word(20)), word(28), Int64(bitPattern: long(40)))
        let count = Int(word(24))
        guard StorePages.isSize(pageSize), end == Self.headerLength + count * (4 + pageSize) else { throw .noSegment }
        pages = (0..<count).map { word(Self.headerLength + $0 * 4) }
        guard zip(pages, pages.dropFirst()).allSatisfy({ $0 < $1 }), pages.first != 0 else { throw .noSegment }
        (start, self.bytes) = (Self.headerLength + count * 4, bytes)
    }

    /// - Parameter content: of a page; has the page's size.
    static func bytes(
        generation: String, number: Int64, atMs: Int64, pageSize: Int, databasePages: UInt32, pages: ArraySlice<LogChanges.Page>,
        content: (LogChanges.Page) throws -> [UInt8]
    ) rethrows -> [UInt8] {
        var bytes = mark
        bytes.reserveCapacity(headerLength + pages.count * (4 + pageSize) + SHA256.byteCount)
        for word in [version, UInt32(pageSize), UInt32(pages.count), databasePages] { bytes.append(word) }
        for long in [UInt64(number), UInt64(bitPattern: atMs)] {
            bytes.append(UInt32(truncatingIfNeeded: long >> 32))
            bytes.append(UInt32(truncatingIfNeeded: long))
        }
        bytes += name(generation)
        for page in pages { bytes.append(page.number) }
        for page in pages { bytes += try content(page) }
        return bytes + Array(SHA256.hash(data: bytes))
    }

    private static func name(_ generation: String) -> [UInt8] {
        let name = Array(generation.utf8.prefix(nameLength))
        return name + [UInt8](repeating: 0, count: nameLength - name.count)
    }

    package enum Unusable: Error, Hashable, Sendable, CustomStringConvertible {
        case noSegment, changed, other
        case version(UInt32)

        package var description: String {
            switch self {
            case .noSegment: "it is not a segment, or its end is missing"
            case .changed: "its checksum differs, or its end is missing"
            case .other: "it belongs to another place in the stream"
            case .version(let number): "its form is \(number), which a later release wrote"
            }
        }
    }
}

extension [UInt8] {
    /// Four bytes, the highest first.
    fileprivate mutating func append(_ word: UInt32) { Swift.withUnsafeBytes(of: word.bigEndian) { append(contentsOf: $0) } }
}
