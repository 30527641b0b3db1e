// SPDX-License-Identifier: Apache-2.0

/// What the App Store signs and posts. One of the envelopes is there, and none in a form that nobody knows yet.
package struct NotificationPayload: Hashable, Sendable, Codable {
    package struct Content: Hashable, Sendable, Codable {
        package var appAppleId: Int64?
        package var bundleId: String
        package var bundleVersion: String?
        package var environment: String?
        package var status: Int?
        package var consumptionRequestReason: String?
        package var signedTransactionInfo: String?
        package var signedRenewalInfo: String?
    }

    /// Seats that their members have given back.
    package struct UnclaimInfo: Hashable, Sendable, Codable {
        package var appAppleId: Int64?
        package var bundleId: String
        package var environment: String?
        package var originalTransactionId: String
        package var seatQuantity: Int
    }

    package var notificationType: String
    package var subtype: String?
    package var notificationUUID: String
    package var version = "2.0"
    package var signedDate: Int64
    package var data: Content?
    package var unclaimInfo: UnclaimInfo?
}
