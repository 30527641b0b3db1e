// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallDatabase
import LandfallWire

/// The limits of custom attributes, and what a change makes of them.
enum AttributeRules {
    /// - Throws: ``InstallError/invalidAttribute(_:)``; then nothing of the change applies.
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

extension InstallChange {
    /// - Parameter changes: made in this order, those whose key has not been used before.
    func setAttributes(
        _ install: Install, _ values: [String: AttributeValue], then changes: [AttributeChanges]
    ) throws {
        var all: [String: AttributeValue?] = values.mapValues { $0 }
        for change in changes where try isFirst(change.key, .attributes, change) {
            all.merge(change.attributes) { _, new in new }
        }
        try setAttributes(install, all)
    }

    func setAttributes(_ install: Install, _ changes: [String: AttributeValue?]) throws {
        let attributes = try AttributeRules.applying(changes, to: install.attributes)
        guard attributes != install.attributes else { return }
        try connection.run(
            "UPDATE profile SET attributes = $3 WHERE app_id = $1 AND profile_id = $2",
            [
                .text(app.rawValue), .text(install.profileID.rawValue),
                .text(String(decoding: try WireCoding.encode(attributes), as: UTF8.self)),
            ]
        )
    }
}
