// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Which apps open links of the brand domains, and which paths they leave to the browser.
struct AppAssociation: Hashable, Sendable {
    /// `TEAMID.bundle.id` of further apps beside the app itself.
    var furtherApps: [String] = []
    /// Never opened in an app.
    var excluded: [PathPattern] = []
    var isCaseSensitive = true
    var isPercentEncoded = true
}

/// The Android app that is the app's twin.
struct AndroidApp: Hashable, Sendable {
    /// `com.example.app`.
    let package: String
    /// SHA-256 fingerprints of its signing certificates, as `AA:BB:…`.
    var certificates: [String] = []
}
