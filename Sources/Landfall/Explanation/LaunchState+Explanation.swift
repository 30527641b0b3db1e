// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension Launch {
    func explain() -> Explanation {
        let items = outbox.pending
        let (now, date) = (time.now(), time.date())
        return read { $0.explanation(items, locale: configuration.device.locale, now: now, date: date) }
    }
}

extension LaunchState {
    /// - Parameters:
    ///   - items: the items in the outbox.
    ///   - locale: the locale of calls that name none.
    func explanation(_ items: [OutboxItem], locale: String?, now: Duration, date: Date) -> Explanation {
        Explanation(
            install: install?.id, profile: profileState.wire?.id,
            facts: facts(now).filter { $0.category != .paywalls }.map { .init(subject: $0.subject, value: $0.value) },
            waits: waits(now), errands: errandReports(now), queue: Explanation.Queue(items),
            experiments: experiments.assignments.map { .init(assignment: $0, isDecided: experiments.isReported($0)) },
            placements: placementKeys(locale).map { report(on: $0, now, date) }, setup: setup.traps.map(\.message)
        )
    }

    // MARK: Waits

    private func waits(_ now: Duration) -> [Explanation.Wait] {
        var waits: [Explanation.Wait] = []
        func add(_ what: String, until time: Duration? = nil) {
            waits.append(.init(what: what, remaining: time.map { max(.zero, $0 - now) }))
        }
        if !isStarted { add("start()") }
        if isStarted, !platform.isActivated { add("the app to become visible") }
        if isStarted, install == nil, files.unavailable == nil { add("the SDK's files") }
        if !platform.hasPath { add("a network") }
        if let until = adToken.givesUpAt { add("the ad token", until: until) }
        if firstOpen.retryable.isRunning { add("the first open's last line", until: firstOpen.holdEndsAt) }
        if case .pending = profileState.attribution, profileState.nextAnswerAt > now {
            add("the next answer about attribution, not before", until: profileState.nextAnswerAt)
        }
        if case .pending = profileState.attribution, let until = attributionWait.until, until > now {
            add("attribution, before calls take the default paywall", until: until)
        }
        if let change = changeAwaited(now) { add(change.kind.inWords, until: change.until) }
        for waiter in installWaiters.calls.values.sorted(by: { $0.id < $1.id }) {
            add("a call about the person, for the SDK's files", until: waiter.deadline)
        }
        if let until = erasure.deadline { add("a call of forget(), for the server and the files", until: until) }
        for call in outbox.calls.inOrder.map(\.call) {
            add("a call that sends what waits", until: call.deadline)
        }
        if links.inbox.hasWaitingButNoListener { add("a listener for the received links") }
        for call in paywalls.calls.values.sorted(by: { $0.id < $1.id }) {
            add("a call for \(call.key.inWords)", until: call.deadline)
        }
        for call in links.calls.values.sorted(by: { $0.id < $1.id }) { add("where a link leads", until: call.deadline) }
        for call in links.deferred.calls.values.sorted(by: { $0.id < $1.id }) {
            add("a call for the link from before the install", until: call.deadline)
        }
        return waits
    }

    // MARK: Operations that are tried again

    private func errandReports(_ now: Duration) -> [Explanation.ErrandReport] {
        var errands: [(RetryableOperationName, RetryableOperation, idle: String)] = [
            (.files, files.opening, install == nil ? "not begun" : "done"),
            (.storing, files.storing, files.isAllStored ? "done" : "waits"),
            (.firstOpen, firstOpen.retryable, firstOpen.inWords), (.adToken, adToken.asking, adToken.inWords),
            (.adTokenDelivery, adToken.posting, adToken.toPost(firstOpen) == nil ? "nothing to do" : "waits"),
            (.profile, watch, "nothing to do"), (.outbox, outbox.retryable, outbox.mayHaveItems ? "waits" : "nothing to do"),
            (.links, links.retryable, links.questions.isEmpty ? "nothing to do" : "\(links.questions.count) asked"),
            (.deferredLink, links.deferred.retryable, links.deferred.inWords),
        ]
        if erasure.isWanted { errands.append((.forgetting, erasure.retryable, "waits")) }
        for (key, fetch) in paywalls.fetches.sorted(by: { $0.key.sortKey < $1.key.sortKey }) {
            errands.append((.paywall(key), fetch.retryable, fetch.refusal == nil ? "nothing to do" : "refused"))
        }
        return errands.map { name, retryable, idle in
            let last = lastErrors[name]
            let isRetried = !retryable.isRunning && retryable.retry.failures > 0
            return Explanation.ErrandReport(
                name: name.text, state: retryable.inWords(idle: idle),
                nextTry: isRetried ? max(.zero, retryable.retry.notBefore - now) : nil,
                lastError: last?.text, lastErrorAge: last.map { max(.zero, now - $0.at) }
            )
        }
    }

