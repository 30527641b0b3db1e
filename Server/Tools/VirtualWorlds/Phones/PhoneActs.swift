// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Synchronization

/// What a person, their app and their phone do in one launch. Every act is a task that begins at its time, or when the app
/// goes on; what an act promises is noted in ``Promises`` and checked in LaunchGuarantees.swift.
extension PhoneLaunch {
    /// Runs the launch to its kill.
    func run(_ trace: VirtualTrace) async {
        trace.say("\(name): starts, \(plan.summary)")
        let dice = phone.dice.split()
        disturb(dice.split(), trace)
        listen(trace)
        if disk.mayHoldItems { record.withLock { $0.changedAt = startedAt } }
        if let links = phone.linkDice { useLinks(links.split(), trace) }
        if let plans = phone.planDice { usePlans(plans.split(), trace) }
        if let shop = phone.shop { usePurchases(shop, shop.dice.split(), trace) }
        if let modes = phone.modeDice { useModes(modes.split(), trace) }
        observePurchases()
        if dice.happens(0.1) { open(at: .zero, dice.split(), trace) }
        client.start()
        for _ in 0..<dice.number(1...3) {
            open(at: dice.one(of: [.zero, dice.time(0...300), dice.time(0...4_000)]), dice.split(), trace)
        }
        if dice.happens(0.3) { setAttribute(at: dice.time(0...6_000), trace) }
        if dice.happens(0.15) { claim(at: dice.time(0...6_000), dice.split(), trace) }
        if dice.happens(0.1) { changePerson(at: dice.time(0...8_000), dice.split(), trace) }
        let end = startedAt + plan.length
        try? await clock.world.sleep(until: .init(offset: end), tolerance: nil)
        if let links = phone.linkDice, !clock.isSuspended { tapAtLast(links.split(), trace) }
        if dice.happens(0.2), !clock.isSuspended { acceptWithinKill(dice, trace) }
        await kill()
    }

    /// Does something at that time, unless the app has been killed by then.
    func at(_ offset: Duration, _ act: @escaping @Sendable () async -> Void) {
        let begins = startedAt + offset
        Task { [self] in
            try? await clock.sleep(until: .init(offset: begins), tolerance: nil)
            if !record.withLock(\.isKilled) { await act() }
        }
    }

    /// What happens to the phone, as the plan says.
    private func disturb(_ dice: Dice, _ trace: VirtualTrace) {
        if plan.lockedUntil > .zero {
            lock(true)
            clock.world.at(startedAt + plan.lockedUntil) { [self] in lock(false) }
        }
        if let full = plan.diskIsFull {
            clock.world.at(startedAt + full.lowerBound) { [self] in disk.isFull = true }
            clock.world.at(startedAt + full.upperBound) { [self] in disk.isFull = false }
        }
        if let jump = plan.calendarJump {
            clock.world.at(startedAt + jump.at) { [self] in setCalendar(aheadBy: jump.to) }
        }
        if let suspension = plan.suspension {
            clock.at(startedAt + suspension.from) { [self] in
                trace.say("\(name): suspended until \(startedAt + suspension.until)")
                clock.suspend(until: startedAt + suspension.until)
            }
        }
        for (from, condition) in plan.conditions.dropFirst() where condition.kind == .offline || dice.happens(0.5) {
            let isOffline = condition.kind == .offline
            let isDenied = isOffline && dice.happens(0.5)
            clock.at(startedAt + from) { [self] in client.networkPathChanged(isSatisfied: !isOffline, isDenied: isDenied) }
        }
        if plan.conditions[0].1.kind == .offline, dice.happens(0.5) {
            client.networkPathChanged(isSatisfied: false, isDenied: dice.happens(0.5))
        }
    }

    /// Every profile must be newer than the one before.
    private func listen(_ trace: VirtualTrace) {
        Task { [self] in
            for await profile in client.profiles {
                let before = record.withLock { record in
                    defer { record.lastProfile = profile }
                    return record.lastProfile
                }
                trace.say("\(name): profile \(profile.epoch).\(profile.version), \(profile.attribution)")
                checkAccess(profile, trace)
                guard let before else { continue }
                if (profile.epoch, profile.version) < (before.epoch, before.version) {
                    trace.broke("D8", "\(name): profile \(profile.version) came after \(before.version)")
                }
            }
        }
    }
}

extension PhoneLaunch.Plan {
    var summary: String {
        var parts = conditions.map { "\($0.1.kind) from \($0.from) (\($0.1.trip) ms)" }
        parts.append("token \(tokens) after \(tokenDelay)")
        if lockedUntil > .zero { parts.append("locked until \(lockedUntil)") }
        if let diskIsFull { parts.append("disk full \(diskIsFull)") }
        if !hasFallback { parts.append("no fallback") }
        if !prepares { parts.append("prepares nothing") }
        return parts.joined(separator: ", ")
    }
}
