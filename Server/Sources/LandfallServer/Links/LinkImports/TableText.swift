// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules

/// The text of a table in a file.
package enum TableText {
    /// How a file's bytes are read as text.
    package enum Encoding: String, CaseIterable, Sendable {
        case utf8 = "utf-8", utf16 = "utf-16"
        /// Western European, as Excel and older programs write it (Windows-1252).
        case latin1 = "latin-1"
    }

    /// The largest file, in bytes.
    package static let mostBytes = 64 * 1024 * 1024

    /// - Parameter encoding: nil tells UTF-8 and UTF-16 apart, with and without a byte order mark. Other encodings cannot be told
    ///   apart: the same bytes are different letters in each, and none of them is wrong.
    /// - Throws: ``LinkRefusal`` if the file is too large, or is not text in this encoding.
    package static func read(_ bytes: some RandomAccessCollection<UInt8>, as encoding: Encoding? = nil) throws(LinkRefusal) -> String {
        guard bytes.count <= mostBytes else { throw .invalid("The file is larger than \(mostBytes >> 20) MiB. Import it in parts.") }
        switch encoding ?? (isUTF16(bytes) ? .utf16 : .utf8) {
        case .utf8:
            if let text = String(validating: bytes, as: UTF8.self) { return text }
            throw .invalid(
                encoding == nil
                    ? "The file is neither UTF-8 nor UTF-16. Save it as UTF-8, or name its encoding: latin-1 for files of older Western European programs."
                    : "The file is not UTF-8. Name its encoding: \(Encoding.allCases.map(\.rawValue).joined(separator: ", ")).")
        case .utf16:
            guard bytes.count.isMultiple(of: 2), let text = String(validating: units(bytes), as: UTF16.self) else {
                throw .invalid("The file is not UTF-16. Save it as UTF-8.")
            }
            return text
        case .latin1:
            guard let text = String(data: Data(bytes), encoding: .windowsCP1252) else {
                throw .invalid("The file has bytes that Latin-1 does not have. Save it as UTF-8.")
            }
            return text
        }
    }

    /// The byte order mark says so, or every second byte of the beginning is zero, as in Latin letters.
    private static func isUTF16(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        let start = Array(bytes.prefix(200))
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return true }
        let zeros = start.indices.filter { start[$0] == 0 }
        return zeros.count * 4 > start.count && Set(zeros.map { $0 % 2 }).count == 1
    }

    /// Without a byte order mark, the zeros of Latin letters say which byte is first.
    private static func units(_ bytes: some RandomAccessCollection<UInt8>) -> [UInt16] {
        let bytes = Array(bytes)
        let isMarked = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let isBigEndian = isMarked ? bytes[0] == 0xFE : bytes.first == 0
        return stride(from: isMarked ? 2 : 0, to: bytes.count - 1, by: 2).map { at in
            let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
    }
}
