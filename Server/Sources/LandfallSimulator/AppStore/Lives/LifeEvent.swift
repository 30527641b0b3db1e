// SPDX-License-Identifier: Apache-2.0

/// What happens at one instant of a purchase's life: new versions of what is signed about it, and mostly a notification.
package struct LifeEvent: Hashable, Sendable {
    package struct Notice: Hashable, Sendable {
        package var type: String
        package var subtype: String?
        package var uuid: String
        package var consumptionRequestReason: String?
        /// Is posted instead of transaction and renewal.
        package var unclaimedSeats: Int?
    }

    /// When it is signed and posted, in Unix milliseconds.
    package var at: Int64
    /// nil for what is only heard from the phone or by asking.
    package var notice: Notice?
    package var transaction: TransactionPayload?
    package var renewal: RenewalPayload?
    /// Of the subscription: 1 active, 2 expired, 3 billing retry, 4 grace, 5 revoked.
    package var status: Int?
}
