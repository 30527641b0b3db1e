// SPDX-License-Identifier: Apache-2.0

/// Gets every change of the profile. ``Adapty/delegate`` holds it strongly.
public protocol AdaptyDelegate: AnyObject, Sendable {
    /// Called on the main thread, or on the configuration's queue: once for the current profile when the delegate is set, then
    /// for each change, in order.
    func didLoadLatestProfile(_ profile: AdaptyProfile)

    /// Never called: Landfall observes no purchases yet. Read StoreKit's `PurchaseIntent.intents`.
    func shouldAddStorePayment(for product: AdaptyDeferredProduct) -> Bool

    /// Never called: ask `Adapty.client?.attribution`, or listen to `profiles` of the client.
    func onInstallationDetailsSuccess(_ details: AdaptyInstallationDetails)

    /// Never called.
    func onInstallationDetailsFail(error: AdaptyError)

    /// Never called: Landfall sees no transactions yet. Read StoreKit's `Transaction.unfinished`.
    func onUnfinishedTransaction(_ transaction: AdaptyUnfinishedTransaction)
}

extension AdaptyDelegate {
    public func shouldAddStorePayment(for product: AdaptyDeferredProduct) -> Bool { true }
    public func onInstallationDetailsSuccess(_ details: AdaptyInstallationDetails) {}
    public func onInstallationDetailsFail(error: AdaptyError) {}
    public func onUnfinishedTransaction(_ transaction: AdaptyUnfinishedTransaction) {}
}
