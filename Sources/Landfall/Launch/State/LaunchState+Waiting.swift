// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension LaunchState {
    /// The change of the person that a call for a paywall waits for; nil if none is under way. A change that waits for a retry
    /// does not count.
    func changeAwaited(_ now: Duration) -> AwaitedChange? {
        guard isStarted else { return nil }
        let isLeaving = firstOpen.willAsk || outbox.isLeaving(now)
        let (profile, mode) = (profileState.wire, collection)
        return awaited.last(now: now) { change in
            change.kind.isNews(to: profile, mode) && (isLeaving || links.bringsClick(IdempotencyKey(change.key)))
        }
    }

    /// From when the outbox is sent beside a first open that has not been answered, because a call waits for what is in it: a
    /// silent first open delays such a call for its grace only. The server does the same thing once, also if two requests bring it.
    func flushAwaitedFrom(_ now: Duration) -> Duration? {
        let (profile, mode) = (profileState.wire, collection)
        let waiting = awaited.last(now: now) { change in
            change.kind != .click && change.kind.isNews(to: profile, mode)
        }
        let calls = waiting == nil ? nil : paywalls.calls.values.lazy.map { max($0.asked, firstOpen.openedAt) + $0.grace }.min()
        return [calls, outbox.calls.neededFrom(openedAt: firstOpen.openedAt)].compactMap { $0 }.min()
    }

    /// Somebody waits for a paywall that a new change may decide: the change is tried now, however long the pause after earlier
    /// failures is.
    mutating func hurryChanges(_ now: Duration) {
        guard paywalls.isAwaited, !outbox.isLeaving(now) else { return }
        let (profile, mode) = (profileState.wire, collection)
        let isNew = awaited.hurry(now: now) { $0.kind != .click && $0.kind.isNews(to: profile, mode) }
        if isNew { outbox.flush.retry.dueNow() }
    }
}
