// SPDX-License-Identifier: Apache-2.0
/// The app that a configuration is about, as Apple knows it.
package struct App: Hashable, Sendable {
    package let id: AppID
    package let name: String
    /// `com.example.app`; the audience of identity tokens.
    package let bundleID: String
    /// Apple's ten characters.
    package let teamID: String?
    /// The app's URL scheme, without `://`.
    package let scheme: String?
    package let appStoreID: Int64?
    /// Apple's number of the team in App Store campaign links (`pt=`).
    package var appStoreProvider: String?
    package var android: AndroidApp?
    package var association = AppAssociation()

    package init(
        id: AppID, name: String, bundleID: String, teamID: String?, scheme: String?, appStoreID: Int64?,
        appStoreProvider: String? = nil, android: AndroidApp? = nil, association: AppAssociation = AppAssociation()
    ) {
        self.id = id
        self.name = name
        self.bundleID = bundleID
        self.teamID = teamID
        self.scheme = scheme
        self.appStoreID = appStoreID
        self.appStoreProvider = appStoreProvider
        self.android = android
        self.association = association
    }
}
