// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Synchronization

/// Links that a person taps, and what the app does with them.
extension PhoneLaunch {
    private static let scene: SceneID = "main"

    /// Draws what happens with links in this launch; acts before the start happen at once.
    func useLinks(_ dice: Dice, _ trace: VirtualTrace) {
        if dice.happens(0.3) { tap(dice, trace) }
        if dice.happens(phone.hasWrappedLinks ? 0.5 : 0.2) { claimDeferred(dice.time(0...3_000), isAtOnce: dice.happens(0.5), trace) }
        for _ in 0..<dice.number(0...3) {
            let tapping = dice.split()
            at(dice.one(of: [dice.time(0...300), dice.time(0...6_000), dice.time(0...20_000)])) { [self] in
                tap(tapping, trace)
            }
        }
        if dice.happens(0.3) { ask(at: dice.time(0...6_000), dice.split(), trace) }
        guard dice.happens(0.8) else { return }
        let scene = dice.happens(0.3) ? Self.scene : nil
        let taking = dice.split()
        at(dice.one(of: [.zero, dice.time(0...1_000), dice.time(0...10_000)])) { [self] in
            await awaitLinks(of: scene, trace) { taking.one(of: [.zero, .zero, .zero, taking.time(1...3_000), nil]) }
        }
    }

    /// In the end the app runs on, and takes every link.
    func takeEveryLink(_ trace: VirtualTrace) {
        guard phone.linkDice != nil else { return }
        Task { [self] in await awaitLinks(of: nil, trace) { .zero } }
    }

    /// The last thing before the app is killed.
    func tapAtLast(_ dice: Dice, _ trace: VirtualTrace) {
        guard dice.happens(0.2) else { return }
        if dice.happens(0.3) {
            disk.cutNextAppend(at: dice.share)
            trace.say("\(name): is killed within a call")
        }
        tap(dice, trace)
    }

    // MARK: Taps

    private func tap(_ dice: Dice, _ trace: VirtualTrace) {
        let used = record.withLock(\.used)
        let old = phone.promise { promises in
            promises.links.taps.values.map(\.link).filter { !used.contains($0.text) && $0.kind != .signIn }
        }
        let isAgain = !old.isEmpty && dice.happens(0.15)
        let link = isAgain ? dice.one(of: old.sorted { $0.text < $1.text }) : newLink(dice)
        record.withLock { _ = $0.used.insert(link.text) }
        defer { if dice.happens(0.4) { askForCampaign(dice.split(), trace) } }
        if dice.happens(0.15), link.kind != .signIn { return openOfSystem(link, trace) }
        guard let url = URL(string: link.text) else { return }
        let scenes: [SceneID?] = dice.one(of: [[nil], [Self.scene], [nil, Self.scene], [Self.scene, Self.scene], [nil, nil]])
        let isSafe = disk.isOpen
        // iOS tells of one tap through several hooks.
        for scene in scenes {
            let isTaken = client.receive(url, scene: scene)
            if isTaken == (link.kind == .signIn) { trace.broke("L1", "\(name): receives \(link.text): \(isTaken)") }
        }
        trace.say("\(name): receives \(link.text) through \(scenes.count) hooks\(isSafe ? "" : ", in memory alone")")
        record.withLock { $0.taps[link.text] = clock.elapsed }
        // The answer of a sign-in belongs to another handler of the app.
        guard link.kind != .signIn else { return }
        // A link that is tapped again takes the place of the one that waits.
        note(link, isSafe: isSafe) { tap, number in
            if isSafe { tap.storedNumber = number }
            tap.number = number
            tap.arrivals += 1
            tap.isOwed = isSafe
        }
    }

    private func newLink(_ dice: Dice) -> TappedLink {
        let kind = dice.one(of: TappedLink.Kind.usual + (phone.hasWrappedLinks ? TappedLink.Kind.wrappedOrEnded : []) + [.short, .short])
        return TappedLink(kind, "\(phone.name)-\(phone.promise { $0.nextNumber() })")
    }

