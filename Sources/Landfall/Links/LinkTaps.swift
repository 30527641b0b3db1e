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

/// A link, and where it was tapped.
struct LinkTap: Sendable {
    let text: String
    var scene: SceneID?

    /// The one rule for what may be the same tap, in this launch and across launches: the same link, for the same scene as far
    /// as both scenes are known.
    func mayBe(_ other: LinkTap) -> Bool {
        text.hasSameBytes(as: other.text) && (scene == nil || other.scene == nil || scene == other.scene)
    }
}

/// The taps of this launch, so that each counts once: iOS delivers one tap through several hooks, and the files may still hold it
/// from a launch that was killed.
struct LinkTaps: Sendable {
    /// Two deliveries of one tap are closer than this; two taps on one link are further apart.
    static let window: Duration = .seconds(2)
    /// More taps than a person makes before the files can be read.
    static let most = LinkInbox.mostLinks

    struct Heard: Sendable {
        var tap: LinkTap
        /// The key of the click; nil if none is recorded.
        let key: IdempotencyKey?
        /// Its id in the inbox; nil if it did not go there.
        var arrival: String?
        var lastAt: Duration
    }

    private var heard: [Heard] = []
    /// Until the files are read, every tap is remembered: the files may contain it too.
    private var areFilesRead = false

    /// The earlier delivery that this one repeats: it came a moment ago, or the app has not got it yet.
    mutating func repeated(by tap: LinkTap, now: Duration, isWaiting: (String) -> Bool) -> Heard? {
        func isRecent(_ heard: Heard) -> Bool {
            now - heard.lastAt < Self.window || heard.arrival.map(isWaiting) ?? false
        }
        if areFilesRead { heard.removeAll { !isRecent($0) } }
        return heard.last { $0.tap.mayBe(tap) && isRecent($0) }
    }

    mutating func hear(_ delivery: Heard) {
        heard.append(delivery)
        if heard.count > Self.most { heard.removeFirst() }
    }

    /// A repeated delivery may know more than the first one.
    mutating func learn(_ repeated: Heard, scene: SceneID?, arrival: String?) {
        guard
            let index = heard.lastIndex(where: {
                $0.tap.text.hasSameBytes(as: repeated.tap.text) && $0.tap.scene == repeated.tap.scene && $0.key == repeated.key
            })
        else { return }
        heard[index].tap.scene = heard[index].tap.scene ?? scene
        heard[index].arrival = heard[index].arrival ?? arrival
    }

    /// The app gets the link now: a late hook may still deliver it again.
    mutating func handedOver(_ arrival: String, now: Duration) {
        for index in heard.indices where heard[index].arrival == arrival { heard[index].lastAt = now }
    }

    /// True if a link that an earlier launch left was received again in this one.
    func hasArrived(_ leftOver: LinkTap) -> Bool { heard.contains { $0.arrival != nil && $0.tap.mayBe(leftOver) } }

    /// True if this launch itself received this link.
    func hasHeard(_ arrival: String) -> Bool { heard.contains { $0.arrival == arrival } }

    mutating func filesWereRead() { areFilesRead = true }
}

extension LinkArrival {
    var tap: LinkTap { LinkTap(text: url, scene: scene) }
}
