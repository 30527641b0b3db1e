// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The person's identity according to the app or the team's backend.
package struct Identification: Hashable, Sendable {
    var key: IdempotencyKey
    var customerID: CustomerID
    /// True if an identity token proved it. Only then does the install join an existing profile.
    var isVerified: Bool
}
