// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Synchronization

/// The guarantees of links that show at once or at the end of a launch. Each has a name:
///
/// - L1: an accepted link reaches a listener that waits for it, within 2.5 s for each link that waits with it.
/// - L2: one tap is handed over as new once, unless the app was killed before that could be stored.
/// - L3: a link that was taken never comes again.
/// - L4: links of one scene come in the order of their taps.
/// - L5: the answer to where a link leads arrives within 2.5 s, and is right.
/// - L6: the server has one click for each tap, and no other clicks.
/// - L7: the token that a browser handed over reaches one installation, once.
/// - L8: a campaign's paywall is shown to the people who tapped its link, wrapped or not, and to no others.
/// - L10: a link that has ended has no screen.
extension PhoneLaunch {
    private static let patience: Duration = .milliseconds(2_500)
    /// How long an open and its listener's turn may take.
    private static let slack: Duration = .milliseconds(100)

    func heard(_ link: ReceivedLink, _ trace: VirtualTrace) {
        let isSafe = disk.isWritable
        let text = link.original.absoluteString
        let (isTaken, tap) = phone.promise { promises in
            (promises.links.taken.contains(link.id), promises.links.taps[text])
        }
        if isTaken { trace.broke("L3", "\(name): \(text) was taken, and comes again") }
        if !record.withLock({ $0.heardLinks.insert(link.id).inserted }) { trace.broke("L2", "\(name): \(text) comes twice") }
        let isOnlyOne = record.withLock { record in
            record.heardTexts.insert(text)
            return record.taps[text] == nil || record.heardSinceTap.insert(text).inserted
        }
        if !isOnlyOne, !link.isDeferred { trace.broke("L2", "\(name): one tap of \(text) is handed over twice") }
        if link.isDeferred { return heardDeferred(link, trace) }
        guard let tap else { return trace.broke("L2", "\(name): nobody tapped \(text)") }
        check(link.status, link.destination, of: tap.link, trace)
        checkOrder(link, tap, trace)
        guard !link.isRedelivered else { return }
        let (count, most) = phone.promise { promises in
            promises.links.taps[text]?.firstDeliveries += 1
            defer { if !isSafe { promises.links.taps[text]?.unsureDeliveries += 1 } }
            return (tap.firstDeliveries + 1, tap.arrivals + tap.unsureDeliveries)
        }
        if count > most { trace.broke("L2", "\(name): \(text) is new for the \(count). time") }
    }

    private func heardDeferred(_ link: ReceivedLink, _ trace: VirtualTrace) {
        let (count, most) = phone.promise { promises in
            promises.links.deferredIDs.insert(link.id)
            let most = promises.links.copies + 1 + promises.links.unsureDeferredDeliveries
            if !link.isRedelivered {
                promises.links.deferredDeliveries += 1
                if !disk.isWritable { promises.links.unsureDeferredDeliveries += 1 }
            }
            return (promises.links.deferredDeliveries, most)
        }
        if count > most { trace.broke("L7", "\(name): the deferred link comes for the \(count). time") }
        if link.destination?.path != ["summer-clothes"] { trace.broke("L7", "\(name): leads to \(link.resolved)") }
    }

    /// Links of an earlier launch come first, unless the files could not be read in time.
    private func checkOrder(_ link: ReceivedLink, _ tap: LinkPromises.Tap, _ trace: VirtualTrace) {
        let isOfNow = record.withLock(\.taps)[tap.link.text] != nil
        let order = LinkOrder(scene: link.scene, isOfNow: plan.lockedUntil > .zero && isOfNow)
        let before = record.withLock(\.lastLinks)[order]
        let number = phone.promise { promises in
            // A tap that could not be stored moves the link to the end, but not beyond a kill.
            let isMoved = before.map { $0 > tap.storedNumber } ?? false
            let number = promises.links.numbers[link.id] ?? (isMoved ? tap.number : tap.storedNumber)
            if tap.number == tap.storedNumber { promises.links.numbers[link.id] = number }
            return number
        }
        record.withLock { $0.lastLinks[order] = number }
        if let before, before > number { trace.broke("L4", "\(name): \(tap.link.text) comes after a later one") }
    }

    private func check(_ status: LinkStatus, _ screen: Destination?, of link: TappedLink, _ trace: VirtualTrace) {
        let isSettled = status == link.status
        let isUnsettled = link.isAsked && (status == .timedOut || status == .offline)
        if !isSettled, !isUnsettled { trace.broke("L5", "\(name): \(link.text) is \(status)") }
        if link.kind == .expired, let screen { trace.broke("L10", "\(name): \(link.text) has ended, and leads to \(screen)") }
        if screen?.path != (isSettled ? link.screen : nil) {
            trace.broke("L5", "\(name): \(link.text), \(status), leads to \(screen.map { "\($0)" } ?? "nothing")")
        }
    }

    func check(_ answer: OpenedLink, to call: LinkCall, _ trace: VirtualTrace) {
        if clock.elapsed > runs(call.asked + Self.patience) {
            trace.broke("L5", "\(name): \(call.link.text) was asked at \(call.asked)")
        }
        if answer.original.absoluteString != call.link.text { trace.broke("L5", "\(name): answers of \(answer.original)") }
        check(answer.status, answer.destination, of: call.link, trace)
    }

    /// A suspended process answers when it goes on.
    private func runs(_ time: Duration) -> Duration {
        guard let suspension = plan.suspension else { return time }
        let suspended = startedAt + suspension.from...startedAt + suspension.until
        return suspended.contains(time) ? suspended.upperBound : time
    }

    /// At the end of the launch.
    func checkLinks(_ trace: VirtualTrace) {
        let record = record.withLock { $0 }
        guard let end = record.killedAt else { return }
        for call in record.linkCalls where call.answer == nil && plan.suspension == nil && call.asked + Self.patience < end {
            trace.broke("L5", "\(name): never said where \(call.link.text) leads")
        }
        guard plan.suspension == nil, plan.calendarJump == nil, let awaitedAt = record.linksAwaitedAt else { return }
        let taps = phone.promise { $0.links.taps }
        let most = Self.patience * (taps.values.reduce(0) { $0 + $1.arrivals } + 1) + Self.slack
        for (text, time) in record.taps.sorted(by: { $0.key < $1.key }) where max(time, awaitedAt) + most < end {
            guard let tap = taps[text], tap.arrivals > 0, !record.heardTexts.contains(text) else { continue }
            trace.broke("L1", "\(name): \(text), tapped at \(time), was never handed over")
        }
    }
}

/// What comes in order.
struct LinkOrder: Hashable, Sendable {
    let scene: SceneID?
    let isOfNow: Bool
}
