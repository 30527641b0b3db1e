// SPDX-License-Identifier: Apache-2.0

extension LandfallClient {
    /// Tells the server what the person has bought, for an app that sells with StoreKit's own calls or with another SDK.
    /// ```swift
    /// landfall.observePurchases()
    /// landfall.start()
    /// ```
    /// Sends every transaction that the store on the phone has, at most 50 in one request, and later only what is new: what the
    /// store reports, and what it has each time the app becomes active. Only the signed texts are sent, and the server verifies
    /// them. Finishes no transaction, and delays none: the app, or the other SDK, handles each as before.
    ///
    /// Call it before `start()`: the first open then says that purchases are coming, and audiences that read them wait for them,
    /// at most 3 s. Calling it again does nothing. In ``CollectionMode/off`` nothing is sent. Without a store
    /// (``LandfallConfiguration/transactions`` is nil) it does nothing, and the log says so.
    public func observePurchases() { launch.observePurchases() }

    /// Asks the store for everything that the person has bought, and sends all of it to the server as this person's. Where the
    /// configuration says `purchases.owner: transfer`, what another profile of the server owns moves to this one.
    ///
    /// For a button *Restore purchases* only: the store may ask the person to sign in. It works with or without
    /// ``observePurchases()``.
    /// - Parameter limit: 0…1 day, anything else is clamped; default 1 minute, because it includes the person's answer to the store.
    /// - Returns: the profile with what the server knows then.
    /// - Throws: ``LandfallError``; `CancellationError` too if the person does not sign in. Nothing is queued, and to call again does
    ///   no harm. ``LandfallError/Kind/invalidArgument`` without a store, or in ``CollectionMode/off``.
    @discardableResult
    public func restorePurchases(within limit: Duration = .seconds(60)) async throws -> Profile {
        try await launch.restorePurchases(within: limit)
    }

    /// Sends one transaction that the store on this phone has as this person's purchase, at once, with the paywall that sold it: for an app
    /// that sells with StoreKit's own calls. It finishes no transaction.
    /// - Parameters:
    ///   - transactionID: the store's own id, in decimal digits.
    ///   - shown: the result whose paywall the person saw, and whose exposure was recorded; nil, the default, for a purchase without one.
    ///   - limit: 0…1 day, anything else is clamped; default 10 s.
    /// - Throws: as ``verifyPurchase(_:of:within:)``. Nothing is queued; ``observePurchases()`` sends it later, without the paywall.
    @discardableResult
    public func reportPurchase(
        _ transactionID: String, from shown: PaywallResult? = nil, within limit: Duration = .seconds(10)
    ) async throws -> PurchaseVerdict {
        try await launch.reportPurchase(transactionID, from: shown, within: limit)
    }

    /// Sends one transaction that the store on this phone has, and says what the server makes of its signature. It claims nothing: what
    /// another profile owns does not move for it. It finishes no transaction, and works with or without ``observePurchases()``.
    /// - Parameters:
    ///   - transactionID: the store's own id, in decimal digits.
    ///   - productID: the product that was sold; a genuine transaction of another one is ``PurchaseVerdict/otherProduct``. nil: any.
    ///   - limit: 0…1 day, anything else is clamped; default 5 s.
    /// - Throws: ``LandfallError``, `CancellationError`: then nothing is known, and to ask again does no harm.
    ///   ``LandfallError/Kind/invalidArgument`` without a store, or in ``CollectionMode/off``.
    public func verifyPurchase(
        _ transactionID: String, of productID: String? = nil, within limit: Duration = .seconds(5)
    ) async throws -> PurchaseVerdict {
        try await launch.verifyPurchase(transactionID, of: productID, within: limit)
    }
}
