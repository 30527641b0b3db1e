// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// What the server accepts as custom attributes, checked before anything is kept.
enum CustomAttributeLimits {
    static let attributes = 30
    static let keyCharacters = 30
    static let textCharacters = 50

    /// - Throws: ``AdaptyError`` 3001 with the offending key.
    static func check(_ changes: [String: AttributeValue?]) throws(AdaptyError) {
        guard changes.count <= attributes else {
            throw AdaptyError(.wrongParam, "\(changes.count) custom attributes; a profile has at most \(attributes).")
        }
        for (key, value) in changes {
            guard (1...keyCharacters).contains(key.count), key.utf8.allSatisfy(isAllowed) else {
                throw AdaptyError(.wrongParam, "'\(key)' is no attribute key: use 1 to \(keyCharacters) of A-Z a-z 0-9 . _ -")
            }
            switch value {
            case .string(let text) where text.count > textCharacters:
                throw AdaptyError(.wrongParam, "The value of '\(key)' has more than \(textCharacters) characters. Shorten it.")
            case .number(let number) where !number.isFinite:
                throw AdaptyError(.wrongParam, "The value of '\(key)' is \(number). Only finite numbers can be sent.")
            default:
                break
            }
        }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}
