// SPDX-License-Identifier: Apache-2.0

/// A text that the code asks for with `translate(…)`.
struct SourceText: Hashable {
    var context: String?
    /// For a text with a number: the one for 1.
    var english: String
    var plural: String?
    /// The code of each value.
    var values: [String]
}

/// Finds the texts of a Swift file. It knows literals, their interpolations, comments and brackets, and nothing else of the language.
struct SourceScanner {
    private(set) var texts: [SourceText] = []
    /// Calls that name no literal, by line.
    private(set) var problems: [String] = []

    private let bytes: [UInt8]
    private var place = 0

    init(_ source: String) {
        bytes = Array(source.utf8)
        while place < bytes.count {
            code(until: [])
            place += 1
        }
    }

    private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

    private func sees(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    /// Stays before the stop.
    private mutating func code(until stops: Set<Character>) {
        var before = ""
        while let byte, !stops.contains(Character(UnicodeScalar(byte))) {
            switch Character(UnicodeScalar(byte)) {
            case "\"": _ = literal()
            case "#" where startsRaw: _ = literal()
            case "/" where sees("//"): skip(to: "\n")
            case "/" where sees("/*"): skip(to: "*/")
            case "(": nested(")")
            case "[": nested("]")
            case "{": nested("}")
            case let letter where letter.isLetter || letter == "_":
                let word = word()
                if word == "translate", self.byte == UInt8(ascii: "("), before != "func" { call() }
                before = word
            default: place += 1
            }
        }
    }

    private mutating func nested(_ close: Character) {
        place += 1
        code(until: [close])
        place += 1
    }

    private mutating func skip(to end: String) {
        while place < bytes.count, !sees(end) { place += 1 }
        place += end.utf8.count
    }

    private mutating func word() -> String {
        let start = place
        while let byte, byte >= 0x80 || byte == UInt8(ascii: "_") || Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber { place += 1 }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while let byte, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") { place += 1 }
    }

    private var startsRaw: Bool { bytes[place...].drop { $0 == UInt8(ascii: "#") }.first == UInt8(ascii: "\"") }

    // MARK: Calls

    private typealias Literal = (pattern: String, values: [String])

    private mutating func call() {
        let start = place, index = texts.count
        var arguments: [String: Literal] = [:], first = true
        place += 1
        while let byte, byte != UInt8(ascii: ")") {
            skipSpace()
            let label = label() ?? (first ? "" : "?")
            let literal = self.byte == UInt8(ascii: "\"") ? literal() : nil
            let end = place
            code(until: [",", ")"])
            // More after a literal makes it an expression.
            if let literal, bytes[end..<place].allSatisfy({ $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") }) { arguments[label] = literal }
            if self.byte == UInt8(ascii: ",") { place += 1 }
            first = false
        }
        place += 1
        let context = arguments["context"]?.pattern
        if let one = arguments["one"], let other = arguments["other"] {
            texts.insert(SourceText(context: context, english: one.pattern, plural: other.pattern, values: other.values), at: index)
        } else if let text = arguments[""] {
            texts.insert(SourceText(context: context, english: text.pattern, plural: nil, values: text.values), at: index)
        } else {
            problems.append("line \(bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1): no literal")
        }
    }

    private mutating func label() -> String? {
        let start = place, word = word()
        guard !word.isEmpty, sees(":") else {
            place = start
            return nil
        }
        place += 1
        skipSpace()
        return word
    }

    // MARK: Literals

    /// The text, with numbers for its interpolations. Nil of one that no call may have: raw, or of several lines.
    private mutating func literal() -> Literal? {
        var hashes = ""
        while byte == UInt8(ascii: "#") {
            hashes += "#"
            place += 1
        }
        let quotes = sees("\"\"\"") ? "\"\"\"" : "\""
        place += quotes.utf8.count
        var text: [UInt8] = [], values: [String] = []
        while place < bytes.count, !sees(quotes + hashes) {
            guard sees("\\" + hashes) else {
                text.append(bytes[place])
                place += 1
                continue
            }
            place += 1 + hashes.utf8.count
            if byte == UInt8(ascii: "(") {
                let start = place + 1
                nested(")")
                text += Array("{\(values.count)}".utf8)
                values.append(String(decoding: bytes[start..<(place - 1)], as: UTF8.self))
            } else {
                text += Array(escape().utf8)
            }
        }
        place += quotes.utf8.count + hashes.utf8.count
        return quotes == "\"" && hashes.isEmpty ? (String(decoding: text, as: UTF8.self), values) : nil
    }

    private mutating func escape() -> String {
        let letter = byte.map { Character(UnicodeScalar($0)) } ?? " "
        place += 1
        switch letter {
        case "n": return "\n"
        case "t": return "\t"
        case "u" where byte == UInt8(ascii: "{"):
            let start = place + 1
            skip(to: "}")
            let number = UInt32(String(decoding: bytes[start..<(place - 1)], as: UTF8.self), radix: 16)
            return number.flatMap(UnicodeScalar.init).map { String(Character($0)) } ?? ""
        default: return String(letter)
        }
    }
}
