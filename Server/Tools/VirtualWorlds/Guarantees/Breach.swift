// SPDX-License-Identifier: Apache-2.0

/// A guarantee that does not hold.
struct Breach: Hashable, Sendable {
    let guarantee: String
    let text: String
}
