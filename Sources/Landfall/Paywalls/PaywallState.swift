// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// Everything about paywalls in one launch: waiting calls, answers, requests under way, stored answers.
///
/// A value: it decides, and its owner carries the decisions out.
struct PaywallState: Sendable {
    enum Effect: Sendable {
        case fetch(PaywallOrder)
        case resume(PaywallCall, Result<PaywallResult, LandfallError>)
        case cancel(Operations.ID)
    }

    var cache = PaywallCache()
    var cacheAge: Duration
    var fallback: FallbackFile?
    var answers: [PaywallKey: CurrentAnswer] = [:]
    var fetches: [PaywallKey: PaywallFetch] = [:]
    /// Answered from the cache and not yet requested in this launch.
    var toRefresh: Set<PaywallKey> = []
    /// What the app wants to be ready for.
    private(set) var preparing: [PaywallKey]
    static let mostPrepared = 32
    private(set) var calls: [PaywallCall.ID: PaywallCall] = [:]
    private var callCounts: [PaywallKey: Int] = [:]
    var exposures = PaywallExposures()
    private var hasReportedStaleFallback = false
    private var isFallbackRead = false

    init(cacheAge: Duration, preparing: [PaywallKey]) {
        self.cacheAge = cacheAge.clamped(to: .zero ... .days(365))
        self.preparing = preparing
    }

    /// Another installation begins: keeps the waiting calls and the app's fallback file. Earlier answers were for the previous one.
    mutating func takeOver(from other: PaywallState) {
        fallback = other.fallback
        isFallbackRead = other.isFallbackRead
        hasReportedStaleFallback = other.hasReportedStaleFallback
        for call in other.calls.values.sorted(by: { $0.id < $1.id }) { add(call) }
    }

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
    var wanted: [PaywallKey] {
        var wanted: [PaywallKey] = []
        let waiting = callCounts.keys.filter { $0.kind == .matching }.sorted { $0.placement.rawValue < $1.placement.rawValue }
        for key in waiting + preparing + toRefresh.sorted(by: { $0.placement.rawValue < $1.placement.rawValue })
        where !wanted.contains(key) { wanted.append(key) }
        return Array(wanted.prefix(32))
    }

    /// - Parameter isAsked: the first open will ask for it.
    mutating func prepare(_ key: PaywallKey, isAsked: Bool, by profile: ProfileID?, _ now: Duration) {
        if !preparing.contains(key) {
            guard preparing.count < Self.mostPrepared else { return }
            preparing.append(key)
        }
        if !isAsked, !isAnswered(key, by: profile, now) { toRefresh.insert(key) }
    }

    /// The configuration's fallback file has not been read, and is needed.
    var needsFallback: Bool { !isFallbackRead && fallback == nil }

    /// - Parameter file: nil if it cannot be used.
    /// - Returns: true if it was read for the first time.
    mutating func readFallback(_ file: FallbackFile?) -> Bool {
        defer { isFallbackRead = true }
        if needsFallback { fallback = file }
        return !isFallbackRead
    }

    /// - Returns: the bundled file's revision the first time that the server has a later one.
    mutating func staleFallback(_ revision: Int64) -> Int64? {
        guard let fallback, fallback.revision < revision, !hasReportedStaleFallback else { return nil }
        hasReportedStaleFallback = true
        return fallback.revision
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
        for (key, fetch) in fetches where fetch.retryable.isRunning && !isNeeded(key) {
            fetch.retryable.operation.map { effects.append(.cancel($0)) }
            fetches[key]?.retryable.operation = nil
        }
        return effects
    }

    /// A fetch for the matching audience serves its calls; one for everyone serves both kinds.
    private func isNeeded(_ key: PaywallKey) -> Bool {
        callCounts[key] != nil || toRefresh.contains(key) || key.kind == .default && callCounts[key.with(.matching)] != nil
    }

    private mutating func settle(_ call: PaywallCall, _ now: PaywallCircumstances, _ date: Date, _ effects: inout [Effect]) {
        var call = call
        switch look(for: &call, now, date) {
        case .result(let result):
            _ = remove(call.id)
            effects.append(.resume(call, .success(result)))
        case .nothing:
            _ = remove(call.id)
            effects.append(.resume(call, .failure(failure(of: call, now))))
        case .wait(let selection, let until):
            plan(call, selection, now, &effects)
            let wakeAt = wakeTime(of: call, until: until, now)
            calls[call.id]?.wakeAt = wakeAt
        }
    }

