// SPDX-License-Identifier: Apache-2.0
extension Duration {
    /// Whole milliseconds, rounded towards zero.
    var wholeMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
