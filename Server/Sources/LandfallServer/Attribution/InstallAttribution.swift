// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension Install {
    /// Where this install stands, as stored. A token that is merely announced is not stored: the stream that heard of it
    /// adds that itself.
    func attribution(nowMs: Int64) -> Attribution {
        let winner = AttributionPrecedence(facts).winner
        if let winner, winner.status == .nonOrganic { return .attributed(winner.details) }
        if winner?.source == .appleAds { return .notAttributed }
        switch exchange?.state {
        case .waiting(let dueAtMs): return .pending(nextAnswerNotBefore: max(0, dueAtMs - nowMs))
        case .unavailable(let reason): return winner == nil ? .unavailable(reason) : .notAttributed
        case .attributed, .organic, nil: return winner == nil ? .unavailable(tokenNone ?? .noToken) : .notAttributed
        }
    }

    /// The token that a phone announces now is here already: Apple hands out the same one for about five minutes, and its
    /// report may overtake the announcement.
    func hasFreshToken(nowMs: Int64) -> Bool {
        exchange.map { nowMs - $0.receivedAtMs < 300_000 } ?? false
    }

    /// Milliseconds until Apple's next answer may come, where it can still change who wins; nil where nothing is open.
    /// Not nil also while another source already counts: Apple Ads would win over it.
    func nextAppleAnswer(nowMs: Int64) -> Int64? {
        guard case .waiting(let dueAtMs) = exchange?.state, !facts.contains(where: { $0.source == .appleAds }) else {
            return nil
        }
        return max(0, dueAtMs - nowMs)
    }
}
