// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The links of the last moments, so that one tap that iOS delivers through several hooks counts once.
struct LinkEchoes: Sendable {
    /// Two deliveries of one tap are closer than this; two taps on one link are further apart.
    static let window: Duration = .seconds(2)

    struct Heard: Sendable {
        let text: String
        var scene: SceneID?
        /// The key of the click; nil if none is recorded.
        let key: IdempotencyKey?
        /// Its id in the inbox; nil if it did not go there.
        var arrival: String?
        var lastAt: Duration
    }

    private var heard: [Heard] = []

    /// The earlier delivery that this one repeats.
    mutating func echo(_ text: String, _ scene: SceneID?, now: Duration, isWaiting: (String) -> Bool) -> Heard? {
        heard.removeAll { now - $0.lastAt >= Self.window && !($0.arrival.map(isWaiting) ?? false) }
        return heard.last { $0.text.hasSameBytes(as: text) && ($0.scene == nil || scene == nil || $0.scene == scene) }
    }

    mutating func hear(_ delivery: Heard) { heard.append(delivery) }

    /// A repeated delivery may know more than the first one.
    mutating func learn(_ echo: Heard, scene: SceneID?, arrival: String?) {
        guard
            let index = heard.lastIndex(where: {
                $0.text.hasSameBytes(as: echo.text) && $0.scene == echo.scene && $0.key == echo.key
            })
        else { return }
        heard[index].scene = heard[index].scene ?? scene
        heard[index].arrival = heard[index].arrival ?? arrival
    }

    /// The app gets the link now: a late hook may still deliver it again.
    mutating func handedOver(_ arrival: String, now: Duration) {
        for index in heard.indices where heard[index].arrival == arrival { heard[index].lastAt = now }
    }
}
