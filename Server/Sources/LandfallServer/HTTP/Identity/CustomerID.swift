// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The team's own id of a person. It is compared byte by byte, like every id: texts that Unicode calls equivalent are different
/// ids.
package struct CustomerID: WireIdentifier, ExpressibleByStringLiteral {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }
}
