// SPDX-License-Identifier: Apache-2.0

/// Who has the last word about the configuration.
public enum ConfigurationOwner: String, CaseIterable, Sendable {
    /// Whoever publishes last; a file only until somebody publishes otherwise.
    case store
    /// The file of `serve --config`. Nothing else is published.
    case file
}
