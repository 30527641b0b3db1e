// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Whether a link was tapped before the app was installed, as far as this launch knows.
struct DeferredLinkState: Sendable {
    /// After this number of tries a launch gives up; the next launch continues.
    static let mostTries = 8

    /// The app's claim that is still without an answer.
    var token: DeferredToken?
    /// True while no answer was final, in this launch or an earlier one.
    var isOpen = false
    /// Links that this launch has put into the inbox, as they were tapped.
    var accepted: Set<String> = []
    var retryable = RetryableOperation()
    var calls: [Int: DeferredLinkCall] = [:]

    /// nil: there is nothing to ask. While collection is off, only a person's own claim is asked.
    func question(_ collection: CollectionMode?) -> DeferredQuestion? {
        token != nil || isOpen && collection != .off ? DeferredQuestion(token: token) : nil
    }

    /// When something may change by the passing of time alone.
    func alarms(canAsk: Bool) -> [Duration] {
        let mayAsk = canAsk && !retryable.isRunning && (isOpen || token != nil)
        return calls.values.map(\.deadline) + (mayAsk ? [retryable.retry.notBefore] : [])
    }
}

/// A call that waits for the link from before the installation.
struct DeferredLinkCall: Sendable {
    let id: Int
    let deadline: Duration
    let waiter: CheckedContinuation<DeferredLinkResult, Never>
}

/// The question of a first open: whether there is a link, with the app's claim.
struct DeferredQuestion: Hashable, Sendable {
    let token: DeferredToken?

    var wire: DeferredLinkRequest { DeferredLinkRequest(token: token?.token) }
}

/// What an install stores about it.
struct StoredDeferredLink: Hashable, Sendable, Codable {
    /// The tapped link; nil if there was none.
    var original: String?
}

extension LinkState {
    mutating func settleDeferred(_ at: LinkCircumstances, _ effects: inout [Effect]) {
        let isAsking = deferred.question(at.collection) != nil
        if isAsking, at.isStarted, at.isOpen, at.hasAskedFirst, !at.isStreamOpen,
            deferred.retryable.isDue(at.now), deferred.retryable.retry.failures < DeferredLinkState.mostTries
        {
            effects.append(.askDeferred(deferred.token))
        }
        for call in deferred.calls.values.sorted(by: { $0.id < $1.id }) {
            let result: DeferredLinkResult
            if let link = inbox.takeDeferred() {
                result = .link(received(link, at))
            } else if at.isOpen, !isAsking {
                result = .none
            } else if call.deadline <= at.now || at.isDenied || at.isUnavailable {
                result = .pending
            } else {
                continue
            }
            deferred.calls[call.id] = nil
            effects.append(.answerDeferred(call, result))
        }
    }
}

extension DeferredLinkState {
    var inWords: String { token == nil && !isOpen ? "settled" : retryable.inWords(idle: token == nil ? "open" : "claimed") }
}