    private enum Look {
        case result(PaywallResult)
        case nothing
        case wait(PaywallSelection, until: Duration)
    }

    /// What a call gets now, and why.
    private mutating func look(for call: inout PaywallCall, _ now: PaywallCircumstances, _ date: Date) -> Look {
        if let result = exposures.pinned(call, now) { return .result(result) }
        let selection = selection(for: call, now, date)
        let (verdict, why) = selection.decision(now: now.now, deadline: call.deadline)
        switch verdict {
        case .answer(let candidate):
            call.why = why
            if case .cache = candidate.origin, call.key.kind == .matching, !isCarried(call, now) { toRefresh.insert(call.key) }
            return .result(result(of: candidate, for: call, now))
        case .fail: return .nothing
        case .wait(let until): return .wait(selection, until: until)
        }
    }

    /// What a call gets that does not wait.
    mutating func resultAtOnce(_ call: inout PaywallCall, _ now: PaywallCircumstances, _ date: Date) -> PaywallResult? {
        if case .result(let result) = look(for: &call, now, date) { result } else { nil }
    }

    /// The server has lately answered for this person.
    func isAnswered(_ key: PaywallKey, by profile: ProfileID?, _ now: Duration) -> Bool {
        answers[key].map { now - $0.receivedAt <= CurrentAnswer.life && $0.answer.profileId == profile } ?? false
    }

    /// The stream is expected to answer this call.
    func isCarried(_ call: PaywallCall, _ now: PaywallCircumstances) -> Bool {
        carriedUntil(call, now).map { now.now < $0 } ?? false
    }

    private func carriedUntil(_ call: PaywallCall, _ now: PaywallCircumstances) -> Duration? {
        now.firstOpen.carries(call, answeredAt: answers[call.key]?.receivedAt)
    }

    /// Each time at which one of this call's conditions changes by itself.
    private func wakeTime(of call: PaywallCall, until: Duration, _ now: PaywallCircumstances) -> Duration {
        let retries = [call.key, call.key.with(.default)].map { fetches[$0]?.retryable.retry.notBefore }
        let refusals = [call.key, call.key.with(.default)].map { fetches[$0]?.refusal?.until }
        let waits = [carriedUntil(call, now), now.attributionAwaitedUntil, now.profileState.purchasesAwaitedUntil]
        let times = [call.asked + call.grace, everyoneNeededFrom(call)] + waits + retries + refusals
        return times.compactMap { $0 }.filter { $0 > now.now }.reduce(until, min)
    }

    /// From then on a call for the matching audience without an answer asks for the default too.
    func everyoneNeededFrom(_ call: PaywallCall) -> Duration { call.asked + call.grace * 2 }

    private mutating func result(
        of candidate: PaywallSelection.Candidate, for call: PaywallCall, _ now: PaywallCircumstances
    ) -> PaywallResult {
        var result = PaywallResult(
            paywall: candidate.paywall.map(Paywall.init), placement: call.key.placement, audience: candidate.audience,
            origin: candidate.origin, attribution: Attribution(candidate.attribution ?? now.profileState.attribution),
            elapsed: now.now - call.asked,
            revision: candidate.revision, assignment: candidate.decision?.assignment
        )
        result.store = candidate.decision?.store ?? 0
        result.call = call.id
        exposures.returned(result, for: call.key, to: now.profileState.wire?.id)
        return result
    }

    private func failure(of call: PaywallCall, _ now: PaywallCircumstances) -> LandfallError {
        guard now.isStarted else { return LandfallError(.notStarted) }
        let tried = [call.key, call.key.with(.default)].compactMap { fetches[$0] }
        if let refusal = tried.compactMap(\.refusal).first { return refusal.error }
        if let unavailable = now.unavailable { return LandfallError(.storageUnavailable, detail: unavailable.description) }
        return LandfallError(.noPaywall(call.key.placement, network: tried.compactMap(\.lastNetworkError).first))
    }
}
