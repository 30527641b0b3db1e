// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// When failed work is tried again: after 1, 2, 4 … 512, 900, 900 … seconds, each ± 20 %.
struct Retry: Hashable, Sendable {
    /// How often in a row it failed.
    private(set) var failures = 0
    /// Not before this time.
    private(set) var notBefore: Duration = .zero

    static let longest: Duration = .seconds(900)

    /// - Parameter chance: 0…1; half of it means exactly the nominal time.
    /// - Parameter quick: how many of the failures so far do not count.
    mutating func failed(now: Duration, chance: Double, atMost limit: Duration = Self.longest, leavingOut quick: Int = 0) {
        notBefore = now + min(limit, Self.delay(afterFailures: failures + 1 - quick, chance: chance))
        failures += 1
    }

    /// There is a new reason to try: the next try is now, and the pause after it is as long as before.
    mutating func dueNow() { notBefore = .zero }

    /// The next try would come too late for a caller: one more comes in time, unless the caller's grace is all that is left. So a
    /// caller costs one such try.
    mutating func comeForward(before deadline: Duration, grace: Duration, now: Duration) {
        guard notBefore > deadline - grace / 2, now < deadline - grace else { return }
        notBefore = max(now + grace / 2, deadline - grace)
    }

    /// It worked, or the circumstances changed: the next try is due at once.
    mutating func reset() { self = Retry() }

    /// The first failure of a request that a person waits for may be only the connection's: the next try, on another
    /// connection, follows after a quarter of a second, ± 20 %. Later failures follow the usual schedule.
    mutating func failed(isAwaited: Bool, now: Duration, chance: Double, atMost limit: Duration = Self.longest) {
        guard isAwaited else { return failed(now: now, chance: chance, atMost: limit) }
        guard failures == 0 else { return failed(now: now, chance: chance, atMost: limit, leavingOut: 1) }
        notBefore = now + Self.delay(afterFailures: 1, chance: chance) / 4
        failures = 1
    }

    static func delay(afterFailures failures: Int, chance: Double) -> Duration {
        let nominal = failures > 10 ? longest : min(longest, .seconds(1 << max(0, failures - 1)))
        return nominal * Int(800 + 400 * min(max(chance, 0), 1)) / 1000
    }
}

/// Work that one operation at a time does, and that is retried after a failure.
struct RetryableOperation: Sendable {
    var operation: Operations.ID?
    var retry = Retry()

    var isRunning: Bool { operation != nil }

    func isDue(_ now: Duration) -> Bool { operation == nil && retry.notBefore <= now }
}

extension LaunchState {
    /// What has to be done, each with the time from which it is due. Only this decides it: what is due now and when to look
    /// again both come from here. Work that already runs is not in it.
    func plannedEffects(_ now: Duration) -> [(from: Duration, Effect)] {
        var planned: [(from: Duration, Effect)] = []
        if let from = files.storesFrom(isOpen: install != nil) { planned.append((from, .store)) }
        guard isStarted else { return planned }
        guard install != nil else {
            if !files.opening.isRunning { planned.append((files.opening.retry.notBefore, .openFiles)) }
            return planned
        }
        if let from = farewell.wakeAt { planned.append((from, .sayFarewell)) }
        guard platform.isActivated else { return planned }
        planned += adToken.plannedEffects(now, firstOpen)
        if !firstOpen.isOver, !farewell.isForgetting, let opening = streamOpening(now) { planned.append(opening) }
        if let from = watchNeededFrom, !watch.isRunning {
            let after = profileState.wire?.version ?? 0
            planned.append((max(watch.retry.notBefore, from), .watchProfile(after: after)))
        }
        if let allowed = flushAllowedFrom(now) { planned += outbox.plannedEffects(allowedFrom: allowed) }
        return planned
    }

    /// The stream has ended and attribution is pending: then the profile itself is requested. While the phone's token is on its way
    /// nothing is to be expected, unless a paywall's answer shows that the server knows more: the token of an earlier launch was
    /// enough.
    private var watchNeededFrom: Duration? {
        guard firstOpen.isOver, profileState.attribution.isPending, let wire = profileState.wire else { return nil }
        if paywalls.hasAnswer(attributedAfter: wire) { return .zero }
        return adToken.isUnderWay ? nil : profileState.nextAnswerAt
    }

    /// Items in the outbox may be part of a first open that is about to be sent, or has not been answered; nil until it is.
    private func flushAllowedFrom(_ now: Duration) -> Duration? {
        if firstOpen.willAsk { return nil }
        return firstOpen.hasFirstLine || !firstOpen.retryable.isRunning ? .zero : flushAwaitedFrom(now)
    }

    /// When something is due, or a caller must be resumed, even if nothing happens until then.
    func wakeAt(_ now: Duration) -> Duration? {
        let others = [
            paywalls.wakeAt, setup.wakeAt, farewell.deadline, installWaiters.deadline,
            links.wakeAt(now, canAsk: isStarted && install != nil),
            isStarted && install != nil ? adToken.givesUpAt : nil, firstOpen.overdueAt, outbox.calls.deadline,
        ]
        return (plannedEffects(now).map(\.from) + others.compactMap { $0 }).filter { $0 > now }.min()
    }
}
