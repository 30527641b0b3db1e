// SPDX-License-Identifier: Apache-2.0

/// How a purchase ended that did not fail.
public enum PurchaseResult: Hashable, Sendable {
    /// The person has paid, and the store has verified it: open what they bought. The profile is the server's answer to it. If the server
    /// has not answered in time, it is the last known one, whose ``Profile/access(_:)`` may still be closed; before the server's very
    /// first answer its ``Profile/version`` is 0. The transaction is kept, and ``LandfallClient/profiles`` tells the answer.
    case purchased(Profile)
    /// Somebody has to approve it, such as a parent; ``LandfallClient/profiles`` tells it then, in this launch or a later one.
    case pending
    /// The person has closed the store's sheet.
    case cancelled
}
