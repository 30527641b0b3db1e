// SPDX-License-Identifier: Apache-2.0

/// What one launch saw.
struct LaunchReport: Encodable {
    var paywall: String?
    var audience: String?
    /// From activation to the paywall.
    var seconds: Double?
    var sources: [String]?
    var error: String?
    /// Why nothing was launched.
    var absence: String?
}
