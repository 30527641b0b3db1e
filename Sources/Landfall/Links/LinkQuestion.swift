// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// A question about where one link leads: at most one request at a time, shared by every caller that needs it.
struct LinkQuestion: Sendable {
    let key: IdempotencyKey
    let link: LinkAddress
    /// The link's click is recorded by the answer.
    let recordsClick: Bool
    /// By the phone's calendar, in Unix milliseconds.
    let acceptedAt: Int64
    var operation: Operations.ID?
    /// When it was last asked; nil before the first time, which needs no wait.
    var askedAt: Duration?
    /// Final.
    var finding: LinkTarget?
    /// The result of the last failed try.
    var failure: LinkStatus?

    /// The current result: the answer, or the failure of the last try.
    var verdict: LinkTarget? {
        finding ?? (operation == nil ? failure.map { LinkTarget(status: $0, link: link) } : nil)
    }

    var isToBeAskedAgain: Bool { finding == nil && operation == nil && askedAt != nil }

    /// Its answer will record the click, so the click need not be sent separately.
    var bringsClick: Bool { recordsClick && finding == nil }
}

/// Where a link leads.
struct LinkTarget: Hashable, Sendable {
    let status: LinkStatus
    let link: LinkAddress
}

extension LinkState {
    /// Adds a question, unless it is asked already.
    mutating func ask(_ question: LinkQuestion) {
        if questions[question.key] == nil { questions[question.key] = question }
    }

    mutating func settleQuestions(_ at: LinkCircumstances, _ effects: inout [Effect]) {
        var failed: [LinkQuestion] = []
        for question in questions.values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where question.finding == nil {
            let key = question.key
            if at.collection == .off {
                leave(question, &effects)
                questions[key]?.operation = nil
                questions[key]?.finding = LinkTarget(status: .disabled, link: question.link)
            } else if at.isDenied, question.operation == nil, !isPatient(key) {
                questions[key]?.failure = .offline
            } else if at.isStarted, at.isOpen, question.operation == nil, question.failure == nil || isPatient(key) {
                question.askedAt == nil ? ask(key, at, &effects) : failed.append(question)
            }
        }
        guard retry.notBefore <= at.now else { return }
        // After a failed try, only the question that has waited longest is asked, to find out whether the network works again.
        guard retry.failures > 0 else { return failed.forEach { ask($0.key, at, &effects) } }
        guard !questions.values.contains(where: { $0.operation != nil }) else { return }
        let next = failed.min { ($0.askedAt ?? .zero, $0.key.rawValue) < ($1.askedAt ?? .zero, $1.key.rawValue) }
        if let next { ask(next.key, at, &effects) }
    }

    private mutating func ask(_ key: IdempotencyKey, _ at: LinkCircumstances, _ effects: inout [Effect]) {
        questions[key]?.failure = nil
        questions[key]?.askedAt = at.now
        effects.append(.ask(key))
    }

    /// True if no call waits for this answer at the moment: then a failed question is asked again. Otherwise its failure is the
    /// answer.
    private func isPatient(_ key: IdempotencyKey) -> Bool {
        !calls.values.contains { $0.question == key } && !inbox.isAwaited(question: key)
    }

    /// Drops a question that is no longer needed.
    mutating func dropQuestions(_ effects: inout [Effect]) {
        let needed = Set(calls.values.map(\.question)).union(inbox.questions)
        for (key, question) in questions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where !needed.contains(key) {
            questions[key] = nil
            leave(question, &effects)
        }
    }

    private mutating func leave(_ question: LinkQuestion, _ effects: inout [Effect]) {
        if let operation = question.operation { effects.append(.cancel(operation)) }
        if question.bringsClick { leaveClick() }
    }

    /// A listener now waits for links whose questions failed earlier: they are asked at once.
    mutating func listen(_ listener: LinkListener, now: Duration) {
        inbox.listen(listener, now: now)
        for key in inbox.questions where isPatient(key) && questions[key]?.operation == nil {
            questions[key]?.failure = nil
            questions[key]?.askedAt = nil
        }
    }

    /// - Parameter finding: nil after a failed try.
    mutating func answered(_ key: IdempotencyKey, _ finding: LinkTarget?, now: Duration, chance: Double) {
        questions[key]?.operation = nil
        if let finding {
            questions[key]?.finding = finding
            retry.reset()
        } else {
            questions[key]?.failure = .offline
            // Questions that were asked together count as one failure.
            if retry.notBefore <= now { retry.failed(now: now, chance: chance) }
        }
    }
}
