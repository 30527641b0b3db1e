// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    /// Asks the server where one link leads; the answer records its click.
    func ask(_ key: IdempotencyKey) async {
        guard let (question, install) = read({ state in state.links.questions[key].map { ($0, state.install) } }) else {
            return
        }
        let result = await Result { try await self.finding(of: question, install) }
        let found: Found?
        switch result {
        case .success(let success): found = success
        case .failure(let error):
            guard let error = LandfallError(any: error) else { return }
            if case .refused(.invalidLink) = error.kind {
                found = Found(LinkTarget(status: .invalid, link: question.link), isRecorded: true)
            } else {
                found = nil
                change { state, at in state.noticed(error, by: .links, now: at.now) }
            }
        }
        if found?.isRecorded == true { forget([key.rawValue]) }
        change { state, at in
            state.links.answered(key, found?.finding, now: at.now, chance: at.chance)
            if question.recordsClick { state.asked(key, found, now: at.now) }
        }
    }

    /// - Throws: ``LandfallError``, `CancellationError`.
    private func finding(of question: LinkQuestion, _ install: Install?) async throws -> Found {
        let link = try await unwrapped(question.link)
        if link != question.link, read(\.links.routing).route(of: link) == .direct {
            return Found(LinkTarget(status: .resolved, link: link), isRecorded: false)
        }
        guard link == question.link || !link.carriesCredential else {
            return Found(LinkTarget(status: .resolved, link: link), isRecorded: true)
        }
        let request = LinkOpenRequest(
            url: link.text, key: question.key, ageMilliseconds: max(0, calendar - question.acceptedAt),
            recordsClick: question.recordsClick
        )
        let answer = try await send(request, as: question.recordsClick ? install : nil)
        return Found(question.finding(answer, of: link), isRecorded: question.recordsClick, person: answer.person)
    }

    /// Sends a click from a flush, if no question is about it.
    func send(_ click: LinkOpenRequest) async throws -> OutboxVerdict {
        if read({ $0.links.bringsClick(click.key) }) { return .elsewhere }
        // Whatever the result: nothing waits for the next try. What was cancelled had none, and is sent again.
        defer { if !Task.isCancelled { change { $0.awaited.ended([click.key.rawValue]) } } }
        // Looked up after the question: an answer lets the click go first, and may have come since the flush chose the click.
        guard outbox.pending.contains(where: { $0.click?.key == click.key }) else { return .taken() }
        if collection == .off { return .taken() }
        guard let install = read(\.install), var link = LinkAddress(resolvedBy: click.url) else {
            return .refused(.invalidLink)
        }
        do {
            link = try await unwrapped(link)
        } catch let error as LandfallError {
            let now = time.now()
            note { $0.failed(.outbox, error, now: now) }
            return .laterAlone
        }
        guard !link.carriesCredential else { return .taken() }
        var request = click
        request.url = link.text
        let answer = try await send(request, as: install)
        change { state, at in
            if let question = state.links.questions[click.key] {
                state.links.answered(click.key, question.finding(answer, of: link), now: at.now, chance: at.chance)
            }
            answer.person.map { state.learn($0.profile, $0.attribution, now: at.now) }
        }
        return .taken()
    }

    private func send(_ request: LinkOpenRequest, as install: Install?) async throws -> LinkOpenAnswer {
        let body = try WireCoding.encode(request)
        return try await calls.answer(
            LinkOpenAnswer.self, to: calls.request("POST", WirePath.linkOpen, body: body, as: install))
    }

    private func unwrapped(_ link: LinkAddress) async throws -> LinkAddress {
        let unwrapping = LinkUnwrapper(
            rules: configuration.links, transport: configuration.transport, now: time.now, log: configuration.log)
        return try await unwrapping.target(of: link)
    }
}

/// The result of a question.
private struct Found: Sendable {
    let finding: LinkTarget
    /// False if its click is still sent with the outbox.
    let isRecorded: Bool
    /// The person after this click.
    let person: ProfileAnswer?

    init(_ finding: LinkTarget, isRecorded: Bool, person: ProfileAnswer? = nil) {
        self.finding = finding
        self.isRecorded = isRecorded
        self.person = person
    }
}

extension LinkQuestion {
    /// - Parameter asked: the link that the server was asked about: the link itself, or the one that was wrapped in it.
    fileprivate func finding(_ answer: LinkOpenAnswer, of asked: LinkAddress) -> LinkTarget {
        guard answer.status == .resolved else {
            let wasWrapped = asked != link && answer.status == .passedThrough
            return LinkTarget(status: wasWrapped ? .resolved : answer.status, link: asked)
        }
        guard let resolved = LinkAddress(resolvedBy: answer.resolved) else { return LinkTarget(status: .invalid, link: link) }
        return LinkTarget(status: .resolved, link: resolved)
    }
}

extension LaunchState {
    /// - Parameter found: nil after a failed try.
    fileprivate mutating func asked(_ key: IdempotencyKey, _ found: Found?, now: Duration) {
        // In one change with the click's end: a paywall call sees either both or neither.
        found?.person.map { learn($0.profile, $0.attribution, now: now) }
        if found?.isRecorded != true { outbox.hasItems = true }
        // The wrapper contained a link that needs no answer: its click is sent now, and may still attribute the user.
        if found?.isRecorded != false { awaited.ended([key.rawValue]) }
    }
}
