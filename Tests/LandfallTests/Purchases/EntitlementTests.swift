// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Access by what the store on the phone has verified", .timeLimit(.minutes(1)))
struct EntitlementTests {
    private let phone = Phone()
    private let store = ScriptedTransactions()
    private static let day: TimeInterval = 86_400

    private var calendar: Int64 { phone.clock.date.unixMilliseconds }
    private var date: Date { phone.clock.date }

    /// The app is opened; without a profile there is no network.
    private func launch(
        _ profile: WireProfile?, observing: Bool = false, _ change: (inout LandfallConfiguration) -> Void = { _ in }
    ) async -> LandfallClient {
        if let profile {
            phone.firstOpen { try .lines([.profile(profile), .attribution(.notAttributed), .end(.final)]) }
        } else {
            phone.firstOpen { throw TransportError(.offline) }
        }
        let client = phone.app {
            $0.transactions = store
            change(&$0)
        }
        if observing { client.observePurchases() }
        client.start()
        await client.waitForProfile()
        await phone.settle()
        return client
    }

    private func isOpen(_ client: LandfallClient, _ level: String = "premium") -> Bool { client.profile?.access(level).isActive == true }

    @Test("A renewal that the server has not heard of opens on without a network until its own end, in the next launch too")
    func renewed() async {
        let first = await launch(.payer(at: calendar, endsIn: 3_600_000))
        phone.server.isOffline = true
        await phone.pass(.seconds(3_000))
        store.entitlements = [.listed(2, of: 1, signed: date, lasts: Self.day)]
        first.enteredForeground()
        await phone.pass(.seconds(3_600))
        #expect(isOpen(first))
        let end = first.profile?.access("premium").endsAt ?? .distantFuture
        #expect(abs(end.timeIntervalSince(date - 3_600 + Self.day)) < 0.01, "Stored in milliseconds.")
        await phone.storageHolds(.purchases) { $0.contains("yearly") }
        await first.shutdown()
        store.isSilent = true

        let second = await launch(nil)
        #expect(isOpen(second))
        await phone.pass(.seconds(Self.day - 3_599))

        #expect(!isOpen(second))
        store.isSilent = false
        await second.shutdown()
    }

    @Test("A store that lists nothing takes nothing away before the end, neither the server's nor the one that it listed before")
    func empty() async {
        store.entitlements = [.listed(2, of: 1, signed: date, lasts: Self.day)]
        let first = await launch(.payer(at: calendar, endsIn: 3_600_000))
        await phone.storageHolds(.purchases) { $0.contains("yearly") }
        store.entitlements = []
        first.enteredForeground()
        await phone.pass(.seconds(60))
        let end = first.profile?.access("premium").endsAt ?? .distantFuture
        #expect(isOpen(first) && abs(end.timeIntervalSince(date - 60 + Self.day)) < 0.01)
        await first.shutdown()

        let second = await launch(nil)
        await phone.pass(.seconds(7_200))

        #expect(isOpen(second))
        await second.shutdown()
    }

    @Test(
        "A refund that the server has told wins over an older list, and a newer signature over the refund",
        arguments: [(-1, false), (0, false), (1, true)])
    func revoked(secondsAfter: Int, isOpen: Bool) async {
        var profile = WireProfile.payer(at: calendar, endsIn: 3_600_000, state: .revoked)
        profile.subscriptions = [
            WireSubscription(
                productId: "yearly", transactionId: "2", originalTransactionId: "1", state: .revoked, isActive: false,
                startedAtMilliseconds: calendar, startsAtMilliseconds: calendar + 10_000, endsAtMilliseconds: calendar + 3_600_000)
        ]
        store.entitlements = [.listed(2, of: 1, signed: date + TimeInterval(secondsAfter), lasts: Self.day)]

        let client = await launch(profile)

        #expect(self.isOpen(client) == isOpen)
        await client.shutdown()
    }

    @Test("A purchase that never ends and was refunded opens nothing more, although the store still lists it")
    func refunded() async {
        var profile = WireProfile.payer(at: calendar, endsIn: 0, state: .expired)
        profile.oneTimePurchases = [
            WireOneTimePurchase(
                transactionId: "7", productId: "yearly", quantity: 1, purchasedAtMilliseconds: calendar - 5, isRefunded: true,
                isSandbox: false)
        ]
        store.entitlements = [.listed(7, signed: date - 5, lasts: nil)]
        let client = await launch(profile)
        #expect(!isOpen(client))

        store.entitlements.append(.listed(8, signed: date - 4, lasts: nil))
        client.enteredForeground()
        await phone.settle()

        #expect(isOpen(client) && client.profile?.access("premium").endsAt == nil)
        await client.shutdown()
    }

