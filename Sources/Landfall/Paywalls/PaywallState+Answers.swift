// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// What the server has said.
extension PaywallState {
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
        answers[key] = CurrentAnswer(answer: answer, receivedAt: now, isCertain: isCertain, isFinal: answer.final && isBeyondDoubt)
        cache.store(answer, for: key, date: date)
        toRefresh.remove(key)
    }

    mutating func fetched(_ key: PaywallKey, isNews: Bool, now: Duration, chance: Double) {
        fetches[key]?.retryable.operation = nil
        fetches[key]?.refusal = nil
        fetches[key]?.lastNetworkError = nil
        // A server that does not hold requests must not be asked in a loop.
        if isNews { fetches[key]?.retryable.retry.reset() } else { retryLater(key, now: now, chance: chance) }
    }

    mutating func failed(_ key: PaywallKey, _ error: LandfallError, now: Duration, chance: Double) {
        fetches[key, default: PaywallFetch()].retryable.operation = nil
        toRefresh.remove(key)
        if error.isRefusal {
            refuse(key, error, now: now)
        } else {
            fetches[key]?.retryable.retry.failed(isAwaited: true, now: now, chance: chance, atMost: PaywallFetch.longestRetry)
            for call in calls.values where call.key == key || call.key.with(.default) == key {
                fetches[key]?.retryable.retry.comeForward(before: call.deadline, grace: call.grace, now: now)
            }
            if case .network(let network) = error.kind { fetches[key]?.lastNetworkError = network }
        }
    }

    private mutating func retryLater(_ key: PaywallKey, now: Duration, chance: Double) {
        fetches[key]?.retryable.retry.failed(now: now, chance: chance, atMost: PaywallFetch.longestRetry)
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

    /// True if the server has matched with a later attribution of this person than the profile's.
    func hasAnswer(attributedAfter profile: WireProfile) -> Bool {
        answers.contains { key, held in
            key.kind == .matching && held.answer.profileId == profile.id && held.answer.epoch == profile.epoch
                && held.answer.attributionVersion > profile.attributionVersion
        }
    }

    /// The person's profile changed: the next question need not wait because of earlier answers.
    mutating func profileChanged() {
        for key in fetches.keys where key.kind == .matching {
            if fetches[key]?.retryable.isRunning == true {
                fetches[key]?.isOvertaken = true
            } else {
                fetches[key]?.retryable.retry.reset()
            }
        }
    }

    /// The circumstances changed: everything may be tried at once.
    mutating func resetRetries() {
        for key in fetches.keys { fetches[key]?.retryable.retry.reset() }
    }
}
