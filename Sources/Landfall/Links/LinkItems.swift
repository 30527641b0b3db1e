// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// A click that the server has not recorded yet.
struct LinkClick: Hashable, Sendable, Codable {
    let key: IdempotencyKey
    let url: String
}

/// A link that the app has not handled yet.
struct LinkArrival: Hashable, Sendable, Codable {
    let id: String
    let url: String
    var scene: SceneID?
    /// The key of its click; nil if none was recorded.
    let click: IdempotencyKey?
    /// The link that was tapped before the installation.
    var deferred: DeferredLink?
    /// Handed over, by this launch or an earlier one.
    var wasHandedOver: Bool?
}

/// A link from a hook: its click and its arrival, written together.
struct LinkReceipt: Hashable, Sendable, Codable {
    let key: IdempotencyKey
    let url: String
    let scene: SceneID?

    var click: LinkClick { LinkClick(key: key, url: url) }
    var arrival: LinkArrival { LinkArrival(id: "\(key).in", url: url, scene: scene, click: key) }
}

/// The token that claims the link that was tapped before the installation.
struct DeferredToken: Hashable, Sendable, Codable {
    let key: IdempotencyKey
    let token: String
}
