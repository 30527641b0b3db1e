// SPDX-License-Identifier: Apache-2.0
/// A short link of the configuration: where it is, and where it leads.
struct ConfiguredLink: Hashable, Sendable {
    /// One of the brand domains.
    let host: String
    /// Starts with `/`.
    let path: String
    /// An `https` address of one of the app's domains, or one of the app's scheme.
    let destination: String
    let campaign: String?
    let adGroup: String?
    let creative: String?
    let channel: String?
}
