// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a phone says when its app opens, as far as the store keeps it.
struct Opening: Hashable, Sendable {
    var device: DeviceFacts
    var adToken: AdToken
    /// Set beside those that the profile has already.
    var attributes: [String: AttributeValue] = [:]
}
