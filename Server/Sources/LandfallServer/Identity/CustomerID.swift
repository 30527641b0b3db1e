// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A person as the team's own system calls them. Like every id compared byte by byte: what Unicode calls equivalent is somebody
/// else.
struct CustomerID: WireIdentifier, ExpressibleByStringLiteral {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
    init(stringLiteral value: String) { rawValue = value }
}
