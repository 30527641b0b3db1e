// SPDX-License-Identifier: Apache-2.0
/// The hosts that belong to the app, in lower case.
struct Domains: Hashable, Sendable {
    /// Serve links.
    var brand: [String] = []
    /// The team's own web site, whose addresses open the app.
    var universal: [String] = []
}
