// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// A link, and where it was tapped.
struct LinkTap: Hashable, Sendable {
    let text: String
    var scene: SceneID?

    /// The one rule for what may be the same tap, in this launch and across launches: the same link, for the same scene as far
    /// as both scenes are known.
    func mayBe(_ other: LinkTap) -> Bool {
        text.hasSameBytes(as: other.text) && (scene == nil || other.scene == nil || scene == other.scene)
    }
}

/// The taps of this launch, so that each counts once: iOS delivers one through several hooks, and the files may still hold it from
/// a launch that was killed.
struct LinkTaps: Sendable {
    /// Two deliveries of one tap are hardly further apart; two taps on one link are hardly nearer.
    static let window: Duration = .seconds(2)
    /// More than a person taps before the files can be read.
    static let most = LinkInbox.mostLinks

    struct Heard: Sendable {
        var tap: LinkTap
        /// Of the click; nil where none is recorded.
        let key: IdempotencyKey?
        /// In the inbox; nil where it did not go there.
        var arrival: String?
        var lastAt: Duration
    }

    private var heard: [Heard] = []
    /// Until then every tap is remembered: the files may hold it too.
    private var areFilesRead = false

    /// What this delivery repeats: heard a moment ago, or not handed over yet.
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

    /// A delivery may know more than the one that it repeats.
    mutating func learn(_ repeated: Heard, scene: SceneID?, arrival: String?) {
        guard let index = heard.lastIndex(where: { $0.tap == repeated.tap && $0.key == repeated.key }) else { return }
        heard[index].tap.scene = heard[index].tap.scene ?? scene
        heard[index].arrival = heard[index].arrival ?? arrival
    }

    /// The app sees the link now: a hook that is late may still bring it again.
    mutating func handedOver(_ arrival: String, now: Duration) {
        for index in heard.indices where heard[index].arrival == arrival { heard[index].lastAt = now }
    }

    /// A link that an earlier launch left went to the inbox again in this one.
    func hasArrived(_ leftOver: LinkTap) -> Bool { heard.contains { $0.arrival != nil && $0.tap.mayBe(leftOver) } }

    mutating func filesWereRead() { areFilesRead = true }
}

extension LinkArrival {
    var tap: LinkTap { LinkTap(text: url, scene: scene) }
}
