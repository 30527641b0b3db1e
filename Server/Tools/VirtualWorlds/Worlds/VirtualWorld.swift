// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallNode
import LandfallSQLite
import Synchronization

/// Everything that one seed leads to: a server, Apple, phones and their people, on one clock.
final class VirtualWorld: Sendable {
    /// What every world of a run shares.
    struct Ground: Sendable {
        let servings: VirtualServings
        let database: MemoryDatabase
        let parts: WorldParts
        /// Nil if nothing is sold.
        let store: VirtualAppStore?
        var planted: PlantedError?
    }

    let clock = VirtualClock()
    let trace: VirtualTrace
    let apple: VirtualApple
    let server: VirtualServer
    let ground: Ground
    let dice: Dice
    /// One in this number of worlds has links, if the run has links.
    private static let shareWithLinks = 0.3
    private let linkDice: Dice
    private static let shareWithExperiment = 0.3
    private static let shareWithPlans = 0.3
    private static let shareWithNodes = 0.2
    private static let shareWithRestores = 0.3
    private static let shareWithWebhooks = 0.1
    private static let shareWithPurchases = 0.3
    private static let shareWithWrappedLinks = 0.3
    private static let shareWithModes = 0.3
    private let planDice: Dice
    private let hasPlans: Bool
    private let hasLinks: Bool
    /// What a link's page handed over, for the phone that installs the app.
    let handed = Mutex<LinkHandover?>(nil)
    /// When the server was down or stopping.
    let outages = Mutex<[ClosedRange<Duration>]>([])
    let phones = Mutex<[VirtualPhone]>([])
    private let opens = Mutex(0)
    private let assigned = Mutex(0)
    let lastWipe = Mutex<Duration?>(nil)
    let nodeDice: Dice
    private let shopDice: Dice?
    private let modeDice: Dice?
    private let hasWrappedLinks: Bool
    private let restoreDice: Dice?
    let receiver: VirtualReceiver?
    let ledger: FactLedger
    /// Nodes and endpoints are busy each second, so days would take long; other worlds have them.
    private let isBusy: Bool

    init(seed: UInt64, _ ground: Ground, keepsTrace: Bool) {
        self.ground = ground
        dice = Dice(seed: seed)
        // Separate dice: everything else in a world is the same with links and without.
        let ownDice = Dice(seed: ~seed)
        linkDice = ownDice.split()
        let hasUsualLinks = linkDice.happens(Self.shareWithLinks) && ground.parts.contains(.links)
        trace = VirtualTrace(clock, keepsLines: keepsTrace)
        apple = VirtualApple(clock, trace)
        let hasExperiment = ownDice.split().happens(Self.shareWithExperiment)
        planDice = ownDice.split()
        hasPlans = planDice.happens(Self.shareWithPlans) && ground.parts.contains(.attributes)
        // Each part has dice of its own, thrown after those that were there before it.
        nodeDice = ownDice.split()
        let hasNodes = nodeDice.happens(Self.shareWithNodes) && ground.parts.contains(.nodes)
        let restores = ownDice.split()
        let hasRestores = restores.happens(Self.shareWithRestores) && ground.parts.contains(.restores)
        restoreDice = hasRestores ? restores : nil
        let hooks = ownDice.split()
        let hasHooks = hooks.happens(Self.shareWithWebhooks) && ground.parts.contains(.webhooks)
        receiver = hasHooks ? VirtualReceiver(hooks, clock, trace, planted: ground.planted) : nil
        ledger = FactLedger(trace, planted: ground.planted)
        isBusy = hasNodes || hasHooks
        let shop = ownDice.split()
        let hasShop = shop.happens(Self.shareWithPurchases) && ground.store != nil
        let hasWrapped = ownDice.split().happens(Self.shareWithWrappedLinks) && ground.parts.contains(.wrappedLinks)
        let modes = ownDice.split()
        // What must arrive depends on the mode, so people of these worlds neither buy nor tap.
        let hasModes = modes.happens(Self.shareWithModes) && ground.parts.contains(.collection) && !hasShop && !hasWrapped
        shopDice = hasShop ? shop : nil
        modeDice = hasModes ? modes : nil
        hasWrappedLinks = hasWrapped
        hasLinks = (hasUsualLinks || hasWrapped) && !hasModes
        var setup = VirtualServer.Setup(serving: ground.servings.serving(hasExperiment: hasExperiment, hasWebhooks: hasHooks))
        if hasNodes { (setup.nodes, setup.dice) = (nodeDice.number(2...3), nodeDice.split()) }
        setup.receiver = receiver
        setup.planted = ground.planted
        if let store = ground.store { setup.trust = store.trust }
        if hasNodes || hasHooks || hasRestores { setup.ledger = ledger }
        server = VirtualServer(setup, ground.database, clock, apple, trace)
    }

