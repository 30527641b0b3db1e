// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Who the person is, as the app or the team's backend says.
struct Identification: Hashable, Sendable {
    var key: IdempotencyKey
    /// 1…128 characters.
    var customerID: String
    /// True where an identity token proved it. Only then is an existing profile joined.
    var isVerified: Bool
}
