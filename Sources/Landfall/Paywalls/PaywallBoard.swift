// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Everything about paywalls in one launch: waiting calls, answers, requests under way, stored answers.
///
/// A value: it decides, and its owner carries the decisions out.
struct PaywallBoard: Sendable {
    var cache = PaywallCache()
    var cacheAge: Duration
    var fallback: FallbackFile?
    var answers: [PaywallKey: HeldAnswer] = [:]
    var fetches: [PaywallKey: PaywallFetch] = [:]
    /// Answered from the cache and not yet requested in this launch.
    var toRefresh: Set<PaywallKey> = []
    private(set) var calls: [PaywallCall.ID: PaywallCall] = [:]
    private var callCounts: [PaywallKey: Int] = [:]
    var exposures = PaywallExposures()
    var hasReportedStaleFallback = false

    init(cacheAge: Duration) { self.cacheAge = cacheAge.clamped(to: .zero ... .days(365)) }

    /// When a call must be looked at again, even if nothing happens; may be too early if that call has ended since.
    private(set) var wakeAt: Duration?

    /// Somebody waits for a paywall.
    var isAwaited: Bool { !calls.isEmpty }

    /// Until when the waiting calls can use an answer.
    var latestDeadline: Duration? { calls.values.lazy.map(\.deadline).max() }

    mutating func add(_ call: PaywallCall) {
        calls[call.id] = call
        callCounts[call.key, default: 0] += 1
    }

    mutating func remove(_ id: PaywallCall.ID) -> PaywallCall? {
        guard let call = calls.removeValue(forKey: id) else { return nil }
        callCounts[call.key, default: 1] -= 1
        if callCounts[call.key] == 0 { callCounts[call.key] = nil }
        if calls.isEmpty { wakeAt = nil }
        return call
    }

    /// What the first open should ask for, the most urgent first.
    func wanted(preparing: [PaywallKey]) -> [PaywallKey] {
        var wanted: [PaywallKey] = []
        let waiting = callCounts.keys.filter { $0.kind == .matching }.sorted { $0.placement.rawValue < $1.placement.rawValue }
        for key in waiting + preparing + toRefresh.sorted(by: { $0.placement.rawValue < $1.placement.rawValue })
        where !wanted.contains(key) { wanted.append(key) }
        return Array(wanted.prefix(32))
    }

    /// Looks at every call, or only at a new one, and at requests that are no longer needed.
    mutating func settle(only id: PaywallCall.ID? = nil, _ now: PaywallCircumstances, date: Date) -> [Effect] {
        // A new call must not delay calls that are already due: their alarm is about to be replaced.
        let id = wakeAt.map { $0 <= now.now } ?? false ? nil : id
        var effects: [Effect] = []
        for call in id.map({ [calls[$0]].compactMap { $0 } }) ?? calls.values.sorted(by: { $0.id < $1.id }) {
            settle(call, now, date, &effects)
        }
        let looked = id.map { [calls[$0]].compactMap { $0 } } ?? Array(calls.values)
        wakeAt = (looked.map(\.wakeAt) + (id == nil ? [] : [wakeAt].compactMap { $0 })).min()
        for key in toRefresh
        where now.hasInstall && !now.isConstrained && now.isStarted && !now.firstOpen.willAsk {
            order(key, after: -1, wait: .zero, isRefresh: true, now, &effects)
        }
        for (key, fetch) in fetches where fetch.errand.isRunning && !isNeeded(key) {
            fetch.errand.operation.map { effects.append(.cancel($0)) }
            fetches[key]?.errand.operation = nil
        }
        return effects
    }

    /// A fetch for the matching audience serves its calls; one for everyone serves both kinds.
    private func isNeeded(_ key: PaywallKey) -> Bool {
        callCounts[key] != nil || toRefresh.contains(key) || key.kind == .default && callCounts[key.with(.matching)] != nil
    }

