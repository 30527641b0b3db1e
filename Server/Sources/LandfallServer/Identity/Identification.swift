// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Who the person is, as the app or the team's backend says.
struct Identification: Hashable, Sendable {
    var key: IdempotencyKey
    var customerID: CustomerID
    /// True where an identity token proved it. Only then is an existing profile joined.
    var isVerified: Bool
}
