// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// What a call could get, and what can still come.
extension PaywallState {
    func selection(for call: PaywallCall, _ now: PaywallCircumstances, _ date: Date) -> PaywallSelection {
        var selection = PaywallSelection()
        let everyone = call.key.with(.default)
        selection.everyone = answers[everyone].flatMap { isAlive($0, for: call) ? candidate($0, now) : nil }
        selection.cachedEveryone = cache.candidate(for: everyone, decidedBy: nil, atMost: .days(366), date: date)?.candidate
        selection.bundled = fallback?.candidate(for: call.key)
        if call.key.kind == .default {
            if case .cache(let age)? = selection.cachedEveryone?.origin, allows(call.cache, age) {
                selection.cachedEveryoneFrom = call.asked
            }
        } else {
            addMatching(&selection, call, now, date)
        }
        // Paywalls of earlier launches are unknown until the files are read, which takes a moment and no network.
        let areFilesAwaited = now.isStarted && !now.hasInstall && now.installRetry.failures == 0
        let isHopeless = now.isHopeless && !areFilesAwaited && selection.isAnythingThere
        let isAnswerable = call.key.kind == .matching && !isHopeless && matchingCanCome(call, now)
        selection.matchingCanCome = isAnswerable || selection.changeAwaited != nil
        // A question before the change is known would have to be repeated after it: for a moment only the change is sent. A call
        // with a certain answer asks nothing at all: the next answer would be as certain, and come at once, again and again.
        let isKnown = usable(call, now).map { isSettled($0, now) } ?? false
        selection.takesWhatIsThere =
            call.patience == .none && now.profileState.attribution.isPending && selection.changeAwaited == nil
        let mayAskBeside = selection.changeAwaited == nil || now.now >= call.asked + call.grace
        selection.asksForMatching = isAnswerable && !isKnown && mayAskBeside
        selection.everyoneCanCome = !isHopeless && canCome(everyone, call, now)
        return selection
    }

    private func addMatching(_ selection: inout PaywallSelection, _ call: PaywallCall, _ now: PaywallCircumstances, _ date: Date) {
        let held = usable(call, now)
        let decider = now.profileState.wire.map(PaywallCache.Decider.init)
        let stored = cache.candidate(for: call.key, decidedBy: decider, atMost: cacheAge, date: date)
        let change = changeAwaited(call, (held.map { now.now - $0.receivedAt }) ?? stored?.age, now)
        selection.changeAwaited = change
        if let held {
            selection.matching = candidate(held, now)
            selection.isMatchingCertain = isSettled(held, now) && change == nil
        }
        guard let stored else { return }
        selection.cachedMatching = stored.candidate
        // It was decided in the same state: what became known since counts.
        if !now.profileState.attribution.isPending { selection.cachedMatching?.attribution = now.profileState.attribution }
        if allows(call.cache, stored.age) {
            selection.cachedMatchingFrom = call.asked
        } else {
            switch now.profileState.attribution {
            case .pending: break
            case .attributed where !now.profileState.haveAttributesChanged: selection.cachedMatchingFrom = call.asked
            case .attributed, .notAttributed, .unavailable:
                let hasFailed = (fetches[call.key]?.retryable.retry.failures ?? 0) > 0
                // After a change of attributes it is only what is left if the server does not answer.
                let silentFrom = now.profileState.haveAttributesChanged ? nil : call.asked + call.grace
                selection.cachedMatchingFrom = hasFailed ? call.asked : silentFrom
            }
        }
        if let change, let from = selection.cachedMatchingFrom { selection.cachedMatchingFrom = max(from, change.until) }
    }

    /// - Parameter age: the age of what could be shown without a request. A caller who accepts that is in a hurry.
    private func changeAwaited(_ call: PaywallCall, _ age: Duration?, _ now: PaywallCircumstances) -> AwaitedChange? {
        guard let change = now.changeAwaited, !isRefused(call.key, now) else { return nil }
        if let age, allows(call.cache, age) { return nil }
        return change
    }

