// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

/// One customer with one or two phones, an App Store and a server. A seed decides what happens: kills, reinstalls, lost answers, hours
/// without a network, renewals, refunds, forgeries, notifications that come first, stores that list nothing. After each step it is checked
/// what each phone opens.
struct PayingWorld {
    struct Device {
        var phone = Phone()
        let store = ScriptedTransactions()
        var isOnline = true
        /// The signature of each sale that has reached the store on this phone.
        var signed: [Int: Int] = [:]
        /// What that store lists.
        var listing: [ScriptedAppStore.Sale] = []
        /// What it has listed to a launch, by chain.
        var listed: [Int: Int] = [:]
        /// What the server had when it answered this phone last.
        var told: Set<Int> = []
        var client: LandfallClient?
    }

    private var random: SeededNumbers
    private var appStore = ScriptedAppStore()
    private let truth = Locked(ScriptedAppStore())
    private let shop: PurchaseShop
    private(set) var devices: [Device]
    private(set) var complaints: [String] = []
    private static let period = 20_000

    init(seed: Int) {
        random = SeededNumbers(seed)
        devices = (0..<(1 + seed % 2)).map { _ in Device() }
        shop = PurchaseShop(on: devices[0].phone)
        let truth = truth
        shop.books.withLock { books in
            books.profile = { books, time in truth.withLock { $0.profile(by: books.signed, version: books.version, at: time) } }
        }
        for device in devices { serve(device.phone) }
    }

    private func serve(_ phone: Phone) {
        shop.serve(phone)
        let shop = shop
        phone.firstOpen {
            let profile = shop.books.withLock { $0.said(at: phone.clock.date) }
            let paywall = PaywallAnswer.untargeted(final: true, version: profile.version)
            return try .lines([.profile(profile), .attribution(.notAttributed), .paywall(paywall), .end(.final)])
        }
        phone.server.on("GET", WirePath.profile) { _ in
            try .json(ProfileAnswer(profile: shop.books.withLock { $0.said(at: phone.clock.date) }, attribution: .notAttributed))
        }
        phone.plain { kind in
            kind == .default ? try .json(PaywallAnswer.everyone())
                : try .json(PaywallAnswer.untargeted(final: true, version: shop.books.withLock(\.version)))
        }
    }

    private var now: Double { devices[0].phone.clock.date.timeIntervalSince1970 }
    private mutating func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func happens(oneIn count: Int) -> Bool { draw(1...count) == 1 }
    private var anyDevice: Int { mutating get { draw(0...devices.count - 1) } }
}

// MARK: What happens

extension PayingWorld {
    mutating func live(steps: Int) async {
        for device in devices.indices { await open(device) }
        for _ in 0..<steps {
            let device = anyDevice
            switch draw(0...9) {
            case 0, 1, 2: sell()
            case 3: refund()
            case 4: devices[device].isOnline.toggle()
            case 5: await close(device, isKilled: true)
            case 6: await close(device, isKilled: false)
            case 7: await reinstall(device)
            default: await foreground(device)
            }
            drawFate()
            await pass(draw(0...9_000))
            for device in devices.indices where devices[device].client == nil { await open(device) }
            check()
        }
        await settleDown()
    }

    private mutating func sell() {
        let time = Int(now)
        switch draw(0...9) {
        case 0: appStore.sell(at: time, lasts: nil)
        case 1: appStore.sell(at: time, lasts: Self.period, isGenuine: false)
        case 2, 3: appStore.sell(at: time, lasts: Self.period)
        default:
            let newest = appStore.genuine.filter { $0.ends != nil }.max { $0.starts < $1.starts }
            appStore.sell(at: time, renewing: newest, lasts: Self.period)
        }
        publish()
        if happens(oneIn: 3) { notify(appStore.newest) }
    }

    private mutating func refund() {
        guard let sale = appStore.genuine.filter({ !$0.isRevoked }).max(by: { $0.id < $1.id }) else { return }
        let revoked = appStore.revoke(sale.id, at: Int(now))
        publish()
        if happens(oneIn: 2) { notify(revoked) }
    }

    private func publish() {
        truth.withLock { $0 = appStore }
        let forged = appStore.sales.values.filter { !$0.isGenuine }.map { "\($0.id)" }
        shop.books.withLock { $0.rejected = Set(forged) }
    }

    private func notify(_ sale: ScriptedAppStore.Sale?) {
        if let sale, sale.isGenuine { shop.books.withLock { _ = $0.take(sale.jws) } }
    }

    private mutating func drawFate() {
        let fates: [PurchaseShop.Fate] = [.fine, .fine, .fine, .unreached, .unanswered, .busy]
        let fate = fates[draw(0...fates.count - 1)]
        shop.books.withLock { $0.fate = { fate } }
    }

