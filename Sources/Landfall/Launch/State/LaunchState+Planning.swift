// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

extension LaunchState {
    /// What has to be done, each with the time from which it is due. Only this decides it: what is due now and when to look
    /// again both come from here. Work that already runs is not in it.
    func plannedEffects(_ now: Duration, _ date: Date) -> [(from: Duration, LaunchEffect)] {
        var planned: [(from: Duration, LaunchEffect)] = []
        if let from = files.storesFrom(isOpen: install != nil) { planned.append((from, .store)) }
        guard isStarted else { return planned }
        planned += purchases.lookingEffects.map { (.zero, .purchases($0)) } + sales.lookingEffects.map { (.zero, .sales($0)) }
        guard install != nil else {
            if !files.opening.isRunning { planned.append((files.opening.retry.notBefore, .openFiles)) }
            return planned
        }
        if let from = erasure.wakeAt { planned.append((from, .requestErasure)) }
        guard platform.isActivated else { return planned }
        planned += adToken.plannedEffects(now, firstOpen).map { ($0.from, .adToken($0.effect)) }
        if !firstOpen.isOver, !erasure.isAskedByApp, let opening = streamOpening(now) { planned.append(opening) }
        if let from = watchNeededFrom(now, date), !watch.isRunning {
            let after = profileState.wire?.version ?? 0
            planned.append((max(watch.retry.notBefore, from), .watchProfile(after: after)))
        }
        if let allowed = flushAllowedFrom(now) {
            planned += outbox.plannedEffects(allowedFrom: allowed).map { ($0.from, .outbox($0.effect)) }
            if collection != .off, let from = purchases.sendsFrom(allowedFrom: allowed) { planned.append((from, .purchases(.send))) }
            if collection != .off, let report = sales.next {
                planned.append((max(allowed, sales.sending.retry.notBefore), .sales(.send(report))))
            }
        }
        return planned
    }

    /// The stream has ended and attribution is pending: then the profile itself is requested. While the phone's token is on its way
    /// nothing is to be expected, unless a paywall's answer shows that the server knows more: the token of an earlier launch was
    /// enough.
    private func watchNeededFrom(_ now: Duration, _ date: Date) -> Duration? {
        guard firstOpen.isOver, let wire = profileState.wire else { return nil }
        let forAccess = profileState.asksForAccessFrom(now, date), forAttribution = attributionNeededFrom(wire)
        return [forAccess, forAttribution].compactMap(\.self).min()
    }

    private func attributionNeededFrom(_ wire: WireProfile) -> Duration? {
        guard profileState.attribution.isPending else { return nil }
        if paywalls.hasAnswer(attributedAfter: wire) { return .zero }
        return adToken.isUnderWay ? nil : profileState.nextAnswerAt
    }

    /// Items in the outbox may be part of a first open that is about to be sent, or has not been answered; nil until it is.
    private func flushAllowedFrom(_ now: Duration) -> Duration? {
        if firstOpen.willAsk { return nil }
        return firstOpen.hasFirstLine || !firstOpen.retryable.isRunning ? .zero : flushAwaitedFrom(now)
    }

    /// When something is due, or a caller must be resumed, even if nothing happens until then.
    func wakeAt(_ now: Duration, _ date: Date) -> Duration? {
        let others = [
            paywalls.wakeAt, setup.wakeAt, erasure.deadline, installWaiters.deadline,
            links.wakeAt(now, canAsk: isStarted && install != nil),
            isStarted && install != nil ? adToken.givesUpAt : nil, firstOpen.overdueAt, outbox.calls.deadline,
            profileState.accessEndsAt(now, date),
        ]
        return (plannedEffects(now, date).map(\.from) + others.compactMap { $0 }).filter { $0 > now }.min()
    }
}