    // MARK: Placements

    /// Every placement that this launch has used, for the matching audience.
    private func placementKeys(_ locale: String?) -> [PaywallKey] {
        let bundled = (paywalls.fallback?.entries.keys).map { $0.map { PaywallKey($0, .matching, locale: locale) } } ?? []
        let asked = Array(paywalls.answers.keys) + paywalls.fetches.keys + paywalls.calls.values.map(\.key)
        let known = paywalls.preparing + bundled + asked + paywalls.cache.entries.map(\.key.asked)
        return Set(known.map { $0.with(.matching) }).sorted { $0.sortKey < $1.sortKey }
    }

    private func report(on key: PaywallKey, _ now: Duration, _ date: Date) -> Explanation.PlacementReport {
        let around = circumstances(now)
        var patient = PaywallCall.imagined(key, asked: now, within: .seconds(5))
        patient.patience = attributionWait.ownTimer.patience(of: key, asked: now)
        let selection = paywalls.selection(for: patient, around, date)
        let (verdict, reason) = selection.decision(now: now, deadline: patient.deadline)
        let pinned = paywalls.exposures.pinned(patient, around)
        var rungs = selection.rungs
        if let pinned { rungs.insert(.init("shown", pinned), at: 0) }
        let why: String
        switch verdict {
        case _ where pinned != nil: why = PaywallReason.pinned.text
        case .answer, .fail: why = reason.text
        case .wait(let until):
            why = "\(selection.waitsFor); a call with 5 s looks again after \((until - now).inWords) at the latest"
        }
        let rung = pinned == nil ? selection.rung(of: verdict) : "shown"
        return .init(placement: key.placement, locale: key.locale, rung: rung, why: why, rungs: rungs)
    }
}

extension PaywallSelection {
    private var named: [(name: String, candidate: Candidate?)] {
        [
            ("matching", matching), ("stored matching", cachedMatching), ("default", everyone),
            ("stored default", cachedEveryone),
            ("bundled", bundled),
        ]
    }

    fileprivate var rungs: [Explanation.Rung] {
        named.map { name, candidate in
            .init(
                name: name, isThere: candidate != nil, paywall: candidate?.paywall?.name,
                variation: candidate?.paywall?.variationId ?? candidate?.decision?.assignment.variationId, audience: candidate?.audience,
                attribution: candidate?.attribution?.inWords
            )
        }
    }

    /// For a verdict to wait: the fallback level that would answer if the time were over.
    fileprivate func rung(of verdict: Verdict) -> String? {
        if case .answer(let candidate) = verdict { return named.first { $0.candidate == candidate }?.name }
        return named.first { $0.candidate != nil }?.name
    }

    fileprivate var waitsFor: String {
        if let changeAwaited { return "\(changeAwaited.kind.inWords) is on its way to the server" }
        return matching == nil ? "the server has not answered yet" : "attribution is pending, and may change the answer"
    }
}

extension Explanation.Rung {
    fileprivate init(_ name: String, _ shown: PaywallResult) {
        self.init(
            name: name, isThere: true, paywall: shown.paywall?.name,
            variation: shown.paywall?.variationID ?? shown.assignment?.variationId, audience: shown.audience,
            attribution: shown.attribution.inWords)
    }
}

extension Explanation.Queue {
    fileprivate init(_ items: [OutboxItem]) {
        self.init(
            events: items.count(where: \.isEvent),
            attributeChanges: items.count { if case .attributes = $0 { true } else { false } },
            attributionClaims: items.count { if case .claim = $0 { true } else { false } },
            clicks: items.count { if case .click = $0 { true } else { false } },
            links: items.count { if case .arrival = $0 { true } else { false } },
            codes: items.count { if case .deferredToken = $0 { true } else { false } }
        )
    }
}

extension LinkState {
    /// All questions together.
    fileprivate var retryable: RetryableOperation {
        RetryableOperation(operation: questions.values.lazy.compactMap(\.operation).first, retry: retry)
    }
}
