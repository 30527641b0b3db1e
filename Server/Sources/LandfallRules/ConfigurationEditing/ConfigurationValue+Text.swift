// SPDX-License-Identifier: Apache-2.0

/// A value as the text of a file: the text after the colon or the dash, and the lines below it.
struct ConfigurationValueText: Hashable, Sendable {
    /// Empty for a mapping or list of several lines.
    var head: String
    /// The lines below, with their indentation and without line breaks.
    var body: [String] = []
}

extension ConfigurationValue {
    /// The value in one line, in the form that it has in braces or brackets.
    package var inLine: String {
        switch self {
        case .null: "null"
        case .flag(let flag): flag ? "true" : "false"
        case .integer(let integer): String(integer)
        case .number(let number): "\(number)"
        case .written(let text): text
        case .text(let text): Self.scalar(text, inFlow: true)
        case .list(let elements): "[" + elements.map(\.inLine).joined(separator: ", ") + "]"
        case .mapping(let members) where members.isEmpty: "{}"
        case .mapping(let members):
            "{ " + members.map { "\(Self.scalar($0.name, inFlow: true)): \($0.value.inLine)" }.joined(separator: ", ") + " }"
        }
    }

    /// The value in as many lines as it needs.
    /// - Parameter indentation: the indentation of the lines below the head.
    func text(indentation: Int) -> ConfigurationValueText {
        let margin = String(repeating: " ", count: indentation)
        switch self {
        case .list(let elements) where !elements.isEmpty:
            return ConfigurationValueText(
                head: "", body: elements.flatMap { $0.lines(after: margin + "-", indentation: indentation + 2, isElement: true) })
        case .mapping(let members) where !members.isEmpty:
            return ConfigurationValueText(
                head: "",
                body: members.flatMap {
                    $0.value.lines(after: margin + Self.scalar($0.name, inFlow: false) + ":", indentation: indentation + 2)
                })
        case .text(let text):
            guard let lines = Self.literal(text) else { return ConfigurationValueText(head: Self.scalar(text, inFlow: false)) }
            return ConfigurationValueText(
                head: text.hasSuffix("\n") ? "|" : "|-", body: lines.map { $0.isEmpty ? "" : margin + $0 })
        default: return ConfigurationValueText(head: inLine)
        }
    }

    /// A key or a dash with this value.
    /// - Parameter isElement: true if the first line of a mapping or list is on the line of the dash.
    func lines(after start: String, indentation: Int, isElement: Bool = false) -> [String] {
        var text = text(indentation: indentation)
        if isElement, text.head.isEmpty, let first = text.body.first {
            text.head = String(first.dropFirst(indentation))
            text.body.removeFirst()
        }
        return [text.head.isEmpty ? start : start + " " + text.head] + text.body
    }

    /// Plain if every reader of YAML reads it as this text, otherwise in double quotes.
    static func scalar(_ text: String, inFlow: Bool) -> String {
        isPlain(text, inFlow: inFlow) ? text : quoted(text)
    }

    private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        guard let first = text.unicodeScalars.first, first.isLetterOrDigit, text.utf8.last != UInt8(ascii: " ") else { return false }
        var previous = first
        for scalar in text.unicodeScalars {
            switch scalar {
            case "#" where previous == " ": return false
            case " " where previous == ":": return false
            case ",", "[", "]", "{", "}", ":": if inFlow { return false }
            default: if scalar.mustBeEscaped { return false }
            }
            previous = scalar
        }
        // Words that YAML 1.1 reads as flags mean something else to other programs.
        guard previous != ":", !["yes", "no", "on", "off"].contains(text.lowercased()) else { return false }
        return json(ConfigurationNode(place: .start, content: .scalar(text, isQuoted: false))) == .text(text)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            default:
                if scalar.mustBeEscaped {
                    let digits = String(scalar.value, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }

    /// The lines of a text that can be written below `|`; nil for any other text.
    private static func literal(_ text: String) -> [String]? {
        var lines = text.split(separator: "\n" as Unicode.Scalar, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count > 1, let first = lines.first?.first, first != " ", lines.last?.isEmpty == false else { return nil }
        return lines.allSatisfy { !$0.contains { $0.mustBeEscaped } } ? lines.map { String($0) } : nil
    }
}

extension String {
    fileprivate func split(separator: Unicode.Scalar, omittingEmptySubsequences: Bool) -> [Substring.UnicodeScalarView] {
        unicodeScalars.split(separator: separator, omittingEmptySubsequences: omittingEmptySubsequences)
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: value >= 0xA1 && properties.isAlphabetic
        }
    }

    /// Control characters, line breaks that only YAML knows, characters that change the direction of text, and invisible
    /// characters.
    fileprivate var mustBeEscaped: Bool {
        switch value {
        case 0..<0x20, 0x7F...0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF0...0xFFFF: true
        default: false
        }
    }
}
