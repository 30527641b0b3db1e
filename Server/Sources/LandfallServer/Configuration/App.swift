// SPDX-License-Identifier: Apache-2.0
/// The app that a configuration is about, as Apple knows it.
struct App: Hashable, Sendable {
    let id: AppID
    let name: String
    /// `com.example.app`; the audience of identity tokens.
    let bundleID: String
    /// Apple's ten characters.
    let teamID: String?
    /// The app's URL scheme, without `://`.
    let scheme: String?
    let appStoreID: Int64?
    /// Apple's number of the team in App Store campaign links (`pt=`).
    var appStoreProvider: String?
    var android: AndroidApp?
    var association = AppAssociation()
}
