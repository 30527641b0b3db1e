// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension Launch {
    /// Starts the stream. Runs under the lock.
    func openStream(
        _ wanted: [PaywallKey], _ token: AdToken, _ hold: Duration, _ state: inout LaunchState, _ at: LaunchState.Instant
    ) {
        guard let install = state.install else { return }
        let entries = outbox.entries
        // The oldest, so that the order is kept: the rest follows in the outbox.
        let cargo = state.firstOpen.cargo
        let isFirst = state.firstOpen.carriedToken == nil && cargo == .everything && state.person.call != .sent
        let changes = isFirst ? entries.compactMap(\.item.attributeChanges).prefix(64) : []
        let links = state.collection == .off || cargo == .nothing ? [] : waitingLinks(among: entries, at.date)
        let question = state.links.deferred.question(state.collection)
        let request = FirstOpenRequest(
            device: state.platform.completed(configuration.device, stored: state.stored.storeCountry)
                .limited(to: state.collection, of: install),
            adToken: token, purchases: state.profileState.arePurchasesComing(at.now) ? .coming : .none,
            links: links, deferred: question?.wire,
            placements: wanted.map { .init(id: $0.placement, locale: $0.locale.isEmpty ? nil : $0.locale) },
            attributeChanges: Array(changes), assignments: state.experiments.echo, holdMilliseconds: hold.wholeMilliseconds
        )
        let items = FirstOpenState.Items(attributes: Set(changes.map(\.key.rawValue)), links: Set(links.map(\.key.rawValue)))
        state.firstOpen.left(wanting: wanted, token: token, items: items, question: question, hold: hold, now: at.now)
        state.paywalls.toRefresh.subtract(wanted)
        let rules = state.linkRulesVersion
        state.firstOpen.retryable.operation = operations.run(for: .launch) { [weak self] id in
            await self?.stream(request, as: install, linkRules: rules, operation: id)
        }
    }

    /// Clicks that the server has not recorded. The target of a wrapped link is not known yet.
    private func waitingLinks(among entries: [OutboxJournal.Entry], _ date: Date) -> [FirstOpenRequest.WaitingLink] {
        let clicks = entries.compactMap { entry -> FirstOpenRequest.WaitingLink? in
            guard let click = entry.item.click, let link = LinkAddress(resolvedBy: click.url),
                configuration.links.route(of: link) != .unwrap
            else { return nil }
            return .init(key: click.key, url: click.url, ageMilliseconds: entry.age(at: date.unixMilliseconds))
        }
        return Array(clicks.suffix(64))
    }

    private func stream(
        _ request: FirstOpenRequest, as install: Install, linkRules: String, operation: Operations.ID
    ) async {
        do {
            let body = try WireCoding.encode(request)
            let answer = try await calls.accepted(
                calls.request("POST", WirePath.firstOpen, body: body, as: install, linkRules: linkRules))
            var splitter = LineSplitter()
            var received = 0
            for try await chunk in answer.body {
                received += chunk.count
                guard received <= ServerCalls.longestStream else {
                    throw TransportError(.connectionFailed, detail: "The first-open stream does not end.")
                }
                let lines = try splitter.lines(completedBy: chunk)
                if !lines.isEmpty, heard(lines, operation) { return }
            }
            try Task.checkCancellation()
            throw TransportError(.connectionFailed, detail: "The stream ended before its last line.")
        } catch {
            guard let error = LandfallError(any: error) else { return }
            change { state, at in
                guard state.firstOpen.retryable.operation == operation else { return }
                state.streamBroke(error, at)
            }
        }
    }

    /// - Returns: true after the last line.
    private func heard(_ lines: [FirstOpenLine], _ operation: Operations.ID) -> Bool {
        let question = read { $0.firstOpen.retryable.operation == operation ? $0.firstOpen.carriedQuestion : nil }
        for case .deferred(let answer) in lines {
            if let question { learn(answer, for: question.token) }
        }
        let (isEnd, taken) = change { state, at -> (Bool, Set<String>) in
            // Another stream may have replaced this one, and what that one contains is not this one's to forget.
            guard state.firstOpen.retryable.operation == operation else { return (true, []) }
            // If the server stored the request, it has the items in it: they leave the outbox before it may be sent, and together with
            // what the answer says of them. A caller that waits for them sees both.
            let taken = state.firstOpen.hasFirstLine || lines.sayUnstored ? [] : state.firstOpen.carriedChanges
            if !taken.isEmpty {
                outbox.remove(taken)
                state.files.storeOutboxNow()
            }
            return (state.heard(lines, at), taken)
        }
        if !taken.isEmpty, read(\.isOver) { outbox.letGo(taken) }
        return isEnd
    }
}

extension LaunchState {
    /// The first open and when it is sent: with the token, or once waiting for the token is not worthwhile. If no call needs
    /// anything yet, it is sent a moment later, so that the first call is part of it.
    func streamOpening(_ now: Duration) -> (from: Duration, LaunchEffect)? {
        guard !firstOpen.retryable.isRunning else { return nil }
        let wanted = paywalls.wanted
        let (tokenFrom, token) = adToken.forFirstOpen(urgentFrom: tokenUrgentFrom)
        let wantedFrom = wanted.isEmpty ? adToken.askedAt + FirstOpenState.patience : .zero
        let longest = min(paywalls.latestDeadline.map { $0 - now } ?? .zero, .seconds(30))
        return (
            max(firstOpen.retryable.retry.notBefore, tokenFrom, wantedFrom),
            .openStream(wanted, token, hold: max(firstOpen.hold, longest))
        )
    }

