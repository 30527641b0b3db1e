// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The first part of a signed token, before the JWT library sees it.
package enum TokenHeader {
    /// False for bytes that are not base64url, and for a header that contains a number. No registered field is a number, and
    /// the library crashes on a number that is too large for an integer (`1e300`).
    package static func isSafe(_ token: String) -> Bool {
        let part = token.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard let json = bytes(base64url: part) else { return false }
        var isInText = false, isEscaped = false
        for byte in json {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInText: isEscaped = true
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !isInText: return false
            default: break
            }
        }
        return true
    }

    /// Nil for any other text.
    package static func bytes(base64url text: Substring.UTF8View) -> Data? {
        var standard: [UInt8] = []
        standard.reserveCapacity(text.count + 3)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(byte)
            }
        }
        standard += [UInt8](repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: Data(standard))
    }
}
