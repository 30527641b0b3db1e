// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

extension Adjust {
    /// Records the own event `ad_revenue`; `source`, `network`, `unit`, `placement` and `impressions` are its properties.
    public static func trackAdRevenue(_ adRevenue: ADJAdRevenue) { Connection.current.track(adRevenue) }

    /// Records the own event `subscription`; `transaction_id`, `transaction_time` (Unix seconds) and `sales_region` are its
    /// properties. A transaction that this launch has seen lately is not recorded again. The server also gets what the App Store
    /// has signed, if StoreKit has the transaction and the network answers: for all purchases, and until the server has them, call
    /// `observePurchases()` of ``client``.
    public static func trackAppStoreSubscription(_ subscription: ADJAppStoreSubscription) {
        Connection.current.track(subscription)
    }

    /// The first generation's name of ``trackAppStoreSubscription(_:)``.
    public static func trackSubscription(_ subscription: ADJAppStoreSubscription) { Connection.current.track(subscription) }

    /// Asks the server whether the App Store signed this transaction of this product; it is stored as ``client`` stores purchases.
    /// - Parameter completion: is called on the main thread, within 30 s in every case.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(verifyAppStorePurchase:withCompletionHandler:)
    #endif
    public static func verifyAppStorePurchase(
        _ purchase: ADJAppStorePurchase,
        withCompletionHandler completion: @escaping @MainActor (ADJPurchaseVerificationResult) -> Void
    ) {
        Connection.current.verify(purchase.transactionId, of: purchase.productId, completion)
    }

    @nonobjc public static func verifyAppStorePurchase(_ purchase: ADJAppStorePurchase) async -> ADJPurchaseVerificationResult {
        await withCheckedContinuation { done in verifyAppStorePurchase(purchase) { done.resume(returning: $0) } }
    }

    /// Records the event, whatever the answer will be, and verifies its transaction as
    /// ``verifyAppStorePurchase(_:withCompletionHandler:)`` does.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(verifyAndTrackAppStorePurchase:withCompletionHandler:)
    #endif
    public static func verifyAndTrackAppStorePurchase(
        _ event: ADJEvent,
        withCompletionHandler completion: @escaping @MainActor (ADJPurchaseVerificationResult) -> Void
    ) {
        Connection.current.verifyAndTrack(event, completion)
    }

    /// - Parameter isolation: leave it out: an event stays with the caller.
    @nonobjc public static func verifyAndTrackAppStorePurchase(
        _ event: ADJEvent, isolation: isolated (any Actor)? = #isolation
    ) async -> ADJPurchaseVerificationResult {
        await withCheckedContinuation { done in verifyAndTrackAppStorePurchase(event) { done.resume(returning: $0) } }
    }

    /// The first generation's name of ``verifyAppStorePurchase(_:withCompletionHandler:)``.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(verifyPurchase:completionHandler:)
    #endif
    public static func verifyPurchase(
        _ purchase: ADJAppStorePurchase, completionHandler: @escaping @MainActor (ADJPurchaseVerificationResult) -> Void
    ) {
        Connection.current.verify(purchase.transactionId, of: purchase.productId, completionHandler)
    }

    @nonobjc public static func verifyPurchase(_ purchase: ADJAppStorePurchase) async -> ADJPurchaseVerificationResult {
        await verifyAppStorePurchase(purchase)
    }

    /// The first generation's name of ``verifyAndTrackAppStorePurchase(_:withCompletionHandler:)``.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(verifyAndTrack:completionHandler:)
    #endif
    public static func verifyAndTrack(
        _ event: ADJEvent, completionHandler: @escaping @MainActor (ADJPurchaseVerificationResult) -> Void
    ) {
        Connection.current.verifyAndTrack(event, completionHandler)
    }

    /// - Parameter isolation: leave it out: an event stays with the caller.
    @nonobjc public static func verifyAndTrack(
        _ event: ADJEvent, isolation: isolated (any Actor)? = #isolation
    ) async -> ADJPurchaseVerificationResult {
        await verifyAndTrackAppStorePurchase(event)
    }

    @available(*, unavailable, message: "Pass an ADJAdRevenue: its value and currency can be counted, a payload cannot.")
    @nonobjc public static func trackAdRevenue(_ source: String, payload: Data) {}
}

extension Connection {
    func track(_ adRevenue: ADJAdRevenue) {
        var event = OwnEvent("ad_revenue", amount: adRevenue.revenue?.doubleValue, currency: adRevenue.currency)
        event.add("source", adRevenue.source)
        event.add("network", adRevenue.adRevenueNetwork)
        event.add("unit", adRevenue.adRevenueUnit)
        event.add("placement", adRevenue.adRevenuePlacement)
        event.add("impressions", adRevenue.adImpressionsCount.map { "\($0)" })
        event.add(adRevenue.callbackParameters)
        event.add(adRevenue.partnerParameters, prefix: "partner.")
        events.record(event)
    }

    func track(_ subscription: ADJAppStoreSubscription) {
        if subscription.receipt != nil { notices.say(.receipt) }
        var event = OwnEvent("subscription", amount: subscription.price.doubleValue, currency: subscription.currency)
        event.add("transaction_id", subscription.transactionId)
        event.add("transaction_time", subscription.transactionDate.flatMap { Int(exactly: $0.timeIntervalSince1970.rounded()) }.map { "\($0)" })
        event.add("sales_region", subscription.salesRegion)
        event.add(subscription.callbackParameters)
        event.add(subscription.partnerParameters, prefix: "partner.")
        events.record(event, id: "subscription \(subscription.transactionId)")
        verify(subscription.transactionId, of: nil) { _ in }
    }

    /// The longest wait for the server's word.
    private static let verificationLimit = Duration.seconds(30)

    func verifyAndTrack(_ event: ADJEvent, _ completion: @escaping @MainActor (ADJPurchaseVerificationResult) -> Void) {
        track(event)
        guard let transactionId = event.transactionId, let productId = event.productId else {
            return answer({ .nothingToVerify }) { completion($0 ?? .nothingToVerify) }
        }
        verify(transactionId, of: productId, completion)
    }

    func verify(
        _ transactionId: String, of productId: String?, _ completion: @escaping @MainActor (ADJPurchaseVerificationResult) -> Void
    ) {
        answer(within: Self.verificationLimit) {
            guard let client = await self.awaitClient() else { return nil }
            do {
                let verdict = try await client.verifyPurchase(transactionId, of: productId, within: Self.verificationLimit)
                return ADJPurchaseVerificationResult(verdict)
            } catch {
                return ADJPurchaseVerificationResult(error)
            }
        } _: { (result: ADJPurchaseVerificationResult?) in
            completion(result ?? .noAnswer)
        }
    }
}