    /// When a caller has spent an eighth of its time on waiting for the token alone.
    private var tokenUrgentFrom: Duration? {
        adToken.isAwaited ? paywalls.calls.values.lazy.map { $0.asked + $0.grace / 2 }.min() : nil
    }

    /// Blank lines keep a stream from being idle, and nothing else would end it.
    mutating func endOverdueStream(_ at: Instant) {
        guard let operation = firstOpen.retryable.operation, let time = firstOpen.overdueAt, time <= at.now else { return }
        cancelled.append(operation)
        streamBroke(LandfallError(.network(TransportError(.timedOut, detail: "The stream outlived its hold."))), at)
    }

    /// - Returns: true after the last line.
    fileprivate mutating func heard(_ lines: [FirstOpenLine], _ at: Instant) -> Bool {
        firstOpen.heard(now: at.now)
        if !firstOpen.hasFirstLine {
            firstOpen.heardFirstLine(isStored: !lines.sayUnstored)
            if !firstOpen.isUnstored { firstOpen.carriedToken.map { delivered($0) } }
        }
        var isEnd = false
        for meaning in firstOpen.fold.meanings(of: lines) {
            switch meaning {
            case .profileState(let profile, let attribution):
                noteIfAppleHasSpoken(attribution)
                learn(profile, attribution, now: at.now)
                // The first profile already includes the changes of the request.
                awaited.ended(firstOpen.carriedChanges)
            case .attribution(let attribution):
                noteIfAppleHasSpoken(attribution)
                learn(attribution, now: at.now)
            case .paywall(let answer): heard(answer, at)
            case .problem(let problem):
                for key in firstOpen.wanted where key.placement == problem.placement {
                    paywalls.refuse(key, LandfallError(.refused(problem.code), detail: problem.message), now: at.now)
                    heard(problem)
                }
            case .linkRules(let rules): learn(rules)
            case .end(let reason):
                // Everything is final: a server that does not mention a link from before the installation has none.
                let isSettled = reason == .final && !firstOpen.isUnstored
                if isSettled, let question = firstOpen.carriedQuestion, question.token == nil, links.deferred.isOpen {
                    deferredSettled(original: nil, question.token)
                }
                firstOpen.retryable.operation = nil
                if isSettled, firstOpen.carriedToken == .coming { adToken.notAwaited() }
                firstOpen.ended(reason, isAwaited: paywalls.isAwaited, now: at.now, chance: at.chance)
                isEnd = true
            }
        }
        return isEnd
    }

    /// The stream knows of the coming token and still reports that nothing is pending: Apple has answered before.
    private mutating func noteIfAppleHasSpoken(_ attribution: LandfallWire.Attribution?) {
        guard firstOpen.carriedToken == .coming else { return }
        switch attribution {
        case .notAttributed: adToken.notNeeded()
        case .attributed(let details) where details.source == .appleAds: adToken.notNeeded()
        default: break
        }
    }

    private mutating func heard(_ problem: PlacementProblem) {
        if problem.code == .placementUnknown { return report(.unknownPlacement(problem.placement)) }
        let text = "The server has no paywall for '\(problem.placement)' (\(problem.code)): \(problem.message)"
        log.add(.error, "\(text) Correct landfall.yaml.", .paywalls)
    }

    private mutating func heard(_ answer: PaywallAnswer, _ at: Instant) {
        guard let key = firstOpen.key(of: answer) else { return }
        firstOpen.answered(key)
        var answer = answer
        // Its line came before.
        answer.attribution = profileState.attribution
        let isBeyondDoubt = isBeyondDoubt(firstOpen.holdEndsAt, at.now)
        paywalls.received(
            answer, for: key, isCertain: adToken.isInBackground || answer.final && isBeyondDoubt, isBeyondDoubt: isBeyondDoubt,
            now: at.now, date: at.date
        )
        files.changed(.paywalls)
        keepAssignment(of: answer, for: key)
        noticeStaleFallback(answer.revision)
    }

    fileprivate mutating func streamBroke(_ error: LandfallError, _ at: Instant) {
        let carried = firstOpen.carriedChanges
        if error.isRefusal {
            if !firstOpen.leavesItemsOut(after: error) { for key in firstOpen.wanted { paywalls.refuse(key, error, now: at.now) } }
        } else {
            let isAnythingOpen =
                profileState.attribution.isPending || profileState.arePurchasesComing(at.now)
                || firstOpen.wanted.contains { paywalls.answers[$0]?.isCertain != true }
            firstOpen.broke(
                isAnythingOpen: isAnythingOpen, isAwaited: paywalls.isAwaited, now: at.now, chance: at.chance)
        }
        if error.isRefusal, firstOpen.isOver {
            awaited.ended(carried)
        } else if !error.isRefusal || firstOpen.cargo != .links {
            // The clicks of a refused request that is sent again with its links are still awaited.
            awaited.carrierFailed(carried)
        }
        noticed(error, by: .firstOpen, now: at.now)
    }
}

extension [FirstOpenLine] {
    fileprivate var sayUnstored: Bool { contains { if case .unstored = $0 { true } else { false } } }
}

extension LandfallWire.DeviceFacts {
    /// The facts that the collection mode allows.
    func limited(to mode: CollectionMode, of install: Install) -> LandfallWire.DeviceFacts {
        var facts = self
        facts.deviceId = mode == .full ? install.deviceID : nil
        facts.installedAgeMilliseconds = install.usedBeforeMilliseconds
        guard mode != .full else { return facts }
        let usedBefore = facts.installedAgeMilliseconds
        facts = LandfallWire.DeviceFacts()
        facts.installedAgeMilliseconds = mode == .off ? nil : usedBefore
        facts.appVersion = appVersion
        facts.locale = locale
        facts.platform = platform
        return facts
    }
}
