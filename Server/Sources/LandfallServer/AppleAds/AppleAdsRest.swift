// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The time until which Apple asked not to be asked: the `Retry-After` of a 429 or 503. It counts for every token of this node.
final class AppleAdsRest: Sendable {
    /// A longer time is not believed: a token is valid for a day.
    static let longestMs: Int64 = 900_000

    private let state = Mutex<Int64>(0)

    func heed(_ reply: AppleAdsReply, nowMs: Int64) {
        guard [429, 503].contains(reply.status), let seconds = reply.retryAfter, seconds > 0 else { return }
        let untilMs = nowMs + min(seconds, Self.longestMs / 1000) * 1000
        state.withLock { $0 = max($0, untilMs) }
    }

    /// 0 if Apple may be asked now. A clock that went back shortens no rest and makes none longer than the longest.
    func untilMs(nowMs: Int64) -> Int64 {
        state.withLock { until in
            if until <= nowMs || until > nowMs + Self.longestMs { until = 0 }
            return until
        }
    }
}
