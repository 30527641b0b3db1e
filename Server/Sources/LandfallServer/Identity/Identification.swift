// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Who the person is, as the app or the team's backend says.
struct Identification: Hashable, Sendable {
    var key: IdempotencyKey
    var customerID: CustomerID
    /// True where an identity token proved it. Only then is an existing profile joined.
    var isVerified: Bool
}

/// A person as the team's own system calls them. Like every id compared byte by byte: what Unicode calls equivalent is somebody
/// else.
struct CustomerID: WireIdentifier, ExpressibleByStringLiteral {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
    init(stringLiteral value: String) { rawValue = value }
}
