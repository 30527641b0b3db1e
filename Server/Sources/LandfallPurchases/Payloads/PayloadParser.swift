// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// Reads JSON (RFC 8259) in one pass. Made for texts of a few kilobytes that nobody has verified yet: what is nested deeper than Apple
/// nests is refused when it is reached, whatever follows.
struct PayloadParser {
    /// Apple's deepest has six.
    static let deepest = 32

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var depth = 0

    /// Nil for anything but one JSON value with nothing after it, and for a text whose names take long to compare, see `CombiningMarks`.
    /// Of members with one name the last counts.
    static func value(_ json: [UInt8]) -> PayloadValue? {
        let isPlain = !json.contains { $0 >= 0x80 || $0 == UInt8(ascii: "\\") }
        guard isPlain || CombiningMarks.areFew(escaped: Data(json)) else { return nil }
        return json.withUnsafeBufferPointer { bytes in
            var parser = PayloadParser(bytes: bytes)
            guard let value = parser.value() else { return nil }
            return parser.next() == nil ? value : nil
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The first byte of the next token.
    private mutating func next() -> UInt8? {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x0A, 0x0D, 0x09: place += 1
            case let byte: return byte
            }
        }
        return nil
    }

    private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: wanted) else { return false }
        place += 1
        return true
    }

    private mutating func value() -> PayloadValue? {
        switch next() {
        case UInt8(ascii: "{"): return within { $0.object() }
        case UInt8(ascii: "["): return within { $0.list() }
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "t"): return word("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return word("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return word("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func within(_ read: (inout PayloadParser) -> PayloadValue?) -> PayloadValue? {
        guard depth < Self.deepest else { return nil }
        depth += 1
        place += 1
        let value = read(&self)
        depth -= 1
        return value
    }

    private mutating func object() -> PayloadValue? {
        var members: [String: PayloadValue] = [:]
        if take("}") { return .object(members) }
        if depth == 1 { members.reserveCapacity(32) }
        repeat {
            guard next() == UInt8(ascii: "\""), let name = text(), take(":"), let value = value() else { return nil }
            members[name] = value
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func list() -> PayloadValue? {
        var values: [PayloadValue] = []
        if take("]") { return .list(values) }
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while take(",")
        return take("]") ? .list(values) : nil
    }

    private mutating func word(_ word: StaticString) -> Bool {
        guard bytes.count - place >= word.utf8CodeUnitCount else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[place + offset] != word.utf8Start[offset] { return false }
        place += word.utf8CodeUnitCount
        return true
    }

    private mutating func number() -> PayloadValue? {
        let start = place
        var isInteger = true
        number: while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): isInteger = false
            default: break number
            }
            place += 1
        }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        return Double(text).map { .real($0) }
    }

    private mutating func text() -> String? {
        place += 1
        let start = place
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                return String(decoding: bytes[start..<place - 1], as: UTF8.self)
            case UInt8(ascii: "\\"): return escapedText(from: start)
            case ..<0x20: return nil
            default: place += 1
            }
        }
        return nil
    }

    /// - Parameter start: where the text began; the parser stands at its first backslash.
    private mutating func escapedText(from start: Int) -> String? {
        var units = Array(String(decoding: bytes[start..<place], as: UTF8.self).utf16)
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "\""):
                place += 1
                return String(decoding: units, as: UTF16.self)
            case UInt8(ascii: "\\"):
                guard let unit = escape() else { return nil }
                units.append(unit)
            case ..<0x20: return nil
            default:
                let from = place
                while place < bytes.count, bytes[place] >= 0x20,
                    ![UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(bytes[place])
                { place += 1 }
                units += String(decoding: bytes[from..<place], as: UTF8.self).utf16
            }
        }
        return nil
    }

    private mutating func escape() -> UInt16? {
        guard bytes.count - place >= 2 else { return nil }
        let letter = bytes[place + 1]
        place += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(letter)
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "u"):
            guard bytes.count - place >= 4 else { return nil }
            let digits = String(decoding: bytes[place..<place + 4], as: UTF8.self)
            place += 4
            return digits.utf8.first == UInt8(ascii: "+") ? nil : UInt16(digits, radix: 16)
        default: return nil
        }
    }
}
