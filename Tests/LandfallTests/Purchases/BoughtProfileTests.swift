// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import Landfall

@Suite("What a profile says was bought", .timeLimit(.minutes(1)))
struct BoughtProfileTests {
    /// Begun an hour before the server's time, and ending an hour after it.
    private func subscription(_ state: WireAccessState, endsIn left: Int64 = 3_600_000) -> WireSubscription {
        var subscription = WireSubscription(
            productId: "year", transactionId: "2", originalTransactionId: "1", state: state, isActive: state == .active || state == .grace,
            startedAtMilliseconds: 1_000, startsAtMilliseconds: 2_000, endsAtMilliseconds: Self.time + left)
        (subscription.renewsAs, subscription.offerId, subscription.expirationIntent) = ("month", "spring", 1)
        (subscription.willRenew, subscription.isTrial, subscription.isSandbox) = (true, true, true)
        return subscription
    }

    private static let time: Int64 = 1_790_000_000_000

    private func anna(_ subscription: WireSubscription, version: Int64 = 1) -> WireProfile {
        var profile = WireProfile.anna(version: version)
        profile.asOfMilliseconds = Self.time
        profile.accessLevels = [:]
        profile.subscriptions = [subscription]
        var coins = WireOneTimePurchase(
            transactionId: "3", productId: "coins", quantity: 3, purchasedAtMilliseconds: 5_000, isRefunded: false, isSandbox: false)
        coins.type = .consumable
        profile.oneTimePurchases = [coins]
        return profile
    }

    @Test("is what the server said")
    func said() throws {
        let profile = try #require(self.profile(state(after: anna(subscription(.active))), at: .zero))

        let bought = try #require(profile.subscriptions.first)
        #expect(bought.productID == "year" && bought.transactionID == "2" && bought.originalTransactionID == "1")
        #expect(bought.isActive && bought.state == .active && bought.willRenew && bought.isTrial && bought.isSandbox)
        #expect(bought.startedAt == Date(timeIntervalSince1970: 1) && bought.startsAt == Date(timeIntervalSince1970: 2))
        #expect(bought.renewsAs == "month" && bought.offerID == "spring" && bought.expirationIntent == 1)
        #expect(
            profile.oneTimePurchases == [
                Profile.OneTimePurchase(
                    transactionID: "3", productID: "coins", quantity: 3, purchasedAt: Date(timeIntervalSince1970: 5), isConsumable: true)
            ])
    }

    @Test("A product's kind is unknown where the server does not say it", arguments: [nil, "Consumable", "Non-Consumable"])
    func kind(_ type: String?) {
        var wire = WireOneTimePurchase(
            transactionId: "3", productId: "a", quantity: 1, purchasedAtMilliseconds: 0, isRefunded: true, isSandbox: true)
        wire.type = type.map { WireProductType($0) }

        #expect(Profile.OneTimePurchase(wire).isConsumable == type.map { $0 == "Consumable" })
    }

    private func opened(_ state: LaunchState, at now: Duration) -> LaunchState {
        var state = state
        state.openAccess(.init(now: now, date: Self.date, chance: 0))
        return state
    }

    private func profile(_ state: LaunchState, at now: Duration) -> Profile? { opened(state, at: now).profileState.profile }

    private static let date = Date(timeIntervalSince1970: 0)

    @Test("A subscription ends at the server's time, and listeners are told then; in grace the App Store still grants", arguments: [true, false])
    func ends(inGrace: Bool) {
        let state = state(after: anna(subscription(inGrace ? .grace : .active)))

        #expect(opened(state, at: .zero).accessEndsAt(.zero, Self.date) == (inGrace ? nil : .seconds(3_600)))
        #expect(profile(state, at: .seconds(3_599))?.subscriptions[0].isActive == true)
        #expect(profile(state, at: .seconds(3_600))?.subscriptions[0].isActive == inGrace)
        #expect(profile(state, at: .seconds(3_600))?.subscriptions[0].state == (inGrace ? .grace : .expired))
        #expect(opened(state, at: .seconds(3_600)).accessEndsAt(.seconds(3_600), Self.date) == nil)
    }

    @Test("What the server calls active after its end stays until the server says otherwise")
    func extended() {
        let state = state(after: anna(subscription(.active, endsIn: -1)))

        #expect(profile(state, at: .seconds(3_600))?.subscriptions[0].isActive == true)
        #expect(opened(state, at: .seconds(3_600)).asksForAccessFrom(.seconds(3_600)) == nil, "Nothing is asked in vain.")
    }

    @Test("A server that knows nothing of purchases takes none away")
    func older() {
        let bought = anna(subscription(.active))

        let later = profile(state(after: bought, .anna(version: 2)), at: .zero)
        let other = profile(state(after: bought, .anna(epoch: 2, id: "bert")), at: .zero)

        #expect(later?.subscriptions.count == 1 && later?.oneTimePurchases.count == 1)
        #expect(other?.subscriptions.isEmpty == true && other?.oneTimePurchases.isEmpty == true)
    }
}
