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
}
