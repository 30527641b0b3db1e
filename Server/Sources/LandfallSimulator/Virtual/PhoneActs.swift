// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire
import Synchronization

/// What a person and their app do in one launch. Every act is a task that begins at its time, or when the app goes on.
extension PhoneLaunch {
    /// Runs the launch to its kill.
    func run(_ trace: VirtualTrace) async {
        trace.say("\(name): starts, \(plan.summary)")
        let dice = phone.dice.split()
        if plan.lockedUntil > .zero {
            lock(true)
            clock.world.at(startedAt + plan.lockedUntil) { [self] in lock(false) }
        }
        if let suspension = plan.suspension {
            clock.at(startedAt + suspension.from) { [self] in
                trace.say("\(name): suspended until \(startedAt + suspension.until)")
                clock.suspend(until: startedAt + suspension.until)
            }
        }
        for (from, condition) in plan.conditions.dropFirst() where condition.kind == .offline || dice.happens(0.5) {
            clock.at(startedAt + from) { [self] in client.networkPathChanged(isSatisfied: condition.kind != .offline) }
        }
        if plan.conditions[0].1.kind == .offline, dice.happens(0.5) { client.networkPathChanged(isSatisfied: false) }
        listen(trace)
        if dice.happens(0.1) { open(at: .zero, dice.split(), trace) }
        client.start()
        for _ in 0..<dice.number(1...3) { open(at: dice.one(of: [.zero, dice.time(0...300), dice.time(0...4_000)]), dice.split(), trace) }
        if dice.happens(0.3) { accept(at: dice.time(0...6_000), trace) }
        let end = startedAt + plan.length
        try? await clock.world.sleep(until: .init(offset: end), tolerance: nil)
        await kill()
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
                guard let before else { continue }
                if (profile.epoch, profile.version) < (before.epoch, before.version) {
                    trace.broke("D8", "\(name): profile \(profile.version) came after \(before.version)")
                }
            }
        }
    }

    private func at(_ offset: Duration, _ act: @escaping @Sendable () async -> Void) {
        let begins = startedAt + offset
        Task { [self] in
            try? await clock.sleep(until: .init(offset: begins), tolerance: nil)
            if !record.withLock(\.isKilled) { await act() }
        }
    }

    private func open(at offset: Duration, _ dice: Dice, _ trace: VirtualTrace) {
        let limit = dice.one(of: [dice.time(1_000...8_000), .seconds(5), dice.time(0...1_500), .zero])
        let isForEveryone = dice.happens(0.15)
        let cancelsAfter = dice.happens(0.1) ? dice.time(0...4_000) : nil
        let shows = dice.happens(0.4)
        at(offset) { [self] in
            var open = PaywallOpen(isForEveryone: isForEveryone, asked: clock.elapsed, deadline: clock.elapsed + limit)
            let call = Task { [client] in
                isForEveryone
                    ? try await client.defaultPaywall(for: "onboarding", within: limit)
                    : try await client.paywall(for: "onboarding", within: limit)
            }
            let cancellation = cancelsAfter.map { clock.elapsed + $0 }
            if let cancellation { clock.at(cancellation) { call.cancel() } }
            let index = record.withLock { record in
                record.opens.append(open)
                return record.opens.count - 1
            }
            do { open.result = try await call.value } catch { open.error = error }
            guard !record.withLock(\.isKilled) else { return }
            open.returnedAt = clock.elapsed
            open.cancelledAt = cancellation
            open.pinned = record.withLock { $0.shown[isForEveryone] }
            record.withLock { [open] in $0.opens[index] = open }
            trace.say("\(name): \(open.summary)")
            check(open, trace)
            if shows, let result = open.result { show(result, isForEveryone, trace) }
        }
    }

    private func show(_ result: PaywallResult, _ isForEveryone: Bool, _ trace: VirtualTrace) {
        guard clock.elapsed >= startedAt + plan.lockedUntil else { return }
        trace.say("\(name): shows \(result.paywall.name)")
        client.shown(result)
        let isFirst = record.withLock { record in
            record.shown[isForEveryone] = record.shown[isForEveryone] ?? result
            return record.counted.insert(result).inserted
        }
        guard isFirst else { return }
        phone.memory.withLock { memory in
            memory.exposures += 1
            memory.exposuresOfInstall += 1
        }
    }

    /// Something that must not be lost once the call has returned, perhaps with the app killed right after it.
    private func accept(at offset: Duration, _ trace: VirtualTrace) {
        at(offset) { [self] in
            guard clock.elapsed >= startedAt + plan.lockedUntil else { return }
            let sessions = phone.memory.withLock { ($0.sessions ?? 0) + 1 }
            do {
                try client.setAttributes(["sessions": .number(Double(sessions))])
                trace.say("\(name): sets sessions to \(sessions)")
                phone.memory.withLock { $0.sessions = sessions }
            } catch {
                trace.broke("D9", "\(name): an attribute was refused: \(error)")
            }
        }
    }
}

extension PhoneLaunch.Plan {
    var summary: String {
        var parts = conditions.map { "\($0.1.kind) from \($0.from) (\($0.1.trip) ms)" }
        parts.append("token \(tokens) after \(tokenDelay)")
        if lockedUntil > .zero { parts.append("locked until \(lockedUntil)") }
        if !hasFallback { parts.append("no fallback") }
        if !prepares { parts.append("prepares nothing") }
        return parts.joined(separator: ", ")
    }
}

extension PaywallOpen {
    var summary: String {
        let kind = isForEveryone ? "default paywall" : "paywall"
        let limits = "asked \(asked), deadline \(deadline)\(cancelledAt.map { ", cancelled \($0)" } ?? "")"
        if let result {
            return "\(kind) \(result.paywall.name) from \(result.origin), \(result.attribution), \(limits)"
        }
        return "\(kind): \(error.map { "\($0)" } ?? "nothing"), \(limits)"
    }
}
