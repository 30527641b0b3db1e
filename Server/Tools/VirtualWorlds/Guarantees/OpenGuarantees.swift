// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Synchronization

/// The guarantees that one return can break, see the design's section 4.
extension PhoneLaunch {
    func check(_ open: PaywallOpen, _ trace: VirtualTrace) {
        guard let returnedAt = open.returnedAt else { return }
        let text = Telling(name: name, open: open)
        if returnedAt > latest(open.deadline) { trace.broke("D1", "late: \(text)") }
        if let cancelledAt = open.cancelledAt, returnedAt > latest(cancelledAt) { trace.broke("D4", "not at once: \(text)") }
        if let result = open.result {
            check(result, of: open, returnedAt, text, trace)
        } else if let error = open.error {
            check(error, of: open, returnedAt, text, trace)
        }
        checkPromptness(open, returnedAt, text, trace)
        checkQuestions(PaywallOpen.placement, from: open.asked, until: returnedAt, trace)
    }

    /// A suspended process returns when it goes on.
    private func latest(_ time: Duration) -> Duration {
        guard let suspension = plan.suspension else { return time }
        let suspended = startedAt + suspension.from...startedAt + suspension.until
        return suspended.contains(time) ? suspended.upperBound : time
    }

    /// The answers to this kind of call that reached the phone.
    private func answers(for open: PaywallOpen) -> [(at: Duration, answer: PaywallAnswer)] {
        transport.heard.answers.filter {
            $0.answer.placement == PaywallOpen.placement && ($0.answer.kind == .default) == open.isForEveryone
        }
    }

    private func check(
        _ result: PaywallResult, of open: PaywallOpen, _ returnedAt: Duration, _ text: Telling, _ trace: VirtualTrace
    ) {
        let name = result.shownName
        if open.isForEveryone, name != "default" || result.origin == .matchingAudience { trace.broke("D6", "\(text)") }
        if name == "apple-ads", phone.origin.ending != .attributed { trace.broke("D6", "targeted without a reason: \(text)") }
        let elapsed = returnedAt - open.asked
        if result.elapsed != elapsed { trace.broke("D1", "says it took \(result.elapsed), not \(elapsed): \(text)") }
        guard !open.isForEveryone else { return }
        if let pinned = open.pinned, !open.mayBeSomebodyElse {
            if pinned.paywall != result.paywall { trace.broke("D6", "another paywall than was shown: \(text)") }
            return
        }
        let answers = open.mayBeSomebodyElse ? [] : answers(for: open)
        guard let newest = answers.filter({ $0.at < returnedAt }).map(\.answer).max(by: Self.isOlder) else { return }
        if case .cache = result.origin { trace.broke("D1", "the cache, although an answer was there: \(text)") }
        if result.origin == .bundled { trace.broke("D1", "the bundle, although an answer was there: \(text)") }
        // What arrives at this very instant may count already, or not yet.
        let possible = [newest] + answers.filter { $0.at == returnedAt }.map(\.answer)
        if !possible.contains(where: { $0.paywall?.name == result.paywall?.name }) {
            trace.broke("D6", "not the newest answer: \(text)")
        }
    }

    private static func isOlder(_ one: PaywallAnswer, _ other: PaywallAnswer) -> Bool {
        (one.epoch, one.profileVersion) < (other.epoch, other.profileVersion)
    }

    private func check(_ error: any Error, of open: PaywallOpen, _ returnedAt: Duration, _ text: Telling, _ trace: VirtualTrace)
    {
        if error is CancellationError {
            if open.cancelledAt != returnedAt, open.cancelledAt.map(latest) != returnedAt { trace.broke("D4", "\(text)") }
            return
        }
        if plan.hasFallback { trace.broke("D1", "an error, although the bundle has a paywall: \(text)") }
        if !open.mayBeSomebodyElse, answers(for: open).contains(where: { $0.at < returnedAt }) {
            trace.broke("D3", "an error, although an answer was there: \(text)")
        }
    }

    /// On a network that only delays, everything that the server knows counts one trip later: a targeted person gets the paywall
    /// for them, and nobody waits longer.
    private func checkPromptness(_ open: PaywallOpen, _ returnedAt: Duration, _ text: Telling, _ trace: VirtualTrace) {
        guard !open.isForEveryone, open.cancelledAt == nil, open.pinned == nil, !open.mayBeSomebodyElse,
            isCalm(until: returnedAt),
            let settledAt = settledAt(), settledAt >= startedAt || phone.origin.isLasting,
            // A phone that has another provider's answer does not wait for Apple's.
            phone.promise({ $0.isAppleAlone }),
            // A server that has lost its store is told some things again: nobody waits for them.
            wipedAt.map({ settledAt < startedAt && $0 < settledAt }) ?? true
        else { return }
        let trip = plan.conditions.map(\.1.longestTrip).reduce(.zero, max)
        // A call that the stream does not carry asks beside it: its question may meet the news on the way. Without a stream the phone
        // also asks for the profile, once a paywall's answer shows that there is news of it.
        let news = settledAt + trip * (transport.heard.isStreamReplaced ? 5 : plan.prepares ? 1 : 3)
        // A call waits for a change of the profile meanwhile, which may be the third thing in the outbox, and asks again after it.
        let changed = record.withLock { $0.changedAt }.map { $0 + trip * 10 + .milliseconds(360) } ?? .zero
        let known = max(news, changed, startedAt + trip * 2 + .milliseconds(360), open.asked + trip * 2) + .milliseconds(5)
        guard known <= open.deadline else { return }
        if returnedAt > known { trace.broke("D2", "waited until \(returnedAt), known at \(known): \(text)") }
        if open.result?.paywall?.name.rawValue != phone.origin.paywall, returnedAt >= news {
            trace.broke("D2", "Apple's answer was there at \(settledAt): \(text)")
        }
    }

    /// Purchases and changes of what may be collected have requests of their own, which others wait behind.
    func isCalm(until time: Duration) -> Bool {
        phone.shop == nil && phone.modeDice == nil && plan.conditions.allSatisfy { $0.1.kind == .calm || startedAt + $0.from > time } && plan.suspension == nil
            && plan.lockedUntil == .zero && plan.diskIsFull == nil && !isServerDisturbed(startedAt - .seconds(1), time)
    }
}

/// The text about an open, made only if a check fails: making it costs more than checking.
private struct Telling: CustomStringConvertible {
    let name: String
    let open: PaywallOpen
    var description: String { "\(name): \(open.summary)" }
}
