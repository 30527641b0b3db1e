// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Synchronization

/// Calls for a paywall, and paywalls that are shown.
extension PhoneLaunch {
    func open(at offset: Duration, _ dice: Dice, _ trace: VirtualTrace) {
        let limit = dice.one(of: [dice.time(1_000...8_000), .seconds(5), dice.time(0...1_500), .zero])
        let isForEveryone = dice.happens(0.15)
        let cancelsAfter = dice.happens(0.1) ? dice.time(0...4_000) : nil
        let shows = dice.happens(0.4)
        at(offset) { [self] in
            var open = PaywallOpen(isForEveryone: isForEveryone, asked: clock.elapsed, deadline: clock.elapsed + limit)
            let call = Task { [client] in
                isForEveryone
                    ? try await client.defaultPaywall(for: PaywallOpen.placement, within: limit)
                    : try await client.paywall(for: PaywallOpen.placement, within: limit)
            }
            let cancellation = cancelsAfter.map { clock.elapsed + $0 }
            if let cancellation { clock.at(cancellation) { call.cancel() } }
            let index = record.withLock { record in
                record.opens.append(open)
                return record.opens.count - 1
            }
            do { open.result = try await call.value } catch { open.error = error }
            if let assignment = open.result?.assignment {
                phone.promise { promises in
                    promises.experiments.returned(assignment, in: number)
                    // A full disk may keep the decision in the outbox and lose the note that it is there.
                    if plan.diskIsFull != nil { promises.experiments.returned(assignment, in: -number) }
                }
            }
            guard !record.withLock(\.isKilled) else { return }
            open.returnedAt = clock.elapsed
            open.cancelledAt = cancellation
            noticePerson()
            record.withLock { [open] record in
                record.opens[index] = open
                record.opens[index].pinned = record.shown[isForEveryone]
                record.opens[index].mayBeSomebodyElse = record.isPersonChanged || isStoreNew
            }
            open = record.withLock { $0.opens[index] }
            trace.say("\(name): \(open.summary)")
            check(open, trace)
            if let result = open.result, let assignment = result.assignment { check(assignment, of: open, result, trace) }
            if shows, let result = open.result { show(result, isForEveryone, trace) }
        }
    }

    /// A log-out whose answer was lost, or a new store, is learned from a later answer. What was shown before it was shown to
    /// another person.
    func noticePerson() {
        guard let epoch = client.profile?.epoch else { return }
        record.withLock { record in
            if let known = record.epoch, known != epoch {
                record.isPersonChanged = true
                record.shown = [:]
            }
            record.epoch = epoch
        }
    }

    private func show(_ result: PaywallResult, _ isForEveryone: Bool, _ trace: VirtualTrace) {
        trace.say("\(name): shows \(result.shownName)")
        let isSafe = disk.isOpen
        client.recordExposure(of: result)
        let isFirst = record.withLock { record in
            record.shown[isForEveryone] = record.shown[isForEveryone] ?? result
            return record.counted.insert(result).inserted
        }
        guard isFirst else { return }
        phone.promise { promises in
            promises.exposures += 1
            if isSafe { promises.safeExposures += 1 }
            if let assignment = result.assignment { promises.experiments.shows(assignment, isSafe: isSafe && !isStoreNew) }
        }
    }
}

extension PaywallResult {
    /// The text on the screen, as the trace shows it.
    var shownName: String { paywall?.name.rawValue ?? "nothing" }
}

extension PaywallOpen {
    var summary: String {
        let kind = isForEveryone ? "default paywall" : "paywall"
        let limits = "asked \(asked), deadline \(deadline)\(cancelledAt.map { ", cancelled \($0)" } ?? "")"
        if let result {
            let arm = result.assignment.map { " (\($0.variationId))" } ?? ""
            return "\(kind) \(result.shownName)\(arm) from \(result.origin), \(result.attribution), \(limits)"
        }
        return "\(kind): \(error.map { "\($0)" } ?? "nothing"), \(limits)"
    }
}