    /// How many calls for a paywall were made.
    var openCount: Int { opens.withLock { $0 } }

    /// How many of them returned a variation of an experiment.
    var assignedCount: Int { assigned.withLock { $0 } }

    /// Runs the world to its end.
    func run(phones count: Int) async {
        do {
            try ground.database.empty()
            try await server.start()
            let troubles = dice.happens(0.3) ? Task { try await self.disturbServer() } : nil
            let nodeTroubles = server.nodeCount > 1 ? Task { try await self.disturbNodes() } : nil
            let restores = restoreDice.map { dice in Task { try await self.restore(dice) } }
            let phones = (0..<count).map { index in
                let own = dice.split()
                var extras = VirtualPhone.Extras()
                extras.links = hasLinks ? linkDice.split() : nil
                extras.plans = hasPlans ? planDice.split() : nil
                extras.hasWrappedLinks = hasWrappedLinks
                if let shopDice, let store = ground.store { extras.shop = PhoneShop(store, number: index + 1, shopDice.split()) }
                extras.modes = modeDice?.split()
                extras.planted = ground.planted
                return VirtualPhone("phone\(index + 1)", own, extras)
            }
            self.phones.withLock { $0 = phones }
            await withTaskGroup(of: Void.self) { group in
                for phone in phones { group.addTask { await self.live(phone) } }
            }
            try await troubles?.value
            try await nodeTroubles?.value
            try await restores?.value
            receiver?.works()
            for phone in phones { try await settle(phone) }
            if let handover { try await handover.check(phones, ground.database, at: clock.elapsed, trace) }
            if server.hasLedger { try await ledger.check("R2", ground.database) }
            try await receiver?.check(ground.database)
        } catch {
            trace.broke("simulation", "the world ended early: \(error)")
        }
        server.kill()
        server.board?.close()
    }

    /// When the server last lost its store.
    var wipedAt: Duration? { lastWipe.withLock { $0 } }

    func isServerDisturbed(_ from: Duration, _ until: Duration) -> Bool {
        // Where several nodes answer, news between them take their time too.
        server.nodeCount > 1 || outages.withLock { $0.contains { $0.overlaps(from...max(from, until)) } }
    }

    var handover: LinkHandover? { handed.withLock { $0 } }

    /// Before there is an app, the person taps a link in a browser.
    private func browse(_ phone: VirtualPhone) async {
        guard let dice = phone.linkDice, handover == nil, dice.happens(phone.hasWrappedLinks ? 0.6 : 0.3) else { return }
        let page = phone.hasWrappedLinks && dice.happens(0.5) ? "/poster" : "/welcome"
        guard let found = await server.browse(page, host: "brandname.go.link"),
            let handover = LinkHandover(page: found, at: clock.elapsed)
        else { return trace.say("\(phone.name): nothing was handed over in the browser") }
        trace.say("\(phone.name): is handed a link in the browser")
        handed.withLock { $0 = $0 ?? handover }
    }

