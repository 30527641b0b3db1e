// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension LaunchState {
    /// What has to be done, each with the time from which it is due. Only this decides it: what is due now and when to look
    /// again both come from here. Work that already runs is not in it.
    func errands(_ now: Duration) -> [(from: Duration, Effect)] {
        var errands: [(from: Duration, Effect)] = []
        if hasSomethingToStore, !storing.isRunning { errands.append((storing.retry.notBefore, .store)) }
        guard isStarted else { return errands }
        guard install != nil else {
            if !opening.isRunning { errands.append((opening.retry.notBefore, .openFiles)) }
            return errands
        }
        if let from = farewell.wakeAt { errands.append((from, .sayFarewell)) }
        guard isActivated else { return errands }
        errands += adToken.errands(now, firstOpen)
        if !firstOpen.isOver, let opening = streamOpening(now) { errands.append(opening) }
        if isWatchNeeded, !watch.isRunning {
            let after = standing.wire?.version ?? 0
            errands.append((max(watch.retry.notBefore, standing.nextAnswerAt), .watchProfile(after: after)))
        }
        if isFlushNeeded, !outbox.isRunning { errands.append((outbox.retry.notBefore, .flushOutbox)) }
        return errands
    }

    /// The stream has ended and attribution is pending: then the profile itself is requested.
    private var isWatchNeeded: Bool {
        firstOpen.isOver && standing.attribution.isPending && standing.wire != nil && !adToken.isUnderWay
    }

    /// Items in the outbox may be part of a first open that is about to be sent.
    private var isFlushNeeded: Bool {
        hasOutboxItems && !firstOpen.willAsk && (firstOpen.hasFirstLine || !firstOpen.errand.isRunning)
    }

    /// Accepted items are stored as soon as possible, even before `start()`.
    private var hasSomethingToStore: Bool { dirty.contains(.outbox) || install != nil && !dirty.isEmpty }

    /// When something is due, or a caller must be resumed, even if nothing happens until then.
    func wakeAt(_ now: Duration) -> Duration? {
        let others = [
            board.wakeAt, setupWakeAt, farewell.deadline(patience: farewellPatience), installWaiters.values.lazy.map(\.deadline).min(),
            links.wakeAt(now, canAsk: isStarted && install != nil),
            isStarted && install != nil ? adToken.givesUpAt : nil,
        ]
        return (errands(now).map(\.from) + others.compactMap { $0 }).filter { $0 > now }.min()
    }
}
