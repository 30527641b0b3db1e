// SPDX-License-Identifier: Apache-2.0

/// Gets every change of the profile. ``Adapty/delegate`` holds it strongly.
public protocol AdaptyDelegate: AnyObject, Sendable {
    /// Called on the main thread, or on the configuration's queue: once for the current profile when the delegate is set, then
    /// for each change, in order.
    func didLoadLatestProfile(_ profile: AdaptyProfile)

    /// The person chose a product on the App Store's page of the app (iOS 16.4). True, the default: it is bought now. False: the app
    /// calls `Adapty.makePurchase(product:)` when it suits. Not called in observer mode.
    func shouldAddStorePayment(for product: AdaptyDeferredProduct) -> Bool

    /// Never called: ask `Adapty.client?.attribution`, or listen to `profiles` of the client.
    func onInstallationDetailsSuccess(_ details: AdaptyInstallationDetails)

    /// Never called.
    func onInstallationDetailsFail(error: AdaptyError)

    /// Called with `transactionFinishBehavior: .manual`, for each transaction that StoreKit has verified, and nobody has finished. What
    /// `makePurchase` sells is finished without it.
    func onUnfinishedTransaction(_ transaction: AdaptyUnfinishedTransaction)
}

extension AdaptyDelegate {
    public func shouldAddStorePayment(for product: AdaptyDeferredProduct) -> Bool { true }
    public func onInstallationDetailsSuccess(_ details: AdaptyInstallationDetails) {}
    public func onInstallationDetailsFail(error: AdaptyError) {}
    public func onUnfinishedTransaction(_ transaction: AdaptyUnfinishedTransaction) {}
}
