// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// Some rows of a file, already as its bytes.
package struct ExportPage: Hashable, Sendable {
    /// Stands before the bytes, on a line of its own.
    private struct Head: Codable {
        let rows: Int
        let next: String?
    }

    package let rows: Int
    /// The `after` of the next page; nil on the last one.
    package let next: String?
    package let bytes: [UInt8]

    init(rows: Int, next: String?, bytes: [UInt8]) { (self.rows, self.next, self.bytes) = (rows, next, bytes) }

    /// As an answer: nothing of the rows is written twice.
    func wire() throws -> [UInt8] { Array(try JSONEncoder().encode(Head(rows: rows, next: next))) + [0x0A] + bytes }

    /// - Throws: ``ExportRefusal/unreadablePage``
    package init(wire: [UInt8]) throws {
        guard let end = wire.firstIndex(of: 0x0A), let head = try? JSONDecoder().decode(Head.self, from: Data(wire[..<end])) else {
            throw ExportRefusal.unreadablePage
        }
        self.init(rows: head.rows, next: head.next, bytes: Array(wire[(end + 1)...]))
    }
}

/// The key of the last row of a page, as text: callers pass it on as it is.
enum ExportCursor {
    static func text(_ key: [SQLValue]) -> String {
        let parts = key.map { value in
            switch value {
            case .text(let text): text
            case .integer(let number): "\(number)"
            case .blob(let bytes): bytes.hexadecimal
            case .real, .null: ""
            }
        }
        return (try? JSONEncoder().encode(parts)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// - Parameter start: the key that a day begins with: it has the types.
    /// - Returns: nil for a text that is not a cursor of such keys.
    static func key(_ text: String, like start: [SQLValue]) -> [SQLValue]? {
        guard let parts = try? JSONDecoder().decode([String].self, from: Data(text.utf8)), parts.count == start.count else { return nil }
        var key: [SQLValue] = []
        for (part, like) in zip(parts, start) {
            switch like {
            case .integer:
                guard let number = Int64(part) else { return nil }
                key.append(.integer(number))
            case .blob:
                guard let bytes = bytes(part) else { return nil }
                key.append(.blob(bytes))
            case .text, .real, .null: key.append(.text(part))
            }
        }
        return key
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
