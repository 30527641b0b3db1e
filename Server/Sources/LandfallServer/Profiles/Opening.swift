// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a phone says when its app opens, as far as the store keeps it.
struct Opening: Hashable, Sendable {
    var device: DeviceFacts
    var adToken: AdToken
    /// Set beside those that the profile has already.
    var attributes: [String: AttributeValue] = [:]
    /// Made after that, each once: a request that is delivered or sent again must not undo what came after it.
    var attributeChanges: [AttributeChanges] = []
    /// Links that waited for this open. One whose key was used before is left out.
    var links: [ClickReport] = []
    /// Nil does not ask.
    var deferred: DeferredClaim?
}

/// An install after an open, and what the open asked for.
struct Opened: Hashable, Sendable {
    let install: Install
    /// Nil where the open did not ask.
    var deferred: DeferredLinkAnswer?
}
