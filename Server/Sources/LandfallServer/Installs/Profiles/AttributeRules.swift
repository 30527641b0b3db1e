// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// The limits of custom attributes, and the result of a change.
enum AttributeRules {
    /// - Throws: ``InstallError/invalidAttribute(_:)``; then no part of the change applies.
    static func applying(
        _ changes: [String: AttributeValue?], to attributes: [String: AttributeValue]
    ) throws(InstallError) -> [String: AttributeValue] {
        var result = attributes
        for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
            guard (1...Limits.attributeKey).contains(key.utf8.count), key.utf8.allSatisfy(isAllowed) else {
                throw .invalidAttribute(
                    "An attribute's key has 1 to \(Limits.attributeKey) characters of A-Z, a-z, 0-9, '.', '_' and '-'.")
            }
            switch value {
            case .string(let text) where text.utf8.count > Limits.attributeText:
                throw .invalidAttribute("The attribute '\(key)' is longer than \(Limits.attributeText) bytes.")
            case .number(let number) where !number.isFinite:
                throw .invalidAttribute("The attribute '\(key)' is not a finite number.")
            default: result[key] = value
            }
        }
        guard result.count <= Limits.attributes else {
            throw .invalidAttribute("A profile has at most \(Limits.attributes) attributes. Remove one by setting it to null.")
        }
        return result
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
