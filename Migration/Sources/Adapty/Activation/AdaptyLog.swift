// SPDX-License-Identifier: Apache-2.0
/// Names the levels of what Landfall writes to standard error.
public enum AdaptyLog {
    /// How much is written; each level includes those before it.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        case error, warn, info, verbose, debug
    }
}