    /// The store on the phone hears what is new, unless there is no network; sometimes it lists nothing although it should.
    private mutating func synchronize(_ device: Int) {
        guard devices[device].isOnline else { return }
        for sale in appStore.sales.values.sorted(by: { $0.id < $1.id }) where devices[device].signed[sale.id] != sale.signed {
            devices[device].signed[sale.id] = sale.signed
            let isReported = happens(oneIn: 2)
            devices[device].store.add(sale.transaction, isReported: isReported)
        }
        list(happens(oneIn: 4) ? [] : appStore.entitlements(at: now), on: device)
    }

    private mutating func list(_ listing: [ScriptedAppStore.Sale], on device: Int) {
        devices[device].listing = listing
        devices[device].store.entitlements = listing.map(\.entitlement)
    }

    private mutating func foreground(_ device: Int) async {
        synchronize(device)
        devices[device].client?.enteredForeground()
        await devices[device].phone.settle()
        learn(device)
    }

    private mutating func learn(_ device: Int) {
        for sale in devices[device].listing { devices[device].listed[sale.chain] = sale.id }
        let books = shop.books.withLock { $0 }
        guard devices[device].client?.profile?.version == books.version else { return }
        devices[device].told = Set(books.signed.keys.compactMap { Int($0) })
    }

    private mutating func open(_ device: Int) async {
        synchronize(device)
        let phone = devices[device].phone, store = devices[device].store
        phone.server.isOffline = !devices[device].isOnline
        let client = phone.app {
            $0.transactions = store
            $0.accessProducts = ["premium": ["yearly"]]
        }
        devices[device].client = client
        client.observePurchases()
        client.start()
        if devices[device].isOnline {
            let shown = try? await client.paywall(for: .onboarding, within: .seconds(5))
            if shown?.elapsed != .zero { complaints.append("The first paywall came after \(String(describing: shown?.elapsed)).") }
        }
        await phone.settle()
        learn(device)
    }

    private mutating func close(_ device: Int, isKilled: Bool) async {
        let files = devices[device].phone.storage.files
        await devices[device].client?.shutdown()
        devices[device].client = nil
        guard isKilled else { return }
        // What was being written may be lost; what the store lists is read again.
        devices[device].phone.storage = MemoryStorage(files)
        devices[device].listed = [:]
        devices[device].told = []
    }

    private mutating func reinstall(_ device: Int) async {
        await close(device, isKilled: true)
        devices[device].phone.storage = Phone().storage
    }

    private mutating func pass(_ seconds: Int) async {
        for device in devices {
            device.phone.server.isOffline = !device.isOnline
            await device.phone.pass(.seconds(seconds))
        }
    }
}

// MARK: What must be true

extension PayingWorld {
    private mutating func check() {
        for (device, state) in devices.enumerated() {
            guard let profile = state.client?.profile else { continue }
            let isOpen = profile.access("premium").isActive
            let known = state.told.union(state.listed.values)
            let mustOpen = appStore.genuine.contains { known.contains($0.id) && $0.opens(at: now) }
            // A refund that nobody has told the phone about takes nothing away yet.
            let mayOpen = appStore.genuine.contains { $0.ends.map { Double($0) > now } ?? true }
            if mustOpen, !isOpen { complaints.append("Phone \(device) locks out a customer who has paid, at \(now).") }
            if isOpen, !mayOpen { complaints.append("Phone \(device) opens what nobody has paid for, at \(now).") }
        }
    }

    /// In the end everybody hears of everything.
    private mutating func settleDown() async {
        shop.books.withLock { $0.fate = { .fine } }
        for device in devices.indices {
            devices[device].isOnline = true
            devices[device].phone.server.isOffline = false
            for sale in appStore.sales.values { devices[device].store.add(sale.transaction) }
            list(appStore.entitlements(at: now), on: device)
            devices[device].client?.enteredForeground()
        }
        await pass(2_000)
        for device in devices { device.client?.enteredForeground() }
        await pass(10)
        for (device, state) in devices.enumerated() {
            let isOpen = state.client?.profile?.access("premium").isActive ?? false
            if isOpen != appStore.isOpen(at: now) { complaints.append("Phone \(device) is \(isOpen ? "open" : "locked") in the end.") }
            await state.client?.shutdown()
        }
        let books = shop.books.withLock { $0 }
        let newest = Dictionary(uniqueKeysWithValues: appStore.genuine.map { ("\($0.id)", $0.signed) })
        if books.signed != newest { complaints.append("The server has \(books.signed), and not \(newest).") }
        if books.credits.values.contains(where: { $0 != 1 }) { complaints.append("Credited twice: \(books.credits).") }
    }
}
