// SPDX-License-Identifier: Apache-2.0

/// Something that a purchase opens, such as `premium`.
package struct AccessLevel: Hashable, Sendable, Comparable, RawRepresentable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static func < (left: AccessLevel, right: AccessLevel) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }
}
