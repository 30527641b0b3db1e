// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// What a value of a remote config is, by what the file has there: the form asks for it accordingly.
enum RemoteConfigKind: CaseIterable, Hashable, Sendable {
    case text, number, flag, color, address
    /// A list or an object: only the text of the file changes it.
    case structure

    init(_ node: ConfigurationNode) {
        guard case .scalar(let text, _) = node.content else { self = .structure; return }
        switch node.value(isJSON: true) {
        case .integer, .number: self = .number
        case .bool: self = .flag
        case .string where Self.isColor(text): self = .color
        case .string where Self.isAddress(text): self = .address
        default: self = .text
        }
    }

    /// `#RGB` or `#RRGGBB`, also with an opacity behind.
    static func isColor(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst()
        return text.utf8.first == UInt8(ascii: "#") && [3, 4, 6, 8].contains(digits.count)
            && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }

    private static func isAddress(_ text: String) -> Bool { Place(web: text) != nil && !text.contains(where: \.isWhitespace) }

    /// `#RRGGBB`, as the browser's picker has it.
    /// - Parameter text: a colour.
    static func opaque(_ text: String) -> String {
        let digits = text.dropFirst()
        return digits.count < 6 ? "#" + digits.prefix(3).map { "\($0)\($0)" }.joined() : String(text.prefix(7))
    }

    /// What was typed as a value of this kind.
    func value(_ text: String, _ field: String, _ words: Words) throws -> ConfigurationValue {
        func read() -> ConfigurationValue? {
            var source = ConfigurationText()
            guard let node = source.parse(text), source.problems.isEmpty else { return nil }
            return ConfigurationValue(node)
        }
        switch self {
        case .number:
            switch read() {
            case .integer(let value)?: return .integer(value)
            case .number(let value)?: return .number(value)
            case .written(let value)?: return .written(value)
            default: throw ConfigurationFormRefusal(field, words.needsKind("number"))
            }
        case .flag:
            guard case .flag(let flag)? = read() else { throw ConfigurationFormRefusal(field, words.needsKind("boolean")) }
            return .flag(flag)
        case .color:
            guard Self.isColor(text) else { throw ConfigurationFormRefusal(field, words.needsColor) }
        case .address:
            guard Self.isAddress(text) else { throw ConfigurationFormRefusal(field, words.needsAddress) }
        case .text, .structure: break
        }
        return .text(text)
    }
}