    private mutating func settle(_ call: PaywallCall, _ now: PaywallCircumstances, _ date: Date, _ effects: inout [Effect]) {
        if let result = exposures.pinned(call, now) {
            _ = remove(call.id)
            return effects.append(.resume(call, .success(result)))
        }
        let ladder = ladder(for: call, now, date)
        let (verdict, why) = ladder.decision(now: now.now, deadline: call.deadline)
        switch verdict {
        case .answer(let candidate):
            var call = call
            call.why = why
            _ = remove(call.id)
            if case .cache = candidate.origin, call.key.kind == .matching, !isCarried(call, now) { toRefresh.insert(call.key) }
            effects.append(.resume(call, .success(result(of: candidate, for: call, now))))
        case .fail:
            _ = remove(call.id)
            effects.append(.resume(call, .failure(failure(of: call, now))))
        case .wait(let until):
            plan(call, ladder, now, &effects)
            let wakeAt = wakeTime(of: call, until: until, now)
            calls[call.id]?.wakeAt = wakeAt
        }
    }

    /// The stream is expected to answer this call.
    private func isCarried(_ call: PaywallCall, _ now: PaywallCircumstances) -> Bool {
        carriedUntil(call, now).map { now.now < $0 } ?? false
    }

    private func carriedUntil(_ call: PaywallCall, _ now: PaywallCircumstances) -> Duration? {
        now.firstOpen.carries(call, answeredAt: answers[call.key]?.receivedAt)
    }

    /// Each time at which one of this call's conditions changes by itself.
    private func wakeTime(of call: PaywallCall, until: Duration, _ now: PaywallCircumstances) -> Duration {
        let retries = [call.key, call.key.with(.default)].map { fetches[$0]?.errand.retry.notBefore }
        let waits = [carriedUntil(call, now), now.attributionAwaitedUntil, now.standing.purchasesAwaitedUntil]
        let times = [call.asked + call.grace, everyoneNeededFrom(call)] + waits + retries
        return times.compactMap { $0 }.filter { $0 > now.now }.reduce(until, min)
    }

    /// From then on a call for the matching audience without an answer asks for the default too.
    private func everyoneNeededFrom(_ call: PaywallCall) -> Duration { call.asked + call.grace * 2 }

    private mutating func result(
        of candidate: PaywallLadder.Candidate, for call: PaywallCall, _ now: PaywallCircumstances
    ) -> PaywallResult {
        var result = PaywallResult(
            paywall: candidate.paywall.map(Paywall.init), placement: call.key.placement, audience: candidate.audience,
            origin: candidate.origin, attribution: Attribution(now.standing.attribution), elapsed: now.now - call.asked,
            revision: candidate.revision, assignment: candidate.decision?.assignment
        )
        result.store = candidate.decision?.store ?? 0
        result.call = call.id
        exposures.returned(result, for: call.key, to: now.standing.wire?.id)
        return result
    }

    private func failure(of call: PaywallCall, _ now: PaywallCircumstances) -> LandfallError {
        guard now.isStarted else { return LandfallError(.notStarted) }
        let tried = [call.key, call.key.with(.default)].compactMap { fetches[$0] }
        if let refusal = tried.compactMap(\.refusal).first { return refusal.error }
        return LandfallError(.noPaywall(call.key.placement, network: tried.compactMap(\.lastNetworkError).first))
    }
}

// MARK: Requests

extension PaywallBoard {
    private mutating func plan(
        _ call: PaywallCall, _ ladder: PaywallLadder, _ now: PaywallCircumstances, _ effects: inout [Effect]
    ) {
        guard now.isStarted else { return }
        let wait = min(call.deadline - now.now, .seconds(30))
        if ladder.asksForMatching, now.hasInstall, !isCarried(call, now) {
            let isUpToDate = ladder.matching != nil && !isStale(answers[call.key], now)
            order(call.key, after: isUpToDate ? answers[call.key]?.answer.profileVersion ?? -1 : -1, wait: wait, now, &effects)
        }
        if ladder.everyone == nil, needsEveryone(call, ladder, now) {
            order(call.key.with(.default), after: -1, wait: .zero, now, &effects)
        }
    }