    private func live(_ phone: VirtualPhone) async {
        await browse(phone)
        let dice = phone.dice.split()
        for _ in 0..<dice.number(1...3) {
            phone.surprise(dice)
            let launch = PhoneLaunch(phone, .any(dice), self)
            await launch.run(trace)
            finish(launch)
            // Days are rare, because Apple is asked again and again all through them.
            let longest = dice.happens(0.1) ? dice.number(3_600...100_000) : dice.number(60...3_600)
            let pause = isBusy ? min(longest, 30) : longest
            try? await clock.sleep(for: dice.one(of: [.zero, dice.time(1...5_000), .seconds(pause)]))
        }
    }

    private func finish(_ launch: PhoneLaunch) {
        let made = launch.record.withLock { $0.opens }
        opens.withLock { $0 += made.count }
        assigned.withLock { $0 += made.count { $0.result?.assignment != nil } }
        launch.checkEnd(trace)
    }

    /// Everything works from now on: what was accepted must arrive, and what Apple says must be known.
    private func settle(_ phone: VirtualPhone) async throws {
        var plan = PhoneLaunch.Plan()
        plan.length = .seconds(120)
        // A phone does not wait for Apple where it knows an attribution already: from another provider's claim, or from a
        // server that has lost its store since. Then it knows Apple's answer one launch after the one that brings the token.
        let isOneEnough = wipedAt == nil && phone.promise { $0.isAppleAlone }
        for isLast in isOneEnough ? [true] : [false, true] {
            let launch = PhoneLaunch(phone, plan, self)
            launch.observePurchases()
            launch.client.start()
            launch.takeEveryLink(trace)
            try await clock.sleep(for: plan.length)
            // What may be collected decides what the server has in the end.
            if isLast, phone.modeDice == nil {
                try await launch.checkSettled(ground.database, trace)
                try await launch.checkSettledExperiments(ground.database, trace)
                if hasLinks { try await launch.checkSettledLinks(ground.database, trace) }
                try await launch.checkSettledPurchases(ground.database, trace)
                await launch.checkNodes(server, trace)
            }
            await launch.kill()
        }
    }
}

extension VirtualPhone {
    /// What may happen to a phone between two launches.
    fileprivate func surprise(_ dice: Dice) {
        if dice.happens(0.1) { reinstall() }
        if dice.happens(0.1) { moveToNewPhone() }
        if dice.happens(0.2) {
            memory.withLock { memory in
                memory.calendarIsAhead = .someDays(dice)
                memory.promises.links.calendarChanged()
            }
        }
    }
}

extension PhoneLaunch.Plan {
    static func any(_ dice: Dice) -> PhoneLaunch.Plan {
        var plan = PhoneLaunch.Plan()
        plan.conditions = [(.zero, .any(dice))]
        if dice.happens(0.3) { plan.conditions.append((dice.time(1...6_000), .any(dice))) }
        plan.tokens = PhoneTokens.manner(dice)
        plan.tokenDelay = dice.one(of: [dice.time(10...340), dice.time(100...800), dice.time(1_000...12_000)])
        if dice.happens(0.15) {
            let from = dice.time(0...5_000)
            plan.suspension = (from, from + dice.one(of: [dice.time(1...3_000), dice.time(1...60_000)]))
        }
        if dice.happens(0.1) { plan.lockedUntil = dice.time(1...4_000) }
        if dice.happens(0.07) {
            let from = dice.time(0...6_000)
            plan.diskIsFull = from...(from + dice.one(of: [dice.time(1...3_000), dice.time(1...60_000)]))
        }
        if dice.happens(0.07) { plan.calendarJump = (dice.time(0...6_000), .someDays(dice)) }
        plan.hasFallback = dice.happens(0.7)
        plan.prepares = dice.happens(0.7)
        plan.length = dice.one(of: [dice.time(0...8_000), dice.time(5_000...20_000), dice.time(5_000...60_000)])
        return plan
    }
}

extension Duration {
    /// By how much a calendar may be wrong.
    fileprivate static func someDays(_ dice: Dice) -> Duration {
        .seconds(86_400 * dice.one(of: [-400, -2, -1, 1, 3, 400, 20_000]))
    }
}