    @Test("Once the server has the purchase, its word counts alone: another person owns it, or the product opens nothing")
    func answered() async {
        let shop = PurchaseShop(on: phone)
        var profile = WireProfile.anna()
        profile.asOfMilliseconds = calendar - 600_000
        profile.accessLevels = [:]
        let said = profile
        shop.books.withLock {
            $0.person = said
            $0.fate = { .busy }
        }
        store.add(.bought(2))
        store.entitlements = [.listed(2, signed: StoreTransaction.bought(2).signedAt, lasts: nil)]
        let client = await launch(profile, observing: true) { $0.accessProducts = ["premium": ["yearly"]] }
        await phone.server.waitForRequests("POST", WirePath.purchases)
        await phone.settle()
        #expect(isOpen(client), "A server that is busy takes nothing away.")

        shop.books.withLock { $0.fate = { .fine } }
        await phone.pass(.seconds(5))

        #expect(shop.stored["2"] != nil && !isOpen(client))
        await client.shutdown()
    }

    @Test("What the server rejects opens nothing; a report that it cannot read takes nothing away", arguments: [true, false])
    func rejected(isRead: Bool) async {
        let shop = PurchaseShop(on: phone)
        shop.books.withLock {
            $0.rejected = ["2"]
            if !isRead { $0.refusal = { _ in .invalidValue } }
        }
        store.add(.bought(2))
        store.entitlements = [.listed(2, signed: StoreTransaction.bought(2).signedAt, lasts: nil)]

        let client = await launch(.anna(), observing: true) { $0.accessProducts = ["premium": ["yearly"]] }
        await phone.server.waitForRequests("POST", WirePath.purchases)
        await phone.pass(.seconds(5))

        #expect(isOpen(client) == !isRead)
        await client.shutdown()
    }

    @Test("What the server has never named opens what the app says, and nothing else")
    func unnamed() async {
        store.entitlements = [.listed(1, product: "monthly", signed: date, lasts: Self.day)]
        let without = await launch(.payer(at: calendar, endsIn: 0, state: .expired))
        #expect(!isOpen(without))
        await without.shutdown()

        let with = await launch(.payer(at: calendar, endsIn: 0, state: .expired)) {
            $0.accessProducts = ["premium": ["monthly"], "gold": ["gold"]]
        }

        #expect(isOpen(with) && !isOpen(with, "gold"))
        #expect(with.profile?.access("premium").productID == "monthly")
        await with.shutdown()
    }

    @Test("With collection off the store alone counts, and nothing is sent")
    func off() async {
        let shop = PurchaseShop(on: phone)
        store.add(.bought(1))
        let client = await launch(.payer(at: calendar, endsIn: nil), observing: true) { $0.collection = .off }
        #expect(!isOpen(client))

        store.entitlements = [.listed(1, signed: StoreTransaction.bought(1).signedAt, lasts: nil)]
        client.enteredForeground()
        await phone.settle()

        #expect(isOpen(client))
        store.add(StoreTransaction(id: "1", jws: "h.1-9.s", signedAt: date, isRevoked: true))
        store.entitlements = []
        client.enteredForeground()
        await phone.settle()
        #expect(!isOpen(client) && shop.reports.isEmpty)
        client.collection = .full
        #expect(isOpen(client), "The server's word counts again.")
        await client.shutdown()
    }

    @Test("Without a server's time it ends by the calendar, which is not before what the store has signed", arguments: [0, -30])
    func calendarOnly(days: Int) async {
        var profile = WireProfile.anna()
        profile.asOfMilliseconds = nil
        store.entitlements = [.listed(1, signed: date, lasts: 60), .listed(5, product: "other", signed: date + 30, lasts: nil)]
        let client = await launch(profile) { $0.accessProducts = ["premium": ["yearly"], "other": ["other"]] }
        phone.clock.moveCalendar(by: .seconds(days * 86_400))
        #expect(isOpen(client))

        store.entitlements.append(.listed(6, product: "other", signed: date + TimeInterval(60 - days * 86_400), lasts: nil))
        client.enteredForeground()
        await phone.settle()

        #expect(!isOpen(client))
        await client.shutdown()
    }

    @Test("What is listed is the phone's own affair: it is not lost with the person, and it is bounded")
    func memory() {
        var memory = PurchaseMemory(of: "anna")
        _ = memory.belongs(to: "i_anna", epoch: 1)
        let all = (0..<(PurchaseMemory.mostEntitlements + 2)).map {
            Entitlement(.listed($0, signed: Date(timeIntervalSince1970: Double($0)), lasts: nil))
        }

        memory.list(all)
        memory.list([Entitlement(.listed(50, signed: .distantPast, lasts: 1))])
        _ = memory.belongs(to: "s_bert", epoch: 2)

        #expect(Set(memory.entitlements.values) == Set(all.dropFirst(2)))
    }
}
