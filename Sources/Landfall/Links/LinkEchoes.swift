// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The links of the last moments, so that one tap which iOS delivers through several hooks counts once.
struct LinkEchoes: Sendable {
    /// Two deliveries of one tap are hardly further apart; two taps on one link are hardly nearer.
    static let window: Duration = .seconds(2)

    struct Heard: Sendable {
        let text: String
        var scene: SceneID?
        /// Of the click; nil where none is recorded.
        let key: IdempotencyKey?
        /// In the inbox; nil where it did not go there.
        var arrival: String?
        var lastAt: Duration
    }

    private var heard: [Heard] = []

    /// The delivery that this one repeats.
    mutating func echo(_ text: String, _ scene: SceneID?, now: Duration, isWaiting: (String) -> Bool) -> Heard? {
        heard.removeAll { now - $0.lastAt >= Self.window && !($0.arrival.map(isWaiting) ?? false) }
        return heard.last { $0.text.hasSameBytes(as: text) && ($0.scene == nil || scene == nil || $0.scene == scene) }
    }

    mutating func hear(_ delivery: Heard) { heard.append(delivery) }

    /// An echo may know more than what was heard first.
    mutating func learn(_ echo: Heard, scene: SceneID?, arrival: String?) {
        guard
            let index = heard.lastIndex(where: {
                $0.text.hasSameBytes(as: echo.text) && $0.scene == echo.scene && $0.key == echo.key
            })
        else { return }
        heard[index].scene = heard[index].scene ?? scene
        heard[index].arrival = heard[index].arrival ?? arrival
    }

    /// The app sees the link now: a hook that is late may still bring it again.
    mutating func handedOver(_ arrival: String, now: Duration) {
        for index in heard.indices where heard[index].arrival == arrival { heard[index].lastAt = now }
    }
}
