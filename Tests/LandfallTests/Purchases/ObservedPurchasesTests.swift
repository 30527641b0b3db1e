// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Purchases that an app observes", .timeLimit(.minutes(1)))
struct ObservedPurchasesTests {
    private let phone = Phone()
    private let store = ScriptedTransactions()
    private let shop: PurchaseShop

    init() {
        shop = PurchaseShop(on: phone)
        phone.firstOpen { try .lines([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)]) }
    }

    private func launch(_ change: (inout LandfallConfiguration) -> Void = { _ in }) -> LandfallClient {
        let client = phone.app {
            $0.transactions = store
            change(&$0)
        }
        client.observePurchases()
        client.start()
        return client
    }

    private func waitForReports(_ count: Int = 1) async {
        await phone.server.waitForRequests("POST", WirePath.purchases, count: count)
        await phone.settle()
    }

    @Test("At the first start the whole history leaves in batches, and the first open announces it")
    func history() async throws {
        for id in 0..<120 { store.add(.bought(id, signed: id)) }
        let client = launch()

        await waitForReports(3)

        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).purchases == .coming)
        #expect(shop.sizes == [50, 50, 20])
        #expect(shop.reports.map(\.historyComplete) == [false, false, true])
        #expect(shop.reports.allSatisfy { $0.reason == .sync })
        #expect(shop.stored.count == 120)
        #expect(!client.launch.read { $0.profileState.arePurchasesComing(phone.clock.now.offset) })
        await client.shutdown()
    }

    @Test("A person without purchases costs one empty report, once")
    func nothing() async throws {
        let first = launch()
        await waitForReports()
        await phone.storageHolds(.purchases) { $0.contains(#""isComplete":true"#) }
        await first.shutdown()

        let second = launch()
        await phone.waitForFirstOpen(count: 2)
        await phone.settle()

        #expect(shop.sizes == [0] && shop.reports.first?.historyComplete == true)
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.last).purchases == PurchaseNews.none)
        await second.shutdown()
    }

    @Test("Later launches send only what is new")
    func later() async throws {
        store.add(.bought(1))
        let first = launch()
        await waitForReports()
        await phone.storageHolds(.purchases) { $0.contains(#""isComplete":true"#) }
        await first.shutdown()
        store.add(.bought(2, signed: 5))

        let second = launch()
        await waitForReports(2)

        #expect(shop.reports.map { $0.transactions.map(\.jws) } == [["h.1-0.s"], ["h.2-5.s"]])
        await second.shutdown()
    }

    @Test("What the store reports is sent at once; what the app sold itself when the app is active again")
    func news() async throws {
        let client = launch()
        await waitForReports()
        await store.waitForListener()

        store.add(.bought(1))
        await waitForReports(2)
        store.add(.bought(2), isReported: false)
        await phone.settle()
        #expect(shop.stored.keys.sorted() == ["1"])
        client.enteredForeground()
        await waitForReports(3)

        #expect(shop.stored.keys.sorted() == ["1", "2"])
        await client.shutdown()
    }

    @Test("Without observePurchases() nothing is read or sent, and the first open says that none will come")
    func unobserved() async throws {
        store.add(.bought(1))
        let client = phone.app { $0.transactions = store }
        client.start()
        await phone.waitForFirstOpen()
        client.enteredForeground()
        await phone.settle()

        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).purchases == PurchaseNews.none)
        #expect(shop.reports.isEmpty)
        await client.shutdown()
    }

    @Test("A platform without a store says so, and nothing waits for it")
    func withoutStore() async throws {
        let client = phone.app()
        client.observePurchases()
        client.start()
        await phone.waitForFirstOpen()

        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).purchases == PurchaseNews.none)
        #expect(phone.log.warnings.count { $0.contains("observePurchases()") } == 1)
        await client.shutdown()
    }

    @Test("The first paywall is no later for it, even if the store never answers")
    func firstFrame() async throws {
        store.isSilent = true
        let client = launch()

        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))

        await store.waitForReads()
        #expect(shown.paywall?.name == .default && shown.elapsed == .zero)
        #expect(shop.reports.isEmpty)
        await client.shutdown()
        store.isSilent = false
    }

    @Test("With collection off nothing is sent and nothing waits; switched on, it is sent")
    func off() async throws {
        store.add(.bought(1))
        let client = launch { $0.collection = .off }
        await phone.waitForFirstOpen()
        await phone.settle()
        #expect(try phone.sent(FirstOpenRequest.self, phone.firstOpenRequests.first).purchases == PurchaseNews.none)
        #expect(shop.reports.isEmpty)

        client.collection = .essential
        await waitForReports()

        #expect(shop.stored.keys.sorted() == ["1"])
        await client.shutdown()
    }

    @Test("A server that is busy gets it later, and days without a network lose nothing")
    func retries() async throws {
        store.add(.bought(1))
        shop.books.withLock { $0.fate = { .busy } }
        let client = launch()
        await waitForReports()
        phone.server.isOffline = true
        shop.books.withLock { $0.fate = { .fine } }
        await phone.pass(.seconds(3 * 86_400), in: .seconds(3_600))
        #expect(shop.reports.isEmpty)

        phone.server.isOffline = false
        await phone.pass(.seconds(1_200))

        #expect(shop.stored.keys.sorted() == ["1"] && shop.reports.count == 1)
        await client.shutdown()
    }

    @Test("A server without this call is asked once, and the log says it")
    func older() async throws {
        store.add(.bought(1))
        shop.books.withLock { $0.refusal = { _ in .notFound } }
        let client = launch()
        await waitForReports()
        client.enteredForeground()
        await phone.pass(.seconds(3_600))

        #expect(phone.server.requests("POST", WirePath.purchases).count == 1)
        #expect(phone.log.warnings.contains { $0.contains("not_found") })
        await client.shutdown()
    }

    @Test("Rejected transactions are named in the log, and the others count")
    func rejected() async throws {
        store.add(.bought(1))
        store.add(.bought(2))
        shop.books.withLock { $0.rejected = ["1"] }
        let client = launch()
        await waitForReports()

        #expect(shop.stored.keys.sorted() == ["2"])
        #expect(phone.log.warnings.contains { $0.contains("1 of 2 transactions (purchase_forged)") })
        await client.shutdown()
    }

    @Test("For another person the history is sent again, so that the server decides whose it is")
    func person() async throws {
        store.add(.bought(1))
        let client = launch()
        await waitForReports()
        let bert = WireProfile.anna(epoch: 2, id: "bert")
        shop.books.withLock { $0.person = bert }
        phone.server.on("POST", WirePath.logout) { _ in
            try .json(ProfileAnswer(profile: bert, attribution: .notAttributed))
        }

        try await client.logOut()
        await waitForReports(2)

        #expect(shop.reports.map { $0.transactions.map(\.jws) } == [["h.1-0.s"], ["h.1-0.s"]])
        await client.shutdown()
    }

    @Test("After forget() the phone keeps nothing of it")
    func forgotten() async throws {
        store.add(.bought(1))
        let client = launch()
        await waitForReports()
        await phone.storageHolds(.purchases) { $0.contains(#"{"1":"#) }
        phone.server.on("DELETE", WirePath.profile) { _ in try .json(ErasureAnswer(profiles: 1, installs: 1)) }

        try await client.forget()
        await client.shutdown()

        #expect(!phone.text(of: .purchases).contains(#"{"1":"#))
        #expect(shop.reports.count == 1)
    }
}
