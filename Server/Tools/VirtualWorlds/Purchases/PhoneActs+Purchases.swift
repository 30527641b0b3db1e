// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallSQLite
import LandfallStore
import Synchronization

/// Subscriptions that a person buys, and what is checked of them, see ``SoldPeriods``.
extension PhoneLaunch {
    private var nowMs: Int64 { VirtualServer.epochMs + clock.elapsed.exactMilliseconds }

    /// Before the start.
    func observePurchases() { if phone.shop != nil { client.observePurchases() } }

    /// In some launches nothing is bought, and now and then the app asks the store for everything.
    func usePurchases(_ shop: PhoneShop, _ dice: Dice, _ trace: VirtualTrace) {
        for _ in 0..<dice.number(0...2) {
            let offset = dice.one(of: [dice.time(0...300), dice.time(0...6_000), dice.time(0...20_000)])
            let length = dice.one(of: [dice.number(5...60), dice.number(60...600), 30 * 86_400]), renews = dice.happens(0.4)
            at(offset) { [self] in
                do {
                    let period = try shop.sell(for: Int64(length) * 1_000, renews: renews, nowMs: nowMs)
                    trace.say("\(name): buys \(period.id) of \(period.original) for \(length) s")
                } catch { trace.broke("simulation", "\(name): nothing could be signed: \(error)") }
            }
        }
        guard dice.happens(0.2) else { return }
        at(dice.time(0...8_000)) { [self] in
            trace.say("\(name): restores purchases")
            _ = try? await client.restorePurchases(within: .seconds(8))
        }
    }

    /// A profile was heard, or everything is settled.
    func checkAccess(_ profile: Profile, isSettled: Bool = false, _ trace: VirtualTrace) {
        guard let shop = phone.shop else { return }
        let hasAccess = profile.access(VirtualAppStore.level).isActive
        for breach in shop.periods.breaches(hasAccess: hasAccess, atMs: nowMs, isSettled: isSettled) {
            trace.broke(breach.guarantee, "\(name): \(breach.text)")
        }
    }

    /// After minutes of good network, and again when more periods are over.
    func checkSettledPurchases(_ database: MemoryDatabase, _ trace: VirtualTrace) async throws {
        guard let shop = phone.shop, let profile = client.profile else { return }
        checkAccess(profile, isSettled: true, trace)
        let charged = try await database.read { connection in
            try connection.rows("SELECT transaction_id FROM charge WHERE kind = 'purchase'", []).map { try $0.text("transaction_id") }
        }
        for breach in shop.periods.breaches(charged: charged, atMs: nowMs, mustHave: shop.periods.isOwnerSure) {
            trace.broke(breach.guarantee, "\(name): \(breach.text)")
        }
    }
}
