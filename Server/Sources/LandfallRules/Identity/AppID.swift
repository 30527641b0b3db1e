// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// One app of the configuration. Every key in the store starts with it, so that the rows of different apps never mix.
package struct AppID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }

    package static func == (left: AppID, right: AppID) -> Bool { left.rawValue.hasSameBytes(as: right.rawValue) }

    package func hash(into hasher: inout Hasher) { rawValue.hashBytes(into: &hasher) }
}