    /// A call for the matching audience also asks for the default only after something went wrong.
    private func needsEveryone(_ call: PaywallCall, _ ladder: PaywallLadder, _ now: PaywallCircumstances) -> Bool {
        if call.key.kind == .default { return true }
        if ladder.matching != nil || ladder.cachedMatching != nil { return false }
        if !ladder.matchingCanCome || !now.hasInstall && now.installRetry.failures > 0 { return true }
        return fetches[call.key].map { $0.errand.retry.failures > 0 || $0.refusal != nil } ?? false
            || now.now >= everyoneNeededFrom(call)
    }

    private mutating func order(
        _ key: PaywallKey, after: Int64, wait: Duration, isRefresh: Bool = false, _ now: PaywallCircumstances,
        _ effects: inout [Effect]
    ) {
        var fetch = fetches[key, default: PaywallFetch()]
        guard fetch.errand.isDue(now.now), fetch.refusal.map({ $0.until <= now.now }) ?? true else { return }
        guard !effects.contains(where: { if case .fetch(let order) = $0 { order.key == key } else { false } }) else { return }
        fetch.isOvertaken = false
        fetches[key] = fetch
        effects.append(.fetch(PaywallOrder(key: key, after: after, wait: wait, isRefresh: isRefresh)))
    }
}

// MARK: What is available

extension PaywallBoard {
    func ladder(for call: PaywallCall, _ now: PaywallCircumstances, _ date: Date) -> PaywallLadder {
        var ladder = PaywallLadder()
        let everyone = call.key.with(.default)
        ladder.everyone = answers[everyone].flatMap { isAlive($0, for: call) ? candidate($0, now) : nil }
        ladder.cachedEveryone = cache.candidate(for: everyone, decidedBy: nil, atMost: .days(366), date: date)?.candidate
        ladder.bundled = fallback?.candidate(for: call.key)
        if call.key.kind == .default {
            if case .cache(let age)? = ladder.cachedEveryone?.origin, allows(call.cache, age) {
                ladder.cachedEveryoneFrom = call.asked
            }
        } else {
            addMatching(&ladder, call, now, date)
        }
        // Paywalls of earlier launches are unknown until the files are read, which takes a moment and no network.
        let areFilesAwaited = now.isStarted && !now.hasInstall && now.installRetry.failures == 0
        let isHopeless = now.isHopeless && !areFilesAwaited && ladder.isAnythingThere
        let isAnswerable = call.key.kind == .matching && !isHopeless && matchingCanCome(call, now)
        ladder.matchingCanCome = isAnswerable || ladder.clickAwaitedUntil != nil
        // A question before the click is known would have to be repeated after it: for a moment only the click is sent. A call
        // with a certain answer asks nothing at all: the next answer would be as certain, and come at once, again and again.
        let isKnown = usable(call, now).map { isSettled($0, now) } ?? false
        let mayAskBeside = ladder.clickAwaitedUntil == nil || now.now >= call.asked + call.grace
        ladder.asksForMatching = isAnswerable && !isKnown && mayAskBeside
        ladder.everyoneCanCome = !isHopeless && canCome(everyone, call, now)
        return ladder
    }

