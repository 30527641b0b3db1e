// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
#if canImport(StoreKit)
import StoreKit
#endif

extension Activation {
    func products(of paywall: AdaptyPaywall, determiningOffer: Bool) async throws(AdaptyError) -> [PaywallProduct] {
        let client = try await client()
        do {
            let found = try await client.products(of: paywall.result)
            return await PaywallProduct.all(found, of: paywall, determiningOffer: determiningOffer)
        } catch {
            throw AdaptyError(loading: error)
        }
    }

    func makePurchase(of productID: String, from paywall: AdaptyPaywall?) async throws(AdaptyError) -> AdaptyPurchaseResult {
        let client = try await client()
        return try await AdaptyError.translating {
            switch try await client.purchase(productID, from: paywall?.result) {
            case .purchased(let profile):
                .success(profile: AdaptyProfile(profile), transaction: await Self.newestTransaction(of: productID))
            case .pending: .pending
            case .cancelled: .userCancelled
            }
        }
    }

    func restorePurchases() async throws(AdaptyError) -> AdaptyProfile {
        let client = try await client()
        do { return AdaptyProfile(try await client.restorePurchases()) } catch {
            // Not of the calling task: the person has closed the store's sheet.
            guard error is CancellationError, !Task.isCancelled else { throw AdaptyError(translated: error) }
            throw AdaptyError(
                .paymentCancelled, "The person did not sign in to the App Store, so nothing was restored. Nothing to do.", originalError: error)
        }
    }

    /// Names the paywall that sold it, if `logShowPaywall` was called for one of this variation in this launch.
    func reportTransaction(_ id: String?, of variationId: String?) async throws(AdaptyError) {
        let client = try await client()
        guard let id else { throw AdaptyError(.unknownTransactionId, "The payment is not over: it has no transaction yet. Report it then.") }
        let shown = variationId.flatMap { shownPaywalls.result(of: $0) }
        let verdict = try await AdaptyError.translating { try await client.reportPurchase(id, from: shown) }
        if verdict != .genuine { throw AdaptyError(verdict) }
    }

    func unfinishedTransactions() async throws(AdaptyError) -> [AdaptyUnfinishedTransaction] {
        let client = try await client()
        guard let store else { throw AdaptyError(.cantMakePayments, "There is no store on this system.") }
        let signed = await Self.unfinishedOfStoreKit()
        var unfinished: [AdaptyUnfinishedTransaction] = []
        for await sold in store.unfinished() {
            unfinished.append(AdaptyUnfinishedTransaction(sold, of: client, in: store, transaction: signed[sold.transaction.id]))
        }
        return unfinished
    }

    #if canImport(StoreKit)
    private static func newestTransaction(of productID: String) async -> any Sendable {
        if let newest = await Transaction.latest(for: productID) { return newest }
        return NoTransaction()
    }

    private static func unfinishedOfStoreKit() async -> [String: any Sendable] {
        var all: [String: any Sendable] = [:]
        for await result in Transaction.unfinished { all["\(result.unsafePayloadValue.id)"] = result }
        return all
    }
    #else
    private static func newestTransaction(of productID: String) async -> any Sendable { NoTransaction() }
    private static func unfinishedOfStoreKit() async -> [String: any Sendable] { [:] }
    #endif
}

/// The store on the phone has shown none.
private struct NoTransaction: Sendable {}

/// The paywalls that were logged as shown, by variation: the newest of each.
///
/// `@unchecked Sendable`: every access to `results` holds `lock`.
final class ShownPaywalls: @unchecked Sendable {
    private static let most = 64
    private let lock = NSLock()
    private var results: [PaywallResult] = []

    func add(_ result: PaywallResult) { lock.withLock { results = Array((results + [result]).suffix(Self.most)) } }

    func result(of variationId: String) -> PaywallResult? {
        lock.withLock { results.last { $0.paywall?.variationID.rawValue == variationId } }
    }
}
