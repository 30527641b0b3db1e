// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a custom attribute holds. Declared once in the configuration; a value of another type is refused when it is set, and
/// counts as missing where it was stored before the declaration.
enum AttributeType: String, CaseIterable, Sendable {
    case string, number, boolean

    func accepts(_ value: AttributeValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.number, .number), (.boolean, .bool): true
        default: false
        }
    }
}

/// A custom attribute was set to a value of another type than its declared one.
struct AttributeRefusal: Refusal, Hashable {
    let name: String
    let declared: AttributeType

    var code: ErrorCode { .invalidAttribute }

    var description: String {
        "The attribute '\(name)' is declared as \(declared.rawValue). Send a \(declared.rawValue), or change landfall.yaml."
    }
}
