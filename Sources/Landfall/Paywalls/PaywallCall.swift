// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// One caller that waits for a paywall.
struct PaywallCall: Sendable {
    typealias ID = Int

    let id: ID
    let key: PaywallKey
    let cache: CachePolicy
    /// On the launch's clock.
    let asked: Duration
    let deadline: Duration
    let waiter: PaywallWaiter
    /// When this call must be looked at again, even if nothing happens.
    var wakeAt: Duration
    /// The id of the decision that it may report: made beforehand, because random numbers are not made under the lock.
    var decisionID = ""
    /// Why it got this answer.
    var why: PaywallReason?
    var patience = Patience.full

    /// What a call waits for.
    enum Patience: Hashable, Sendable {
        /// Everything better that can come in time.
        case full
        /// The app's own timer is over: the server's answer, as attribution is now.
        case withoutAttribution
        /// The app gave up another call for this placement: while attribution is pending, what is there answers.
        case none
    }

    /// How long a first answer may take before another way is tried.
    var grace: Duration { Retry.grace(within: deadline - asked) }

    /// How long a stream may be silent after a preliminary answer before another way is tried beside it: all but a grace of the
    /// time limit, at most 5 s. If this were shorter, every user with a slow answer from Apple would cost a second request.
    var doubt: Duration { min(.seconds(5), max(grace * 2, deadline - asked - grace)) }
}

/// The receiver of an answer.
struct PaywallWaiter: Sendable {
    private let answer: @Sendable (Result<PaywallResult, any Error>) -> Void

    init(_ continuation: CheckedContinuation<PaywallResult, any Error>) { answer = { continuation.resume(with: $0) } }
    private init() { answer = { _ in } }

    /// No receiver: for `explain()`, which only asks what a call would get.
    static let nobody = PaywallWaiter()

    func resume(with result: Result<PaywallResult, any Error>) { answer(result) }
    func resume(throwing error: any Error) { answer(.failure(error)) }
}

extension PaywallCall {
    static func imagined(_ key: PaywallKey, asked: Duration, within limit: Duration) -> PaywallCall {
        let deadline = asked + limit
        return PaywallCall(
            id: -1, key: key, cache: .reload, asked: asked, deadline: deadline, waiter: .nobody, wakeAt: deadline)
    }
}

/// An answer of the server in this launch.
struct CurrentAnswer: Hashable, Sendable {
    let answer: PaywallAnswer
    let receivedAt: Duration
    /// Reported as final, when everything pending was known.
    let isCertain: Bool
    /// Reported as final, and not because a hold ended: certain as soon as the phone knows of nothing pending.
    let isFinal: Bool

    /// How long an answer serves later calls before the server is asked again.
    static let life: Duration = .seconds(300)
}

/// The plain request for one key: at most one at a time, shared by every call that needs it.
struct PaywallFetch: Sendable {
    var retryable = RetryableOperation()
    var refusal: Refusal?
    var lastNetworkError: TransportError?
    /// The phone's knowledge of the person has changed since the request was sent: its answer may be about an earlier state.
    var isOvertaken = false

    struct Refusal: Hashable, Sendable {
        let error: LandfallError
        let until: Duration
    }

    /// A person waits in front of the screen, so the next try is never far away.
    static let longestRetry: Duration = .seconds(8)
    /// How long a refusal is remembered, so that a wrong key or placement does not flood the server.
    static let refusalLife: Duration = .seconds(60)
}

/// How a plain request is made.
struct PaywallOrder: Hashable, Sendable {
    let key: PaywallKey
    /// The server holds its answer until the profile's version is higher than this. A number below every version: it answers at
    /// once.
    let after: Int64
    let wait: Duration
    /// No call waits for it: it refreshes what a call got from the cache.
    let isRefresh: Bool
}

/// The circumstances of all paywalls at one instant.
struct PaywallCircumstances: Sendable {
    var now: Duration
    var isStarted: Bool
    /// The stored installation has been read.
    var hasInstall: Bool
    /// When to try again, if it could not be read.
    var installRetry: Retry
    /// Why it is not read in this launch.
    var unavailable: StorageUnavailable?
    /// No answer can come before a deadline. Requests are made all the same.
    var isHopeless: Bool
    /// Do not request what no call waits for.
    var isConstrained: Bool
    /// Until when calls wait for attribution; nil: until each call's own deadline.
    var attributionAwaitedUntil: Duration?
    /// It is on its way and may change the person's paywall: calls wait for it, at most until then.
    var changeAwaited: AwaitedChange?
    var profileState: ProfileState
    var firstOpen: FirstOpenState
}
