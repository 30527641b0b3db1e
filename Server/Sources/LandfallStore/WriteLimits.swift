// SPDX-License-Identifier: Apache-2.0

/// How many units may wait for the engine; further ones are refused as ``DatabaseError/busy``.
package struct WriteLimits: Hashable, Sendable {
    /// Interactive units: each holds a request of some kilobytes.
    package var interactive = 16_384
    /// Bulk callers have one unit at a time here, of a hundred rows at most, which takes the writer a few milliseconds: 256 of
    /// them wait for about a second, and hold some dozen megabytes with the rest of their batches.
    package var bulk = 256

    package init() {}
}
