// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    /// Asks where one link leads; the answer records its click.
    func ask(_ key: IdempotencyKey) async {
        guard let (question, install) = read({ state in state.links.questions[key].map { ($0, state.install) } }) else {
            return
        }
        let result = await Result { try await self.finding(of: question, install) }
        let isRecorded: Bool
        let finding: LinkFinding?
        switch result {
        case .success(let found): (finding, isRecorded) = found
        case .failure(let error):
            guard let error = LandfallError(any: error) else { return }
            if case .refused(.invalidLink) = error.kind {
                (finding, isRecorded) = (LinkFinding(status: .invalid, link: question.link), true)
            } else {
                (finding, isRecorded) = (nil, false)
                change { state, at in state.noticed(error, now: at.now) }
            }
        }
        if isRecorded { forget([key.rawValue]) }
        change { state, at in
            state.links.answered(key, finding, now: at.now, chance: at.chance)
            if question.recordsClick { state.clickEnded(isRecorded: isRecorded) }
        }
    }

    /// - Throws: ``LandfallError``, `CancellationError`.
    private func finding(of question: LinkQuestion, _ install: Install?) async throws -> (LinkFinding, isRecorded: Bool) {
        let link = try await unwrapped(question.link)
        if link != question.link, configuration.links.route(of: link) == .direct {
            // Its click leaves with the outbox.
            return (LinkFinding(status: .resolved, link: link), false)
        }
        guard link == question.link || !link.carriesCredential else {
            return (LinkFinding(status: .resolved, link: link), true)
        }
        let request = LinkOpenRequest(
            url: link.text, key: question.key, ageMilliseconds: max(0, calendar - question.acceptedAt),
            recordsClick: question.recordsClick
        )
        let answer = try await send(request, as: question.recordsClick ? install : nil)
        return (question.finding(answer, of: link), question.recordsClick)
    }

    /// What a flush does with a click that no question is about.
    func send(_ click: LinkOpenRequest) async throws -> OutboxVerdict {
        if read({ $0.links.questions[click.key]?.bringsClick == true }) { return .elsewhere }
        if collection == .off { return .taken() }
        guard let install = read(\.install), var link = LinkAddress(resolvedBy: click.url) else {
            return .refused(.invalidLink)
        }
        do {
            link = try await unwrapped(link)
        } catch is LandfallError {
            // Somebody else's server: what waits behind this click is none of its business.
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
            state.clickEnded(isRecorded: true)
        }
        return .taken()
    }

    private func send(_ request: LinkOpenRequest, as install: Install?) async throws -> LinkOpenAnswer {
        let body = try WireCoding.encode(request)
        return try await calls.answer(
            LinkOpenAnswer.self, to: calls.request("POST", WirePath.linkOpen, body: body, as: install))
    }

    private func unwrapped(_ link: LinkAddress) async throws -> LinkAddress {
        try await LinkUnwrapping(rules: configuration.links, transport: configuration.transport).target(of: link)
    }
}

extension LinkQuestion {
    /// - Parameter asked: what the server was asked about: the link itself, or what was wrapped in it.
    fileprivate func finding(_ answer: LinkOpenAnswer, of asked: LinkAddress) -> LinkFinding {
        guard answer.status == .resolved else {
            let wasWrapped = asked != link && answer.status == .passedThrough
            return LinkFinding(status: wasWrapped ? .resolved : answer.status, link: asked)
        }
        guard let resolved = LinkAddress(resolvedBy: answer.resolved) else { return LinkFinding(status: .invalid, link: link) }
        return LinkFinding(status: .resolved, link: resolved)
    }
}

extension LaunchState {
    fileprivate mutating func clickEnded(isRecorded: Bool) {
        if isRecorded {
            // The click may have changed who this person is for the audiences.
            isProfileOutdated = isProfileOutdated || firstOpen.isOver
        } else {
            hasOutboxItems = true
        }
    }
}
