// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// The JSON value that YAML 1.2 says a node is: only unquoted scalars can be null, flags or numbers.
    mutating func json(_ node: ConfigurationNode) -> JSONValue? {
        switch node.content {
        case .mapping(let entries):
            var object: [String: JSONValue] = [:]
            for entry in entries { object[entry.key] = json(entry.value) }
            return .object(object)
        case .list(let elements): return .array(elements.compactMap { json($0) })
        case .scalar(let text, isQuoted: true): return .string(text)
        case .scalar(let text, isQuoted: false): return plain(text, node)
        }
    }

    private mutating func plain(_ text: String, _ node: ConfigurationNode) -> JSONValue? {
        if node.isNull { return .null }
        switch text {
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: break
        }
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else { return .string(text) }
        let unsigned = text.drop { $0 == "+" || $0 == "-" }.lowercased()
        if [".inf", ".nan"].contains(unsigned) {
            note(node.place, "JSON has no '\(text)'. Write a number, or put quotes around the text.")
            return nil
        }
        if let integer = integer(text) { return .integer(integer) }
        guard isDecimal(text), let number = Double(text) else { return .string(text) }
        if !number.isFinite {
            note(node.place, "The number '\(text.shortened)' is too large. Write a smaller one, or put quotes around it.")
            return nil
        }
        return .number(number)
    }

    /// Decimal, `0o17` or `0x1F`.
    private func integer(_ text: String) -> Int64? {
        if text.hasPrefix("0x") {
            return text.count > 2 && text.dropFirst(2).allSatisfy(\.isHexDigit) ? Int64(text.dropFirst(2), radix: 16) : nil
        }
        if text.hasPrefix("0o") { return text.dropFirst(2).allSatisfy(\.isNumber) ? Int64(text.dropFirst(2), radix: 8) : nil }
        return Int64(text)
    }

    /// `[-+]? ( . digits | digits ( . digits? )? ) ( e [-+]? digits )?`: what `Double(_:)` takes but for hexadecimals and words.
    private func isDecimal(_ text: String) -> Bool {
        text.utf8.allSatisfy { "+-.eE0123456789".utf8.contains($0) }
            && text.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
