// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// The result of one question about a token.
enum ExchangeOutcome: Hashable, Sendable {
    enum Silence: String, Hashable, Sendable {
        /// No connection, or it broke.
        case connection
        case timeLimit
        /// A status without an answer: 5xx, 429, a redirect, or one that Apple does not use.
        case status
        /// 200 with a body that is not Apple's JSON.
        case malformed
    }

    case attributed(AppleAdsAnswer)
    case organic
    case invalidToken
    case notFound
    /// Apple has not answered about this token yet.
    case silence(Silence)

    init(_ reply: AppleAdsReply) {
        switch reply.status {
        case 200:
            let isReadable =
                reply.body.count <= AppleAdsReply.largestBody && CombiningMarks.areFew(escaped: Data(reply.body))
            if isReadable, let answer = try? WireCoding.decode(AppleAdsAnswer.self, from: Data(reply.body)), answer.isPlausible
            {
                self = answer.attribution ? .attributed(answer) : .organic
            } else {
                self = .silence(.malformed)
            }
        case 400: self = .invalidToken
        case 404: self = .notFound
        default: self = .silence(.status)
        }
    }

    /// One word of a closed set, for metrics.
    var label: String {
        switch self {
        case .attributed: "attributed"
        case .organic: "organic"
        case .invalidToken: "invalid_token"
        case .notFound: "not_found"
        case .silence(let silence): "silence_\(silence.rawValue)"
        }
    }
}

extension AppleAdsAnswer {
    /// False for texts that no database stores (U+0000) or that are longer than any of Apple's: the answer came from another
    /// server, and Apple is asked again.
    fileprivate var isPlausible: Bool {
        [conversionType, claimType, countryOrRegion, clickDate, impressionDate, supplyPlacement].allSatisfy { text in
            guard let text else { return true }
            return text.utf8.count <= Limits.appleAdsText && !text.utf8.contains(0)
        }
    }

    /// Apple's fixed answer to builds from a developer's machine: no user came from that campaign.
    var isDeveloperMode: Bool {
        orgId == 1_234_567_890 && campaignId == 1_234_567_890 && adGroupId == 1_234_567_890
    }
}

/// The next step after a try: a pure function of its result and of the tries before.
enum ExchangeStep: Hashable, Sendable {
    /// The state is final. The token's text is deleted with the job.
    case finish(AppleAdsExchange.State)
    case again(dueAtMs: Int64)

    /// Apple's own advice: ask three times, 5 s apart.
    static let mostNotFound = 3
    static let notFoundPause: Int64 = 5_000
    /// A token is valid for this long.
    static let tokenLife: Int64 = 86_400_000

    /// - Parameters:
    ///   - exchange: as it was before the try.
    ///   - nowMs: when the try ended.
    ///   - restMs: Apple asked not to be asked before that time.
    init(after outcome: ExchangeOutcome, of exchange: LeasedExchange, nowMs: Int64, restMs: Int64 = 0) {
        switch outcome {
        case .attributed: self = .finish(.attributed)
        case .organic: self = .finish(.organic)
        case .invalidToken: self = .finish(.unavailable(.invalidToken))
        case .notFound:
            self =
                exchange.notFoundCount + 1 < Self.mostNotFound
                ? .again(dueAtMs: nowMs + Self.notFoundPause) : .finish(.unavailable(.notFound))
        case .silence:
            let dueAtMs = max(nowMs + exchange.job.pauseMs, restMs)
            self = dueAtMs < exchange.receivedAtMs + Self.tokenLife ? .again(dueAtMs: dueAtMs) : .finish(.unavailable(.expired))
        }
    }
}
