// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// Which apps open links of the brand domains, and which paths stay in the browser.
package struct AppAssociation: Hashable, Sendable {
    /// `TEAMID.bundle.id` of further apps that open the links.
    package var furtherApps: [String] = []
    /// `TEAMID.bundle.id.Clip` of App Clips that the links start.
    package var clips: [String] = []
    /// Paths that no app opens.
    package var excluded: [PathPattern] = []
    package var isCaseSensitive = true
    package var isPercentEncoded = true
}

/// The Android version of the app.
package struct AndroidApp: Hashable, Sendable {
    /// `com.example.app`.
    package let package: String
    /// SHA-256 fingerprints of its signing certificates, as `AA:BB:…`.
    package var certificates: [String] = []
}
