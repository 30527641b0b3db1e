// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The limits of custom attributes, the same for a configuration that declares them and a phone that sets them.
enum AttributeRules {
    static let mostAttributes = 30
    static let longestName = 30
    static let longestText = 50

    static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// - Parameter value: nil removes the attribute.
    static func check(_ name: String, _ value: AttributeValue?, declared: AttributeType?) throws(AttributeRefusal) {
        guard isName(name) else { throw .name }
        guard let value else { return }
        if case .string(let text) = value, text.count > longestText { throw .tooLong(name) }
        if case .number(let number) = value, !number.isFinite { throw .notFinite(name) }
        if let declared, declared != value.type { throw .type(name, declared) }
    }
}

extension AttributeValue {
    var type: AttributeType {
        switch self {
        case .string: .string
        case .number: .number
        case .bool: .boolean
        }
    }
}

/// A custom attribute that cannot be stored.
enum AttributeRefusal: Refusal, Hashable {
    case name
    case tooLong(String)
    case notFinite(String)
    case type(String, AttributeType)

    var code: ErrorCode { .invalidAttribute }

    var description: String {
        switch self {
        case .name: "An attribute's name is 1 to \(AttributeRules.longestName) of A-Z, a-z, 0-9, '.', '_' and '-'. Rename it."
        case .tooLong(let name): "The attribute '\(name)' is longer than \(AttributeRules.longestText) characters. Shorten it."
        case .notFinite(let name): "The attribute '\(name)' is no finite number. Send a number, or null to remove it."
        case .type(let name, let type): "The attribute '\(name)' is declared as \(type.rawValue). Send that type, or change landfall.yaml."
        }
    }
}