    private func addMatching(_ ladder: inout PaywallLadder, _ call: PaywallCall, _ now: PaywallCircumstances, _ date: Date) {
        let held = usable(call, now)
        let decider = now.standing.wire.map(PaywallCache.Decider.init)
        let stored = cache.candidate(for: call.key, decidedBy: decider, atMost: cacheAge, date: date)
        let clickUntil = clickAwaitedUntil(call, (held.map { now.now - $0.receivedAt }) ?? stored?.age, now)
        ladder.clickAwaitedUntil = clickUntil
        if let held {
            ladder.matching = candidate(held, now)
            ladder.isMatchingCertain = isSettled(held, now) && clickUntil == nil
        }
        guard let stored else { return }
        ladder.cachedMatching = stored.candidate
        if allows(call.cache, stored.age) {
            ladder.cachedMatchingFrom = call.asked
        } else {
            switch now.standing.attribution {
            case .pending: break
            case .attributed: ladder.cachedMatchingFrom = call.asked
            case .notAttributed, .unavailable:
                let hasFailed = (fetches[call.key]?.errand.retry.failures ?? 0) > 0
                ladder.cachedMatchingFrom = hasFailed ? call.asked : call.asked + call.grace
            }
        }
        if let clickUntil, let from = ladder.cachedMatchingFrom { ladder.cachedMatchingFrom = max(from, clickUntil) }
    }

    /// - Parameter age: the age of what could be shown without a request. A caller who accepts that is in a hurry.
    private func clickAwaitedUntil(_ call: PaywallCall, _ age: Duration?, _ now: PaywallCircumstances) -> Duration? {
        guard let until = now.clickAwaitedUntil, !isRefused(call.key, now) else { return nil }
        if let age, allows(call.cache, age) { return nil }
        return until
    }

    private func allows(_ policy: CachePolicy, _ age: Duration) -> Bool {
        switch policy.rule {
        case .reload: false
        case .cacheElseLoad: true
        case .cacheIfYounger(let limit): age < limit
        }
    }

    private func candidate(_ held: HeldAnswer, _ now: PaywallCircumstances) -> PaywallLadder.Candidate {
        let answer = held.answer
        let isOpen = answer.audience == .everyone && now.standing.attribution.isPending
        return .init(
            paywall: answer.paywall, audience: answer.audience,
            origin: answer.kind == .default || isOpen ? .defaultAudience : .matchingAudience, revision: answer.revision,
            decision: .init(answer)
        )
    }

    private func isAlive(_ held: HeldAnswer, for call: PaywallCall) -> Bool { call.asked - held.receivedAt <= HeldAnswer.life }

    /// The answer of this launch, if it is about the current person.
    private func usable(_ call: PaywallCall, _ now: PaywallCircumstances) -> HeldAnswer? {
        guard let held = answers[call.key], isAlive(held, for: call) else { return nil }
        guard let wire = now.standing.wire else { return held }
        return held.answer.epoch >= wire.epoch && (held.answer.profileId == wire.id || held.answer.epoch > wire.epoch)
            ? held : nil
    }

    /// Nothing can change the answer any more: everything was known when it was given, or is known now.
    private func isCertain(_ held: HeldAnswer, _ now: PaywallCircumstances) -> Bool {
        if held.isCertain { return true }
        guard !now.standing.isAnythingPending(now.now) else { return false }
        // An answer from the very end of a hold may be about the state that has just become known.
        return held.isFinal || held.answer.final && now.standing.isSubject(of: held.answer)
    }

    /// Only a click on its way can still change the answer.
    private func isSettled(_ held: HeldAnswer, _ now: PaywallCircumstances) -> Bool {
        isCertain(held, now) && !isStale(held, now)
    }

    /// The profile has changed since.
    private func isStale(_ held: HeldAnswer?, _ now: PaywallCircumstances) -> Bool {
        held.map { now.standing.isNewer(than: $0.answer) } ?? false
    }

    private func matchingCanCome(_ call: PaywallCall, _ now: PaywallCircumstances) -> Bool {
        if let held = usable(call, now), !isStale(held, now) {
            let until = attributionAwaitedUntil(call, now)
            let isOpen =
                now.standing.attribution.isPending
                ? now.now < until && now.standing.mayChange(by: until) : !isCertain(held, now)
            if !isOpen { return false }
        }
        if !now.hasInstall { return now.isStarted ? now.installRetry.notBefore <= call.deadline : true }
        if isCarried(call, now), !isRefused(call.key, now) { return true }
        return canCome(call.key, call, now)
    }

