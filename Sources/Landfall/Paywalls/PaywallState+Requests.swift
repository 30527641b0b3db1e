// SPDX-License-Identifier: Apache-2.0

/// What is asked of the server.
extension PaywallState {
    mutating func plan(
        _ call: PaywallCall, _ selection: PaywallSelection, _ now: PaywallCircumstances, _ effects: inout [Effect]
    ) {
        guard now.isStarted else { return }
        let wait = min(call.deadline - now.now, .seconds(30))
        if selection.asksForMatching, now.hasInstall, !isCarried(call, now) {
            let isUpToDate = selection.matching != nil && !isStale(answers[call.key], now)
            order(call.key, after: isUpToDate ? answers[call.key]?.answer.profileVersion ?? -1 : -1, wait: wait, now, &effects)
        }
        if selection.everyone == nil, needsEveryone(call, selection, now) {
            order(call.key.with(.default), after: -1, wait: .zero, now, &effects)
        }
    }

    /// A call for the matching audience also asks for the default only after something went wrong.
    private func needsEveryone(_ call: PaywallCall, _ selection: PaywallSelection, _ now: PaywallCircumstances) -> Bool {
        if call.key.kind == .default { return true }
        if selection.matching != nil || selection.cachedMatching != nil { return false }
        if !selection.matchingCanCome || !now.hasInstall && now.installRetry.failures > 0 { return true }
        return fetches[call.key].map { $0.retryable.retry.failures > 0 || $0.refusal != nil } ?? false
            || now.now >= everyoneNeededFrom(call)
    }

    mutating func order(
        _ key: PaywallKey, after: Int64, wait: Duration, isRefresh: Bool = false, _ now: PaywallCircumstances,
        _ effects: inout [Effect]
    ) {
        var fetch = fetches[key, default: PaywallFetch()]
        guard fetch.retryable.isDue(now.now), fetch.refusal.map({ $0.until <= now.now }) ?? true else { return }
        guard !effects.contains(where: { if case .fetch(let order) = $0 { order.key == key } else { false } }) else { return }
        fetch.isOvertaken = false
        fetches[key] = fetch
        effects.append(.fetch(PaywallOrder(key: key, after: after, wait: wait, isRefresh: isRefresh)))
    }

    /// Requests for matching paywalls name the device in the full mode. Their calls ask again.
    /// - Returns: the operations to cancel.
    mutating func takeMatchingBack() -> [Operations.ID] {
        fetches.keys.filter { $0.kind == .matching }.compactMap { key in
            defer { fetches[key]?.retryable.operation = nil }
            return fetches[key]?.retryable.operation
        }
    }
}