    private func note(_ link: TappedLink, isSafe: Bool, _ change: (inout LinkPromises.Tap, Int) -> Void = { _, _ in }) {
        phone.promise { promises in
            promises.links.lastNumber += 1
            let number = promises.links.lastNumber
            var tap = promises.links.taps[link.text] ?? LinkPromises.Tap(link: link, storedNumber: number, number: number)
            if link.isCounted {
                tap.clicks += 1
                if isSafe { tap.safeClicks += 1 }
            }
            change(&tap, number)
            promises.links.taps[link.text] = tap
            guard link.isOfCampaign else { return }
            promises.links.mayAttribute = true
            if isSafe { promises.links.isOfCampaign = true } else { promises.links.isCampaignSure = false }
        }
        record.withLock { record in
            if link.isOfCampaign { record.campaignTaps.append(.init(text: link.text, at: clock.elapsed)) }
            if link.mayBeOfCampaign { record.changedAt = clock.elapsed }
        }
    }

    // MARK: Questions

    private func ask(at offset: Duration, _ dice: Dice, _ trace: VirtualTrace) {
        at(offset) { [self] in await open(newLink(dice), from: .app, trace) }
    }

    private func openOfSystem(_ link: TappedLink, _ trace: VirtualTrace) {
        Task { [self] in
            guard !record.withLock(\.isKilled) else { return }
            note(link, isSafe: disk.isOpen)
            await open(link, from: .system, trace)
        }
    }

    private func open(_ link: TappedLink, from origin: LinkOrigin, _ trace: VirtualTrace) async {
        guard let url = URL(string: link.text) else { return }
        trace.say("\(name): asks where \(link.text) leads")
        let index = record.withLock { record in
            record.linkCalls.append(LinkCall(link: link, asked: clock.elapsed))
            return record.linkCalls.count - 1
        }
        let answer = await client.open(url, from: origin)
        guard !record.withLock(\.isKilled) else { return }
        record.withLock { $0.linkCalls[index].answer = answer }
        trace.say("\(name): \(link.text) is \(answer.status)")
        check(answer, to: record.withLock { $0.linkCalls[index] }, trace)
    }

    // MARK: Listening

    /// - Parameter takesAfter: how long the app takes for a link; nil never finishes.
    private func awaitLinks(
        of scene: SceneID?, _ trace: VirtualTrace, takesAfter: @escaping @Sendable () -> Duration?
    ) async {
        record.withLock { $0.linksAwaitedAt = clock.elapsed }
        let links = scene.map { client.links(for: $0) } ?? client.links
        for await link in links {
            guard !record.withLock(\.isKilled) else { return }
            trace.say("\(name): is handed \(link.original) as \(link.status)\(link.isRedelivered ? ", again" : "")")
            heard(link, trace)
            guard let after = takesAfter() else { continue }
            if after == .zero {
                take(link, trace)
            } else {
                at(clock.elapsed + after - startedAt) { [self] in take(link, trace) }
            }
        }
    }

    private func take(_ link: ReceivedLink, _ trace: VirtualTrace) {
        trace.say("\(name): takes \(link.original)")
        let isSafe = disk.isWritable
        link.markTaken()
        phone.promise { promises in
            promises.links.taps[link.original.absoluteString]?.isOwed = false
            if isSafe { promises.links.taken.insert(link.id) }
        }
    }

    // MARK: From before the installation

    private func claimDeferred(_ offset: Duration, isAtOnce: Bool, _ trace: VirtualTrace) {
        guard let handover else { return }
        let claim: @Sendable () -> Void = { [self] in
            let isSafe = disk.isOpen
            if !client.claimDeferredLink(handover.text(from: phone)) { trace.broke("L7", "\(name): the token is refused") }
            trace.say("\(name): claims what the browser handed over\(isSafe ? "" : ", in memory alone")")
            phone.promise { promises in
                promises.links.hasClaimed = true
                promises.links.isDeferredOwed = isSafe && !promises.links.mayHaveExpired
                promises.links.mayAttribute = true
                promises.links.isCampaignSure = false
            }
        }
        if isAtOnce { claim() } else { at(offset) { claim() } }
    }
}
