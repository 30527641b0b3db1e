// SPDX-License-Identifier: Apache-2.0

/// When Apple may be asked again: by the quota that each answer reports, and by `Retry-After`.
struct AppleAdsPace {
    /// A longer time is not believed.
    static let longestSeconds: Int64 = 3_600
    /// Of the pauses that double, in seconds.
    static let longestPause: Int64 = 16

    /// Unix milliseconds.
    private(set) var freeAtMs: Int64 = 0

    mutating func heed(_ reply: OutboundReply, nowMs: Int64) {
        guard let seconds = Self.rest(after: reply) else { return }
        freeAtMs = max(freeAtMs, nowMs + min(seconds, Self.longestSeconds) * 1_000)
    }

    /// How long an answer asks for silence, in seconds; nil if it does not.
    static func rest(after reply: OutboundReply) -> Int64? {
        if reply.status == 429, let seconds = reply.seconds("retry-after") { return seconds }
        // A twentieth of the quota stays for other programs with the same user.
        guard let left = reply.seconds("ratelimit-remaining"), let reset = reply.seconds("ratelimit-reset"),
            left <= (reply.seconds("ratelimit-limit") ?? 0) / 20
        else { return nil }
        return reset
    }

    /// A clock that went back makes no rest longer than the longest.
    func waitMs(nowMs: Int64) -> Int64 {
        let wait = freeAtMs - nowMs
        return wait <= 0 || wait > Self.longestSeconds * 1_000 ? 0 : wait
    }
}

extension OutboundReply {
    /// The whole number of a header; nil if it is absent, negative, or of another form.
    fileprivate func seconds(_ name: String) -> Int64? { header(name).flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 } }
}
