// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Where the first-open stream of this launch stands.
struct FirstOpenState: Sendable {
    /// How long a first open that asks for nothing yet waits for the first call.
    static let patience: Duration = .milliseconds(30)

    var errand = Errand()
    var fold = FirstOpenFold()
    /// What the stream that is open, or was open last, asks for.
    private(set) var wanted: [PaywallKey] = []
    /// What it has answered.
    private(set) var answered: Set<PaywallKey> = []
    private(set) var openedAt: Duration = .zero
    /// When the stream said something last.
    private(set) var heardAt: Duration = .zero
    private(set) var holdEndsAt: Duration = .zero
    private(set) var hasFirstLine = false
    private(set) var hasEverHadFirstLine = false
    /// The token that the request carried.
    private(set) var carriedToken: AdToken?
    /// Attribute changes and clicks that the request carried, by their keys in the outbox.
    private(set) var carriedChanges: Set<String> = []
    /// Whether the request asked for the link from before the installation.
    private(set) var carriedQuestion: DeferredQuestion?
    /// The server's store has not taken what the request carried: all of it stays here and is sent again.
    private(set) var isUnstored = false
    /// The request is about to be made, with everything that calls wait for.
    private(set) var isLeaving = false
    private var wasReplaced = false
    /// Nothing more is expected of the stream in this launch.
    private(set) var isOver = false

    /// The first request has not left yet and will.
    var willAsk: Bool { !isOver && !errand.isRunning && carriedToken == nil && errand.retry.failures == 0 }

    /// Until when the stream is the way on which this key is answered, so that no plain call is needed beside it; nil where
    /// it is not. A stream that does not speak has a grace from its opening on, or from the question where that came later. One
    /// that has answered, and not for good, is doubted only when it has been silent for long: a connection may die without a word.
    func carries(_ key: PaywallKey, asked: Duration, grace: Duration, doubt: Duration) -> Duration? {
        if isLeaving { return max(asked, openedAt) + grace }
        if willAsk { return asked + grace }
        guard errand.isRunning, wanted.contains(key) else { return nil }
        return answered.contains(key) ? max(asked, heardAt) + doubt : max(asked, openedAt) + grace
    }

    /// How long after the last first open a return to the app is worth telling: the server keeps the hour.
    static let absence: Duration = .seconds(3_600)

    /// Somebody sees the app again. After long that is an open like the one of a launch.
    mutating func returned(now: Duration) {
        guard isOver, now - openedAt >= Self.absence else { return }
        let hasEverHadFirstLine = hasEverHadFirstLine
        self = FirstOpenState()
        self.hasEverHadFirstLine = hasEverHadFirstLine
    }

    /// The key of an answer: the server may write the locale in its own way.
    func key(of answer: PaywallAnswer) -> PaywallKey? {
        let exact = PaywallKey(answer.placement, .matching, locale: answer.locale)
        if wanted.contains(exact) { return exact }
        let samePlacement = wanted.filter { $0.placement == answer.placement }
        return samePlacement.count == 1 ? samePlacement[0] : nil
    }

    mutating func leaves(now: Duration) {
        isLeaving = errand.retry.failures == 0
        openedAt = now
    }

    mutating func left(
        wanting wanted: [PaywallKey], token: AdToken, changes: Set<String>, question: DeferredQuestion?, hold: Duration,
        now: Duration
    ) {
        self.wanted = wanted
        isLeaving = false
        answered = []
        fold = FirstOpenFold()
        openedAt = now
        holdEndsAt = now + hold
        hasFirstLine = false
        isUnstored = false
        carriedToken = token
        carriedChanges = changes
        carriedQuestion = question
    }

    mutating func heardFirstLine(isStored: Bool) {
        hasFirstLine = true
        isUnstored = !isStored
        hasEverHadFirstLine = true
    }

    mutating func heard(now: Duration) { heardAt = now }

    mutating func answered(_ key: PaywallKey) { answered.insert(key) }

    /// The server ended the stream.
    mutating func ended(_ reason: EndReason, now: Duration, chance: Double) {
        if isUnstored {
            // Again, for what was not stored. Not at once: the store needs a rest.
            errand.retry.failed(now: now, chance: chance)
        } else if reason == .stopping {
            broke(isAnythingOpen: true, now: now, chance: chance)
        } else {
            isOver = true
        }
    }

    /// The connection broke, or the request failed. A stream that had spoken is replaced once without waiting.
    mutating func broke(isAnythingOpen: Bool, now: Duration, chance: Double) {
        errand.operation = nil
        if hasFirstLine && !isAnythingOpen {
            isOver = true
        } else if hasFirstLine && !wasReplaced {
            wasReplaced = true
        } else {
            errand.retry.failed(now: now, chance: chance)
        }
    }

    /// The server refused: it will refuse again.
    mutating func refused() {
        errand.operation = nil
        isOver = true
    }
}
