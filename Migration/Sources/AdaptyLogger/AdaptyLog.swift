// SPDX-License-Identifier: Apache-2.0

/// The levels and lines of the log that Landfall writes for a developer.
public enum AdaptyLog {
    /// How much is written; each level includes those before it.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        case error, warn, info, verbose, debug
    }

    /// Gets each line of the chosen level, instead of the system's log. Called from any thread; must return quickly.
    public typealias Handler = @Sendable (Record) -> Void
}
