// SPDX-License-Identifier: Apache-2.0

/// The app whose purchases are accepted.
package struct AppStoreApp: Hashable, Sendable {
    /// `com.example.app`; compared byte for byte.
    package let bundleID: String
    /// Apple's number of the app. Nil: not compared.
    package let appleID: Int64?

    package init(bundleID: String, appleID: Int64?) {
        self.bundleID = bundleID
        self.appleID = appleID
    }
}
