// SPDX-License-Identifier: Apache-2.0

/// The three parts of a signed text.
struct JWSSegments {
    /// Apple's longest known have a third of that.
    static let mostBytes = 65_536
}
