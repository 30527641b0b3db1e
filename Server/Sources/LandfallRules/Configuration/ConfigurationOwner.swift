// SPDX-License-Identifier: Apache-2.0

/// Which source of the configuration wins.
package enum ConfigurationOwner: String, CaseIterable, Sendable {
    /// The last publication counts. A file counts only until somebody publishes by a command, a call or the console.
    case store
    /// The file of `serve --config`. Nothing else is published.
    case file
}
