// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallRules
import LandfallStore
import LandfallWire

/// One ad token on its way to Apple, and its result. There is one exchange per token, bound to the install that sent it first.
struct AppleAdsExchange: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Apple has given no final answer yet; the next question comes not before this instant (Unix milliseconds).
        case waiting(dueAtMs: Int64)
        case attributed
        case organic
        case unavailable(UnavailableReason)
    }

    let tokenHash: TokenHash
    let state: State
    let receivedAtMs: Int64

    var isOpen: Bool { if case .waiting = state { true } else { false } }

    /// Of the job that an open exchange is.
    func jobName(in app: AppID) -> JobName { JobName(app: app, kind: .appleAds, key: tokenHash.rawValue) }
}

/// SHA-256 of an ad token in lower-case hexadecimal: recognises a token after its text was deleted.
struct TokenHash: Hashable, Sendable, RawRepresentable {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }

    init(of token: String) {
        rawValue = SHA256.hash(data: Array(token.utf8)).hexadecimal
    }
}

extension JobKind {
    /// The exchange with Apple. An open exchange is a job with the token's hash as its key; a finished one is a row of
    /// `apple_ads_exchange`.
    package static let appleAds = JobKind(rawValue: "apple_ads")
}

/// An open exchange during one try.
struct LeasedExchange: Hashable, Sendable {
    let job: Job
    let installID: InstallID
    let token: String
    /// How often Apple has answered that it does not know the token yet.
    let notFoundCount: Int64

    var app: AppID { job.name.app }
    var tokenHash: TokenHash { TokenHash(rawValue: job.name.key) }
    var receivedAtMs: Int64 { job.createdAtMs }

    /// Nil if the job's payload is not in the form that this server writes.
    init?(_ job: Job) {
        guard let installID = job.install, let space = job.payload.firstIndex(of: " "),
            let notFoundCount = Int64(job.payload[..<space])
        else { return nil }
        self.job = job
        self.installID = installID
        self.notFoundCount = notFoundCount
        token = String(job.payload[job.payload.index(after: space)...])
    }

    /// The payload of the job, see ``init(_:)``.
    static func payload(_ token: String, notFoundCount: Int64 = 0) -> String { "\(notFoundCount) \(token)" }

    /// Changes nothing if another try has the job by now.
    func moving(to step: ExchangeStep, _ outcome: ExchangeOutcome) -> Statement {
        guard case .again(let dueAtMs) = step else { return job.deletion }
        let count = notFoundCount + (outcome == .notFound ? 1 : 0)
        return job.putBack(untilMs: dueAtMs, isRetry: true, payload: Self.payload(token, notFoundCount: count))
    }

    func next(after step: ExchangeStep) -> AppleAdsExchange {
        let state: AppleAdsExchange.State =
            switch step {
            case .finish(let state): state
            case .again(let dueAtMs): .waiting(dueAtMs: dueAtMs)
            }
        return AppleAdsExchange(tokenHash: tokenHash, state: state, receivedAtMs: receivedAtMs)
    }
}
