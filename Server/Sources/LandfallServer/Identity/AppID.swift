// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// One app of the configuration. Every key in the store starts with it, so that the rows of different apps never mix.
struct AppID: Hashable, Sendable, CustomStringConvertible {
    let rawValue: String
    init(_ rawValue: String) { self.rawValue = rawValue }
    var description: String { rawValue }

    static func == (left: AppID, right: AppID) -> Bool { left.rawValue.hasSameBytes(as: right.rawValue) }

    func hash(into hasher: inout Hasher) { rawValue.hashBytes(into: &hasher) }
}
