// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// What a custom attribute holds. Declared once in the configuration; a value of another type is refused when it is set, and
/// counts as missing where it was stored before the declaration.
package enum AttributeType: String, CaseIterable, Sendable {
    case string, number, boolean
    /// A text in the form of RFC 3339, with its zone.
    case date

    package func accepts(_ value: AttributeValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.number, .number), (.boolean, .bool): true
        case (.date, .string(let text)): Instant(text) != nil
        default: false
        }
    }

    var kind: ValueKind {
        switch self {
        case .string: .text
        case .number: .number
        case .boolean: .boolean
        case .date: .date
        }
    }

    /// How an error describes a value of this type.
    fileprivate var advice: String {
        switch self {
        case .string, .number, .boolean: "a \(rawValue)"
        case .date: "a text such as 2026-11-22T09:30:00Z, with its zone"
        }
    }
}

/// A custom attribute was set to a value of another type than its declared one.
package struct AttributeRefusal: Refusal, Hashable {
    package let name: String
    package let declared: AttributeType

    package init(name: String, declared: AttributeType) {
        (self.name, self.declared) = (name, declared)
    }

    package var code: ErrorCode { .invalidAttribute }

    package var description: String {
        "The attribute '\(name)' is declared as \(declared.rawValue). Send \(declared.advice), or change landfall.yaml."
    }
}
