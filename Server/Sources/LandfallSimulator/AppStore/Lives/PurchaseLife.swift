// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The whole life of a purchase at once: a function of the product id, the purchase, the seed and the start, without time and network.
package struct PurchaseLife: Hashable, Sendable {
    package let product: SimulatedProduct
    package let purchase: SimulatedPurchase
    package let app: SimulatedApp
    /// In order of time.
    package internal(set) var events: [LifeEvent]

    /// - Parameters:
    ///   - start: of the first transaction, in Unix milliseconds.
    ///   - day: how long a day lasts, in milliseconds; shorter days shorten every length of the product id.
    /// - Throws: a sentence about the product id.
    package init(
        _ purchase: SimulatedPurchase, seed: UInt64, start: Int64, day: Int64 = SimulatedPeriod.day, app: SimulatedApp = SimulatedApp()
    ) throws(SimulatedProductError) {
        product = try SimulatedProduct(purchase.life ?? purchase.productId, named: purchase.productId)
        self.purchase = purchase
        self.app = app
        var course = LifeCourse(product, purchase, app: app, seed: seed, start: start, day: day)
        course.run()
        events = course.events
    }

    /// What a notification says, with its transaction and renewal signed by themselves. nil for an event without one.
    package func notification(_ event: LifeEvent, signer: JWSSigner) throws -> NotificationPayload? {
        guard let notice = event.notice else { return nil }
        let appleID = product.environment == .production ? app.appleID : nil
        let environment = product.environment.name
        var payload = NotificationPayload(
            notificationType: notice.type, subtype: notice.subtype, notificationUUID: notice.uuid, signedDate: event.at
        )
        if let seats = notice.unclaimedSeats {
            payload.unclaimInfo = NotificationPayload.UnclaimInfo(
                appAppleId: appleID, bundleId: app.bundleID, environment: environment,
                originalTransactionId: events.first?.transaction?.originalTransactionId ?? "", seatQuantity: seats
            )
            return payload
        }
        payload.data = NotificationPayload.Content(
            appAppleId: appleID, bundleId: app.bundleID, bundleVersion: app.version, environment: environment,
            status: event.status, consumptionRequestReason: notice.consumptionRequestReason,
            signedTransactionInfo: try event.transaction.map { try signer.sign($0) },
            signedRenewalInfo: try event.renewal.map { try signer.sign($0) }
        )
        return payload
    }

    /// What is posted: the notification, signed.
    package func post(_ event: LifeEvent, signer: JWSSigner) throws -> Data? {
        try notification(event, signer: signer).map { try signer.body($0) }
    }
}
