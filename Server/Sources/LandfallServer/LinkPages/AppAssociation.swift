// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Which apps open links of the brand domains, and which paths stay in the browser.
struct AppAssociation: Hashable, Sendable {
    /// `TEAMID.bundle.id` of further apps that open the links.
    var furtherApps: [String] = []
    /// `TEAMID.bundle.id.Clip` of App Clips that the links start.
    var clips: [String] = []
    /// Paths that no app opens.
    var excluded: [PathPattern] = []
    var isCaseSensitive = true
    var isPercentEncoded = true
}

/// The Android version of the app.
struct AndroidApp: Hashable, Sendable {
    /// `com.example.app`.
    let package: String
    /// SHA-256 fingerprints of its signing certificates, as `AA:BB:…`.
    var certificates: [String] = []
}
