// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What follows from a try: a pure function of its outcome and of the tries before.
enum ExchangeStep: Hashable, Sendable {
    /// The state is final. The token's text goes with the job.
    case finish(AppleAdsExchange.State)
    case again(dueAtMs: Int64)

    /// Apple's own advice: ask three times, 5 s apart.
    static let mostNotFound = 3
    static let notFoundPause: Int64 = 5_000
    /// A token lives this long.
    static let tokenLife: Int64 = 86_400_000

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
            let dueAtMs = nowMs + exchange.job.pauseMs
            self = dueAtMs < exchange.receivedAtMs + Self.tokenLife ? .again(dueAtMs: dueAtMs) : .finish(.unavailable(.expired))
        }
    }
}
