// SPDX-License-Identifier: Apache-2.0

/// A JSON document that keeps the order of its keys: the first variation is the control.
enum OrderedJSON: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        let key: String
        let value: OrderedJSON
    }

    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([OrderedJSON])
    case object([Member])

    /// - Throws: ``NumbersError`` for text that is not JSON (RFC 8259), for a number that is too large, and for a key that occurs
    ///   twice. The error has the way to it.
    init(_ bytes: [UInt8]) throws(NumbersError) {
        var parser = OrderedJSONParser(bytes)
        self = try parser.document()
    }
}

struct OrderedJSONParser {
    static let deepest = 32

    private let bytes: [UInt8]
    private var place = 0
    private var path = ""
    private var depth = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(NumbersError) -> OrderedJSON {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
        let value = try value()
        skipSpace()
        guard place == bytes.count else { throw wrong("Text follows the JSON object. Remove it.") }
        return value
    }

    private mutating func value() throws(NumbersError) -> OrderedJSON {
        skipSpace()
        guard place < bytes.count else { throw wrong("The document ends where a value should be.") }
        switch bytes[place] {
        case UInt8(ascii: "{"): return try within { (parser) throws(NumbersError) in try parser.object() }
        case UInt8(ascii: "["): return try within { (parser) throws(NumbersError) in try parser.list() }
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: return try word()
        }
    }

    private mutating func within(
        _ read: (inout OrderedJSONParser) throws(NumbersError) -> OrderedJSON
    ) throws(NumbersError) -> OrderedJSON {
        guard depth < Self.deepest else { throw wrong("More than \(Self.deepest) levels. The documented form has fewer.") }
        let outer = path
        depth += 1
        place += 1
        let value = try read(&self)
        depth -= 1
        path = outer
        return value
    }

    private mutating func object() throws(NumbersError) -> OrderedJSON {
        var members: [OrderedJSON.Member] = [], keys = Set<[UInt8]>()
        let outer = path
        if takes("}") { return .object([]) }
        repeat {
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else {
                throw wrong("A key in quotation marks is missing.")
            }
            let key = try text()
            // A path stands in every error below it, so its parts are short.
            guard key.utf8.count <= Self.longestKey else { throw wrong("A key is longer than \(Self.longestKey) bytes.") }
            path = outer.isEmpty ? key : "\(outer).\(key)"
            guard keys.insert(Array(key.utf8)).inserted else { throw wrong("The key occurs twice. Keep one of them.") }
            guard takes(":") else { throw wrong("A colon is missing after the key.") }
            members.append(.init(key: key, value: try value()))
            path = outer
        } while takes(",")
        guard takes("}") else { throw wrong("A comma or } is missing\(found).") }
        return .object(members)
    }

    static let longestKey = 256

    private mutating func list() throws(NumbersError) -> OrderedJSON {
        var values: [OrderedJSON] = []
        let outer = path
        if takes("]") { return .list([]) }
        repeat {
            path = "\(outer)[\(values.count)]"
            values.append(try value())
            path = outer
        } while takes(",")
        guard takes("]") else { throw wrong("A comma or ] is missing\(found).") }
        return .list(values)
    }

    private mutating func number() throws(NumbersError) -> OrderedJSON {
        let start = place
        // JSON's grammar is stricter than Double's: no leading zero, digits on both sides of the point.
        skip("-", "-")
        var isNumber = skip("0", "0") || skipDigits()
        if skip(".", ".") { isNumber = skipDigits() && isNumber }
        if skip("e", "E") {
            if !skip("+", "-") { skip("-", "-") }
            isNumber = skipDigits() && isNumber
        }
        isNumber = isNumber && !skipDigits()
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        guard isNumber, let number = Double(text) else {
            throw wrong("'\(text.prefix(40))' is not a number in JSON.")
        }
        guard number.isFinite else { throw wrong("\(text.prefix(40)) is too large. Use a finite number.") }
        return .number(number)
    }

    private mutating func word() throws(NumbersError) -> OrderedJSON {
        let start = place
        while place < bytes.count, !",]}: \t\r\n".utf8.contains(bytes[place]) { place += 1 }
        switch String(decoding: bytes[start..<place], as: UTF8.self) {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case let word:
            throw wrong("'\(word.prefix(40))' is not a value in JSON. Use a finite number or a text in quotation marks.")
        }
    }

    private mutating func text() throws(NumbersError) -> String {
        place += 1
        var content: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            guard bytes[place] >= 0x20 else { throw wrong("A text has a raw control character. Escape it.") }
            if bytes[place] == UInt8(ascii: "\\") {
                content += try escape()
            } else {
                content.append(bytes[place])
                place += 1
            }
        }
        guard place < bytes.count else { throw wrong("A text has no closing quotation mark.") }
        place += 1
        guard let text = String(validating: content, as: UTF8.self) else { throw wrong("A text is not UTF-8.") }
        return text
    }

    private mutating func escape() throws(NumbersError) -> [UInt8] {
        let short: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9,
        ]
        place += 1
        guard place < bytes.count else { throw wrong("A text has no closing quotation mark.") }
        if let byte = short[bytes[place]] {
            place += 1
            return [byte]
        }
        guard let first = unit() else { throw wrong("A text has an escape that JSON does not know.") }
        var units = [first]
        if UTF16.isLeadSurrogate(first), place < bytes.count, bytes[place] == UInt8(ascii: "\\") {
            place += 1
            guard let second = unit() else { throw wrong("A text has half a character. Write both halves.") }
            units.append(second)
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw wrong("A text has half a character. Write both halves.")
        }
        return Array(text.utf8)
    }

    /// `u` and four hexadecimal digits.
    private mutating func unit() -> UInt16? {
        guard place + 4 < bytes.count, bytes[place] == UInt8(ascii: "u") else { return nil }
        let digits = bytes[place + 1...place + 4]
        guard digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
        place += 5
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// Either of two characters.
    @discardableResult
    private mutating func skip(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: first) || bytes[place] == UInt8(ascii: second) else {
            return false
        }
        place += 1
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = place
        while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
        return place > start
    }

    private mutating func skipSpace() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            default: return
            }
        }
    }

    private var found: String {
        place < bytes.count
            ? " before '\(String(decoding: bytes[place..<min(place + 10, bytes.count)], as: UTF8.self))'"
            : ", the document ends"
    }

    private func wrong(_ problem: String) -> NumbersError { NumbersError(path: path, problem: problem) }
}