    /// How long this call waits for pending attribution, once it has an answer.
    private func attributionAwaitedUntil(_ call: PaywallCall, _ now: PaywallCircumstances) -> Duration {
        min(call.deadline, now.attributionAwaitedUntil ?? call.deadline)
    }

    private func isRefused(_ key: PaywallKey, _ now: PaywallCircumstances) -> Bool {
        fetches[key]?.refusal.map { $0.until > now.now } ?? false
    }

    private func canCome(_ key: PaywallKey, _ call: PaywallCall, _ now: PaywallCircumstances) -> Bool {
        guard let fetch = fetches[key] else { return true }
        if isRefused(key, now) { return false }
        // Without a network the next try may come at any moment: when there is a path.
        return fetch.errand.isRunning || fetch.errand.retry.notBefore <= call.deadline || fetch.lastNetworkError?.kind == .offline
    }
}

// MARK: Answers

extension PaywallBoard {
    /// Keeps an answer, unless a newer one is there.
    /// - Parameter isBeyondDoubt: if the answer is final, the reason is not the end of a hold.
    mutating func received(
        _ answer: PaywallAnswer, for key: PaywallKey, isCertain: Bool, isBeyondDoubt: Bool, now: Duration, date: Date
    ) {
        if let held = answers[key]?.answer, key.kind == .matching,
            (answer.epoch, answer.profileVersion) < (held.epoch, held.profileVersion)
        {
            return
        }
        answers[key] = HeldAnswer(answer: answer, receivedAt: now, isCertain: isCertain, isFinal: answer.final && isBeyondDoubt)
        cache.store(answer, for: key, date: date)
        toRefresh.remove(key)
    }

    mutating func fetched(_ key: PaywallKey, isNews: Bool, now: Duration, chance: Double) {
        fetches[key]?.errand.operation = nil
        fetches[key]?.refusal = nil
        fetches[key]?.lastNetworkError = nil
        // A server that does not hold requests must not be asked in a loop.
        if isNews { fetches[key]?.errand.retry.reset() } else { retryLater(key, now: now, chance: chance) }
    }

    mutating func failed(_ key: PaywallKey, _ error: LandfallError, now: Duration, chance: Double) {
        fetches[key, default: PaywallFetch()].errand.operation = nil
        toRefresh.remove(key)
        if error.isRefusal {
            refuse(key, error, now: now)
        } else {
            fetches[key]?.errand.retry.failed(isAwaited: true, now: now, chance: chance, atMost: PaywallFetch.longestRetry)
            if case .network(let network) = error.kind { fetches[key]?.lastNetworkError = network }
        }
    }

    private mutating func retryLater(_ key: PaywallKey, now: Duration, chance: Double) {
        fetches[key]?.errand.retry.failed(now: now, chance: chance, atMost: PaywallFetch.longestRetry)
    }

    mutating func refuse(_ key: PaywallKey, _ error: LandfallError, now: Duration) {
        let refusal: PaywallFetch.Refusal
        if case .refused(.placementUnknown) = error.kind {
            refusal = .init(error: LandfallError(.placementUnknown(key.placement)), until: now + PaywallFetch.refusalLife)
            fetches[key.with(.default), default: PaywallFetch()].refusal = refusal
        } else {
            refusal = .init(error: error, until: now + PaywallFetch.refusalLife)
            if case .refused(.invalidKey) = error.kind {
                fetches[key.with(.default), default: PaywallFetch()].refusal = refusal
            }
        }
        fetches[key, default: PaywallFetch()].refusal = refusal
    }

    /// The person's profile changed: the next question need not wait because of earlier answers.
    mutating func profileChanged() {
        for key in fetches.keys where key.kind == .matching {
            if fetches[key]?.errand.isRunning == true {
                fetches[key]?.isOvertaken = true
            } else {
                fetches[key]?.errand.retry.reset()
            }
        }
    }

    /// The circumstances changed: everything may be tried at once.
    mutating func resetRetries() {
        for key in fetches.keys { fetches[key]?.errand.retry.reset() }
    }
}
