// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Everything about links in one launch: recent deliveries, questions to the server, waiting calls, the inbox, and the link
/// from before the installation.
struct LinkState: Sendable {
    enum Effect: Sendable {
        case ask(IdempotencyKey)
        case askDeferred(DeferredToken?)
        case answer(LinkCall, OpenedLink)
        case answerDeferred(DeferredLinkCall, DeferredLinkResult)
        case handOver(LinkListener, ReceivedLink)
        /// These stored items are no longer needed.
        case forget(Set<String>)
        case cancel(Operations.ID)
    }

    /// How long a call waits for the server, and how long an awaited link stays in the inbox for it.
    static let patience: Duration = .milliseconds(2_500)

    var routing: LinkRouting
    /// Questions from before may need no answer now.
    var hasNewRules = false
    /// The app has called for links in this launch: a hook has delivered one, or will.
    var isConnected = false
    var taps = LinkTaps()
    var questions: [IdempotencyKey: LinkQuestion] = [:]
    /// Clicks of links that a hook is storing: the questions that bring them follow.
    var arriving: Set<IdempotencyKey> = []
    /// One retry for all questions: failed ones are tried again one by one, so that many links do not flood a dead network.
    var retry = Retry()
    var calls: [Int: LinkCall] = [:]
    var inbox = LinkInbox()
    var deferred = DeferredLinkState()
    /// A question that would have recorded a click was dropped: the click is sent with the outbox.
    private var hasLeftClicks = false

    /// Tells the launch that the app has handled a link.
    var take: @Sendable (String) -> Void = { _ in }

    init(_ rules: LinkRules) { routing = LinkRouting(rules: rules) }

    /// Another installation begins: keeps the calls, the listeners, and that the app has called for links. The links that waited are
    /// dropped.
    mutating func takeOver(from other: LinkState) {
        var inbox = other.inbox
        for listener in inbox.stopListening() { self.inbox.listen(listener, now: .zero) }
        deferred.calls = other.deferred.calls
        calls = other.calls
        isConnected = other.isConnected || other.inbox.wasListenedTo
        take = other.take
    }

    var rules: LinkRules { routing.rules }
}

/// A call that waits for a link's destination.
struct LinkCall: Sendable {
    let id: Int
    let link: LinkAddress
    let question: IdempotencyKey
    let deadline: Duration
    let waiter: CheckedContinuation<OpenedLink, Never>
}

/// The circumstances of all links at one instant.
struct LinkCircumstances: Sendable {
    var now: Duration
    /// By the phone's calendar, in Unix milliseconds.
    var date: Int64
    var isStarted: Bool
    /// The files have been read.
    var isOpen: Bool
    /// No request can be answered soon, so no call waits.
    var isDenied: Bool
    /// The files belong to another client, so this one has no installation.
    var isUnavailable: Bool
    /// nil while it is not known.
    var collection: CollectionMode?
    /// A first open has been answered, or never will be.
    var hasAskedFirst: Bool
    /// The stream is open and contains the question for the deferred link.
    var isStreamOpen: Bool
}

extension LinkState {
    /// Decides what follows.
    mutating func settle(_ at: LinkCircumstances) -> [Effect] {
        var effects: [Effect] = []
        settleRules()
        settleQuestions(at, &effects)
        for call in calls.values.sorted(by: { $0.id < $1.id }) {
            let verdict = questions[call.question]?.verdict
            guard let finding = verdict ?? (call.deadline <= at.now ? LinkTarget(status: .timedOut, link: call.link) : nil)
            else { continue }
            calls[call.id] = nil
            effects.append(.answer(call, opened(call.link, finding)))
        }
        settleDeferred(at, &effects)
        settleInbox(at, &effects)
        dropQuestions(&effects)
        return effects
    }

    mutating func leaveClick() { hasLeftClicks = true }

    /// True if the answer to a question records this click: no flush brings it.
    func bringsClick(_ key: IdempotencyKey) -> Bool { arriving.contains(key) || questions[key]?.bringsClick == true }

    mutating func takeLeftClicks() -> Bool {
        defer { hasLeftClicks = false }
        return hasLeftClicks
    }

    func wakeAt(_ now: Duration, canAsk: Bool) -> Duration? {
        var times = calls.values.map(\.deadline) + inbox.alarms + deferred.alarms(canAsk: canAsk)
        if canAsk, questions.values.contains(where: \.isToBeAskedAgain) { times.append(retry.notBefore) }
        return times.filter { $0 > now }.min()
    }

    mutating func resetRetries() {
        retry.reset()
        deferred.retryable.retry.reset()
    }

    func opened(_ original: LinkAddress, _ finding: LinkTarget) -> OpenedLink {
        OpenedLink(
            original: original.url, resolved: finding.link.url, status: finding.status,
            destination: rules.destination(of: finding.link, status: finding.status)
        )
    }

    /// The client ends: returns the callbacks of all waiting calls.
    mutating func end() -> [@Sendable () -> Void] {
        defer {
            calls = [:]
            deferred.calls = [:]
        }
        var ends: [@Sendable () -> Void] = inbox.stopListening().map { listener in { listener.waiter.resume(returning: nil) } }
        for call in calls.values {
            let link = opened(call.link, LinkTarget(status: .timedOut, link: call.link))
            ends.append { call.waiter.resume(returning: link) }
        }
        for call in deferred.calls.values { ends.append { call.waiter.resume(returning: .pending) } }
        return ends
    }
}
