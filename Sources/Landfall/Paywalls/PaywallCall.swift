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
    /// Why it was answered as it was.
    var why: PaywallReason?

    /// How long a first answer may take before another way is tried: a quarter of the time limit, at most a second.
    var grace: Duration { min(.seconds(1), (deadline - asked) / 4) }

    /// How long a stream that has answered for now may be silent before another way is tried beside it: all but a grace of the
    /// time limit, at most 5 s. Earlier, every user whose answer from Apple is slow would cost a second request.
    var doubt: Duration { min(.seconds(5), max(grace * 2, deadline - asked - grace)) }
}

/// Whom an answer goes to.
struct PaywallWaiter: Sendable {
    private let answer: @Sendable (Result<PaywallResult, any Error>) -> Void

    init(_ continuation: CheckedContinuation<PaywallResult, any Error>) { answer = { continuation.resume(with: $0) } }
    private init() { answer = { _ in } }

    /// Nobody: the call is imagined, to see what it would get.
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
struct HeldAnswer: Hashable, Sendable {
    let answer: PaywallAnswer
    let receivedAt: Duration
    /// Said to be final, by somebody who knew everything that is pending.
    let isCertain: Bool
    /// Said to be final, and not because a hold was over: certain as soon as the phone knows of nothing that is pending.
    let isFinal: Bool

    /// How long an answer serves later calls before the server is asked again.
    static let life: Duration = .seconds(300)
}

/// The plain request for one key: at most one at a time, shared by every call that needs it.
struct PaywallFetch: Sendable {
    var errand = Errand()
    var refusal: Refusal?
    var lastNetworkError: TransportError?
    /// What the phone knows of the person has changed since the request left: its answer may be about how things were.
    var isOvertaken = false

    struct Refusal: Hashable, Sendable {
        let error: LandfallError
        let until: Duration
    }

    /// Somebody waits in front of the screen: the next try is never far.
    static let longestRetry: Duration = .seconds(8)
    /// How long a refusal is remembered, so that a wrong key or placement does not hammer the server.
    static let refusalLife: Duration = .seconds(60)
}

/// How a plain request is made.
struct PaywallOrder: Hashable, Sendable {
    let key: PaywallKey
    /// Hold the answer while the profile is not newer than that; below every version: answer at once.
    let after: Int64
    let wait: Duration
    /// No call waits for it: it refreshes what a call got from the cache.
    let isRefresh: Bool
}

/// What is known around the paywalls at one instant.
struct PaywallCircumstances: Sendable {
    var now: Duration
    var isStarted: Bool
    /// The stored installation has been read.
    var hasInstall: Bool
    /// When it is tried again, where it could not be read.
    var installRetry: Retry
    /// Nothing that is asked now is answered before a deadline. It is asked all the same.
    var isHopeless: Bool
    /// What nobody waits for is not asked for.
    var isConstrained: Bool
    /// Until when attribution is waited for; nil: until each call's own deadline.
    var attributionAwaitedUntil: Duration?
    /// A tap's click is on its way, and may change which paywall is meant for this person: calls wait for it, at most until then.
    var clickAwaitedUntil: Duration?
    var standing: Standing
    var firstOpen: FirstOpenState
}
