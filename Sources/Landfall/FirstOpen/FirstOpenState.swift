// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The state of this launch's first-open stream.
struct FirstOpenState: Sendable {
    /// Items of the outbox, by their keys.
    struct Items: Sendable {
        var attributes: Set<String> = []
        var links: Set<String> = []
    }

    /// Items of the outbox that a request may contain.
    enum Cargo: Sendable { case everything, links, nothing }

    /// How long a first open that asks for nothing waits for the first call.
    static let patience: Duration = .milliseconds(30)

    /// How long the server may hold it.
    let hold: Duration
    var retryable = RetryableOperation()
    var fold = FirstOpenFold()
    /// What the open stream asks for, or of the last one.
    private(set) var wanted: [PaywallKey] = []
    /// The part of it that is answered.
    private(set) var answered: Set<PaywallKey> = []
    private(set) var openedAt: Duration = .zero
    /// When the stream last received something.
    private(set) var heardAt: Duration = .zero
    private(set) var holdEndsAt: Duration = .zero
    /// When the open stream counts as broken, however often it sends something: the server begins its hold at most 15 s late, since
    /// a request without a byte ends then, and its last line has 5 s.
    var overdueAt: Duration? { retryable.isRunning ? holdEndsAt + .seconds(20) : nil }
    private(set) var hasFirstLine = false
    private(set) var hasEverHadFirstLine = false
    /// The token that the request carried.
    private(set) var carriedToken: AdToken?
    /// Attribute changes and clicks that the request contained, by their keys in the outbox.
    var carriedChanges: Set<String> { carried.attributes.union(carried.links) }
    private var carried = Items()
    /// What the next request may contain.
    private(set) var cargo = Cargo.everything
    /// The request's question about the link from before the installation.
    private(set) var carriedQuestion: DeferredQuestion?
    /// The server's store has not taken the request's items: all of them stay here and are sent again.
    private(set) var isUnstored = false
    /// The request is about to be sent, with what all waiting calls ask for.
    private(set) var isLeaving = false
    private var wasReplaced = false
    /// Nothing more is expected of the stream in this launch.
    private(set) var isOver = false

    init(hold: Duration) { self.hold = hold.clamped(to: .zero ... .seconds(30)) }

    /// The first request has not been sent yet and will be.
    var willAsk: Bool { !isOver && !retryable.isRunning && carriedToken == nil && retryable.retry.failures == 0 }

    /// Until when the stream is expected to answer this call, so that no plain call is needed beside it; nil if it is not. A
    /// silent stream has a grace, counted from its opening, or from the question if that came later. A stream that has
    /// answered, but not finally, is doubted only after a long silence: a connection may die without notice.
    /// - Parameter answeredAt: when this call's paywall was last answered, in whatever way.
    func carries(_ call: PaywallCall, answeredAt: Duration?) -> Duration? {
        if isLeaving { return max(call.asked, openedAt) + call.grace }
        if willAsk { return call.asked + call.grace }
        guard retryable.isRunning, wanted.contains(call.key) else { return nil }
        guard answered.contains(call.key) else {
            // A plain answer overtook this stream: that connection works, so the next question goes there at once.
            if let answeredAt, answeredAt >= max(call.asked, openedAt) { return nil }
            return max(call.asked, openedAt) + call.grace
        }
        return max(call.asked, heardAt) + call.doubt
    }

    /// A stream that lived this long worked.
    static let lasting: Duration = .seconds(10)

    /// The shortest absence after which a return to the app is reported: the server stores the hour.
    static let absence: Duration = .seconds(3_600)

    /// The app is visible again. After a long absence that is an open like that of a launch.
    mutating func returned(now: Duration) {
        guard isOver, now - openedAt >= Self.absence else { return }
        let hasEverHadFirstLine = hasEverHadFirstLine
        self = FirstOpenState(hold: hold)
        self.hasEverHadFirstLine = hasEverHadFirstLine
    }

    /// The key of an answer: the server may write the locale in its own form.
    func key(of answer: PaywallAnswer) -> PaywallKey? {
        let exact = PaywallKey(answer.placement, .matching, locale: answer.locale)
        if wanted.contains(exact) { return exact }
        let samePlacement = wanted.filter { $0.placement == answer.placement }
        return samePlacement.count == 1 ? samePlacement[0] : nil
    }

    mutating func leaves(now: Duration) {
        isLeaving = retryable.retry.failures == 0
        openedAt = now
    }

    mutating func left(
        wanting wanted: [PaywallKey], token: AdToken, items: Items, question: DeferredQuestion?, hold: Duration,
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
        carried = items
        carriedQuestion = question
    }

    /// The request was cancelled before its answer began.
    mutating func takenBack() {
        retryable.operation = nil
        carriedToken = nil
        carried = Items()
        carriedQuestion = nil
    }

    mutating func heardFirstLine(isStored: Bool) {
        hasFirstLine = true
        isUnstored = !isStored
        hasEverHadFirstLine = true
    }

    mutating func heard(now: Duration) { heardAt = now }

    mutating func answered(_ key: PaywallKey) { answered.insert(key) }

    /// The server ended the stream.
    /// - Parameter isAwaited: somebody waits for a paywall.
    mutating func ended(_ reason: EndReason, isAwaited: Bool, now: Duration, chance: Double) {
        if isUnstored {
            // Try again to send what was not stored, but not at once: the store needs a pause.
            retryable.retry.failed(now: now, chance: chance)
        } else if reason == .stopping {
            broke(isAnythingOpen: true, isAwaited: isAwaited, now: now, chance: chance)
        } else {
            isOver = true
            retryable.retry.reset()
        }
    }

    /// The connection broke, or the request failed. A stream that had received something is replaced once without a pause.
    /// - Parameter isAwaited: somebody waits for a paywall.
    mutating func broke(isAnythingOpen: Bool, isAwaited: Bool, now: Duration, chance: Double) {
        retryable.operation = nil
        // A proxy may cut each stream after its first line: only one that lasted makes the pauses short again.
        if hasFirstLine, now - openedAt >= Self.lasting { retryable.retry.reset() }
        if hasFirstLine && !isAnythingOpen {
            isOver = true
            retryable.retry.reset()
        } else if hasFirstLine && !wasReplaced {
            wasReplaced = true
        } else {
            retryable.retry.failed(isAwaited: isAwaited, now: now, chance: chance)
        }
    }

    /// The server refused. One bad item must not cost the whole first open: it is sent again at once without the attribute
    /// changes, then without the links. They follow one by one in the outbox, which reports a bad one.
    /// - Returns: false if the server will refuse again: then the stream is over.
    mutating func leavesItemsOut(after refusal: LandfallError) -> Bool {
        retryable.operation = nil
        if refusal.isAboutTheCaller || carriedChanges.isEmpty {
            isOver = true
        } else {
            cargo = carried.attributes.isEmpty ? .nothing : .links
        }
        return !isOver
    }
}

extension FirstOpenState {
    var inWords: String {
        if isOver { return hasEverHadFirstLine ? "answered and over" : "over" }
        if retryable.isRunning { return hasFirstLine ? isUnstored ? "answered, not stored" : "answered, held" : "asked" }
        return retryable.inWords(idle: carriedToken == nil ? "has not left" : "broken, to be asked again")
    }
}
