// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What follows from a try: a pure function of its outcome and of the tries before.
enum ExchangeStep: Hashable, Sendable {
    /// The state is final. The token's text is erased.
    case finish(AppleAdsExchange.State)
    case again(dueAtMs: Int64)

    /// Apple's own advice: ask three times, 5 s apart.
    static let mostNotFound = 3
    static let notFoundPause: Int64 = 5_000
    /// A token lives this long.
    static let tokenLife: Int64 = 86_400_000
    private static let longestPause: Int64 = 900_000

    /// - Parameters:
    ///   - exchange: as it was before the try.
    ///   - nowMs: when the try ended.
    init(after outcome: ExchangeOutcome, of exchange: LeasedExchange, nowMs: Int64) {
        switch outcome {
        case .attributed: self = .finish(.attributed)
        case .organic: self = .finish(.organic)
        case .invalidToken: self = .finish(.unavailable(.invalidToken))
        case .notFound:
            self =
                exchange.notFoundCount + 1 < Self.mostNotFound
                ? .again(dueAtMs: nowMs + Self.notFoundPause) : .finish(.unavailable(.notFound))
        case .silence:
            let dueAtMs = nowMs + Self.pause(before: exchange.attempts + 1, of: exchange.tokenHash)
            self = dueAtMs < exchange.receivedAtMs + Self.tokenLife ? .again(dueAtMs: dueAtMs) : .finish(.unavailable(.expired))
        }
    }

    /// 1, 2, 4 … 900 s, each up to a fifth shorter or longer. The token's hash spreads them, so that an outage does not end
    /// with everybody asking at once, and a test needs no dice.
    private static func pause(before attempt: Int64, of hash: TokenHash) -> Int64 {
        let pause = min(longestPause, 1_000 << min(max(0, attempt - 1), 20))
        let dice = hash.rawValue.utf8.reduce(Int64(attempt)) { ($0 &* 31 &+ Int64($1)) & 0xFFFF }
        return pause + pause * (dice % 401 - 200) / 1_000
    }
}
