// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// Everything about links in one launch: what was received a moment ago, what is asked of the server, who waits for an
/// answer, the inbox, and the link from before the installation.
struct LinkDesk: Sendable {
    enum Effect: Sendable {
        case ask(IdempotencyKey)
        case cancel(Operations.ID)
        case answer(LinkCall, OpenedLink)
        case handOver(LinkListener, ReceivedLink)
        case answerDeferred(DeferredLinkCall, DeferredLinkResult)
        case askDeferred(DeferredToken?)
        /// Nobody needs these stored any more.
        case forget(Set<String>)
    }

    /// How long a call waits for the server, and how long a link that somebody waits for stays in the inbox for it.
    static let patience: Duration = .milliseconds(2_500)

    let rules: LinkRules
    var echoes = LinkEchoes()
    var questions: [IdempotencyKey: LinkQuestion] = [:]
    var calls: [Int: LinkCall] = [:]
    var inbox = LinkInbox()
    var deferred = DeferredLinkState()

    init(_ rules: LinkRules) { self.rules = rules }
}

/// A call that waits to be told where a link leads.
struct LinkCall: Sendable {
    let id: Int
    let link: LinkAddress
    let question: IdempotencyKey
    let deadline: Duration
    let waiter: CheckedContinuation<OpenedLink, Never>
}

/// Where one link leads: asked by at most one request at a time, for everybody who needs it.
struct LinkQuestion: Sendable {
    let key: IdempotencyKey
    let link: LinkAddress
    /// The link's click is recorded by the answer.
    let recordsClick: Bool
    /// By the phone's calendar, in Unix milliseconds.
    let acceptedAt: Int64
    var errand = Errand()
    /// Final.
    var finding: LinkFinding?
    /// What the last try came to.
    var failure: LinkStatus?

    /// What can be said now: the answer, or that the last try came to nothing.
    var verdict: LinkFinding? {
        finding ?? (errand.isRunning ? nil : failure.map { LinkFinding(status: $0, link: link) })
    }
}

/// Where a link leads.
struct LinkFinding: Hashable, Sendable {
    let status: LinkStatus
    let link: LinkAddress
}

/// What is known around the links at one instant.
struct LinkCircumstances: Sendable {
    var now: Duration
    /// By the phone's calendar, in Unix milliseconds.
    var date: Int64
    var isStarted: Bool
    /// The files have been read.
    var isOpen: Bool
    var hasPath: Bool
    /// nil while it is not known.
    var collection: CollectionMode?
    /// A first open has been answered, or never will be.
    var hasAskedFirst: Bool
    /// The stream is open and carries the question for the deferred link.
    var isStreamOpen: Bool
    var take: @Sendable (String) -> Void
}

extension LinkDesk {
    /// What follows.
    mutating func settle(_ at: LinkCircumstances) -> [Effect] {
        var effects: [Effect] = []
        settleQuestions(at, &effects)
        for call in calls.values.sorted(by: { $0.id < $1.id }) {
            let verdict = questions[call.question]?.verdict
            guard let finding = verdict ?? (call.deadline <= at.now ? LinkFinding(status: .timedOut, link: call.link) : nil)
            else { continue }
            calls[call.id] = nil
            effects.append(.answer(call, opened(call.link, finding)))
        }
        settleDeferred(at, &effects)
        settleInbox(at, &effects)
        dropQuestions(&effects)
        return effects
    }

    private mutating func settleQuestions(_ at: LinkCircumstances, _ effects: inout [Effect]) {
        for question in questions.values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where question.finding == nil {
            let key = question.key
            if at.collection == .off {
                questions[key]?.finding = LinkFinding(status: .disabled, link: question.link)
                if let operation = question.errand.operation { effects.append(.cancel(operation)) }
            } else if !at.hasPath {
                questions[key]?.failure = .offline
            } else if at.isStarted, at.isOpen, question.errand.isDue(at.now), question.failure == nil || isPatient(key) {
                questions[key]?.failure = nil
                effects.append(.ask(key))
            }
        }
    }

    /// Nobody waits for this answer at the moment: a failed question is asked again. Else its failure is the answer.
    private func isPatient(_ key: IdempotencyKey) -> Bool {
        !calls.values.contains { $0.question == key } && !inbox.isAwaited(question: key)
    }

    /// A question that nobody needs is not asked.
    private mutating func dropQuestions(_ effects: inout [Effect]) {
        let needed = Set(calls.values.map(\.question)).union(inbox.questions)
        for (key, question) in questions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where !needed.contains(key) {
            questions[key] = nil
            if let operation = question.errand.operation { effects.append(.cancel(operation)) }
        }
    }

    func wakeAt(_ now: Duration, canAsk: Bool) -> Duration? {
        var times = calls.values.map(\.deadline) + inbox.alarms + deferred.alarms(canAsk: canAsk)
        if canAsk {
            times += questions.values.filter { $0.finding == nil && !$0.errand.isRunning }.map(\.errand.retry.notBefore)
        }
        return times.filter { $0 > now }.min()
    }

    mutating func resetRetries() {
        for key in questions.keys { questions[key]?.errand.retry.reset() }
        deferred.errand.retry.reset()
    }

    func opened(_ original: LinkAddress, _ finding: LinkFinding) -> OpenedLink {
        OpenedLink(
            original: original.url, resolved: finding.link.url, status: finding.status,
            destination: rules.destination(of: finding.link, status: finding.status)
        )
    }

    /// Remembers a question, unless it is asked already.
    mutating func ask(_ question: LinkQuestion) {
        if questions[question.key] == nil { questions[question.key] = question }
    }

    /// Somebody waits now for what failed while nobody did: it is tried again.
    mutating func listen(_ listener: LinkListener, now: Duration) {
        inbox.listen(listener, now: now)
        for key in inbox.questions where isPatient(key) && questions[key]?.errand.isRunning == false {
            questions[key]?.failure = nil
            questions[key]?.errand.retry.reset()
        }
    }

    /// - Parameter finding: nil after a try that came to nothing.
    mutating func answered(_ key: IdempotencyKey, _ finding: LinkFinding?, now: Duration, chance: Double) {
        questions[key]?.errand.operation = nil
        if let finding {
            questions[key]?.finding = finding
        } else {
            questions[key]?.failure = .offline
            questions[key]?.errand.retry.failed(now: now, chance: chance)
        }
    }
}