    private func allows(_ policy: CachePolicy, _ age: Duration) -> Bool {
        switch policy.rule {
        case .reload: false
        case .cacheElseLoad: true
        case .cacheIfYounger(let limit): age < limit
        }
    }

    private func candidate(_ held: CurrentAnswer, _ now: PaywallCircumstances) -> PaywallSelection.Candidate {
        let answer = held.answer
        let attribution = answer.kind == .default ? nil : now.profileState.attribution(behind: answer)
        let isOpen = answer.audience == .everyone && attribution?.isPending ?? true
        return .init(
            paywall: answer.paywall, audience: answer.audience,
            origin: answer.kind == .default || isOpen ? .defaultAudience : .matchingAudience, revision: answer.revision,
            attribution: attribution, decision: .init(answer)
        )
    }

    private func isAlive(_ held: CurrentAnswer, for call: PaywallCall) -> Bool { call.asked - held.receivedAt <= CurrentAnswer.life }

    /// The answer of this launch, if it is about the current person.
    private func usable(_ call: PaywallCall, _ now: PaywallCircumstances) -> CurrentAnswer? {
        guard let held = answers[call.key], isAlive(held, for: call) else { return nil }
        guard let wire = now.profileState.wire else { return held }
        return held.answer.epoch >= wire.epoch && (held.answer.profileId == wire.id || held.answer.epoch > wire.epoch)
            ? held : nil
    }

    /// Nothing can change the answer any more: everything was known when it was given, or is known now.
    private func isCertain(_ held: CurrentAnswer, _ now: PaywallCircumstances) -> Bool {
        if held.isCertain { return true }
        guard !now.profileState.isAnythingPending(now.now) else { return false }
        // An answer from the very end of a hold may be about the state that has just become known.
        return held.isFinal || held.answer.final && now.profileState.isSubject(of: held.answer)
    }

    /// Only a change of the person on its way can still change the answer.
    private func isSettled(_ held: CurrentAnswer, _ now: PaywallCircumstances) -> Bool {
        isCertain(held, now) && !isStale(held, now)
    }

    /// The profile has changed since.
    func isStale(_ held: CurrentAnswer?, _ now: PaywallCircumstances) -> Bool {
        held.map { now.profileState.isNewer(than: $0.answer) } ?? false
    }

    private func matchingCanCome(_ call: PaywallCall, _ now: PaywallCircumstances) -> Bool {
        if let held = usable(call, now), !isStale(held, now) {
            let until = attributionAwaitedUntil(call, now)
            let isOpen =
                now.profileState.attribution.isPending
                ? now.now < until && now.profileState.mayChange(by: until) : !isCertain(held, now)
            if !isOpen { return false }
        }
        if !now.hasInstall, now.unavailable != nil { return false }
        if !now.hasInstall { return now.isStarted ? now.installRetry.notBefore <= call.deadline : true }
        if isCarried(call, now), !isRefused(call.key, now) { return true }
        return canCome(call.key, call, now)
    }

    /// How long this call waits for pending attribution, once it has an answer.
    private func attributionAwaitedUntil(_ call: PaywallCall, _ now: PaywallCircumstances) -> Duration {
        min(call.deadline, (call.patience == .full ? now.attributionAwaitedUntil : call.asked) ?? call.deadline)
    }

    func isRefused(_ key: PaywallKey, _ now: PaywallCircumstances) -> Bool {
        fetches[key]?.refusal.map { $0.until > now.now } ?? false
    }

    func canCome(_ key: PaywallKey, _ call: PaywallCall, _ now: PaywallCircumstances) -> Bool {
        guard let fetch = fetches[key] else { return true }
        if isRefused(key, now) { return false }
        // Without a network the next try may come at any moment: when there is a path.
        return fetch.retryable.isRunning || fetch.retryable.retry.notBefore <= call.deadline || fetch.lastNetworkError?.kind == .offline
    }
}
