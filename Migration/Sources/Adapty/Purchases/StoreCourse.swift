// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// What the store brings by itself, for an app that sells with these names.
struct StoreCourse: Sendable {
    let store: any ProductSource
    let client: LandfallClient
    /// Who ends a transaction.
    let behavior: AdaptyConfiguration.TransactionFinishBehavior
    let delivery: ProfileDelivery
    let queue: DispatchQueue

    /// Until the task is cancelled.
    func follow() async {
        await withTaskGroup { group in
            // The listener first: what comes while the unfinished ones are read is not lost.
            group.addTask { for await sold in store.updates() { await came(sold) } }
            group.addTask { for await sold in store.unfinished() { await came(sold) } }
            group.addTask { for await promoted in client.promotedPurchases { await chosen(promoted.productID) } }
        }
    }

    /// Sold before with another SDK, renewed, or approved. What fails now comes again in the next launch.
    private func came(_ sold: SoldTransaction) async {
        let transaction = AdaptyUnfinishedTransaction(sold, of: client, in: store)
        if behavior == .auto { return (try? await transaction.finish()) ?? () }
        queue.async { [delivery] in delivery.delegate?.onUnfinishedTransaction(transaction) }
    }

    /// On the App Store's page of the app. Without a delegate the purchase goes on, as by its default.
    private func chosen(_ productID: String) async {
        let product = AdaptyDeferredProduct(productID, await client.product(productID))
        let goesOn = await withCheckedContinuation { answer in
            queue.async { [delivery] in answer.resume(returning: delivery.delegate?.shouldAddStorePayment(for: product) ?? true) }
        }
        if goesOn { _ = try? await client.purchase(productID) }
    }
}

extension LandfallClient {
    /// nil if the store does not sell it.
    fileprivate func product(_ id: String) async -> StoreProduct? {
        let paywall = Paywall(name: "promoted", variationID: "promoted", productIDs: [id])
        let shown = PaywallResult(
            paywall: paywall, placement: "promoted", audience: .everyone, origin: .bundled, attribution: .pending, elapsed: .zero,
            revision: 0)
        return try? await products(of: shown).first
    }
}
