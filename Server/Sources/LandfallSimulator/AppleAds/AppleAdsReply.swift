// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallWire

/// One HTTP answer of the simulated service, and how long it takes.
struct AppleAdsReply {
    /// Bytes; a real token has a few hundred.
    static let longestToken = 16_384
    /// How long a token with `hang=1` keeps its caller waiting: longer than any caller waits, but not for ever.
    static let silence = Duration.seconds(300)

    var delay = Duration.zero
    let response: Response

    /// - Parameter attempt: counts one use of this token, and returns how many uses came before.
    init(to token: String, attempt: (String) -> Int) {
        guard let order = SimulatedToken(token) else {
            self = .status(400)
            return
        }
        self = Self.answering(order.reply(toAttempt: attempt(token)))
        delay += order.delay
    }

    private init(delay: Duration = .zero, response: Response) {
        self.delay = delay
        self.response = response
    }

    static func status(_ code: Int) -> AppleAdsReply {
        AppleAdsReply(response: Response(status: .init(code: code)))
    }

    private static func answering(_ ending: SimulatedToken.Ending) -> AppleAdsReply {
        switch ending {
        case .status(let code): return status(code)
        case .silence: return AppleAdsReply(delay: silence, response: status(500).response)
        case .garbage: return json(ByteBuffer(string: #"{"attribution": true, "campaignId": "#))
        case .answer(let answer):
            guard let body = try? WireCoding.encode(answer) else { return status(500) }
            return json(ByteBuffer(bytes: body))
        }
    }

    private static func json(_ body: ByteBuffer) -> AppleAdsReply {
        AppleAdsReply(
            response: Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: body)
            )
        )
    }
}
