// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The person's identity according to the app or the team's backend.
struct Identification: Hashable, Sendable {
    var key: IdempotencyKey
    var customerID: CustomerID
    /// True if an identity token proved it. Only then does the install join an existing profile.
    var isVerified: Bool
}

/// The team's own id of a person. It is compared byte by byte, like every id: texts that Unicode calls equivalent are different
/// ids.
struct CustomerID: WireIdentifier, ExpressibleByStringLiteral {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
    init(stringLiteral value: String) { rawValue = value }
}
