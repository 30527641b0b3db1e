// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Purchases whose process ends", .timeLimit(.minutes(1)))
struct SaleKillTests {
    @Test("A kill while the sheet is open loses neither the purchase nor the paywall that led to it")
    func sheet() async throws {
        let shopper = Shopper()
        let client = await shopper.launchKnown()
        client.recordExposure(of: shopper.shown)
        let exposure = try #require(client.launch.read { $0.paywalls.exposures.event(of: shopper.shown) })
        shopper.store.isSilent = true
        let buying = Task { try await client.purchase("yearly", from: shopper.shown) }
        await shopper.store.waitForSheets()
        // What the disk has while the sheet is open. The person decides when the process has gone.
        shopper.store.person = .asksForApproval
        let next = await shopper.killed(client)
        _ = await buying.result
        shopper.store.approve("com.example.yearly")
        shopper.store.isSilent = false

        let later = await next.launchKnown()
        await shopper.store.waitForFinished()

        #expect(shopper.shop.reports.map(\.reason) == [.purchase])
        #expect(shopper.shop.reports.first?.transactions == [.init(jws: "h.1-0.s", exposure: exposure)])
        await later.shutdown()
    }

    @Test("The store's yes that the app never hears is reported in this launch, when the app is active again")
    func unheard() async throws {
        let shopper = Shopper()
        let client = await shopper.launchKnown()
        shopper.store.person = .buysUnheard
        let error = await #expect(throws: PurchaseError.self) { try await client.purchase("yearly", from: shopper.shown) }
        #expect(error?.isWorthRetrying == true)

        client.enteredForeground()
        await shopper.store.waitForFinished()

        #expect(shopper.shop.reports.map(\.reason) == [.purchase] && shopper.shop.stored.keys.sorted() == ["1"])
        await client.shutdown()
    }

    @Test("After a kill before the report, or before the store hears that it is done, the next launch goes on", arguments: [
        PurchaseShop.Fate.unreached, .unanswered,
    ])
    func report(fate: PurchaseShop.Fate) async throws {
        let shopper = Shopper()
        let client = await shopper.launchKnown()
        client.recordExposure(of: shopper.shown)
        let exposure = try #require(client.launch.read { $0.paywalls.exposures.event(of: shopper.shown) })
        shopper.shop.books.withLock { $0.fate = { fate } }
        let buying = Task { try await client.purchase("yearly", from: shopper.shown) }
        await shopper.phone.server.waitForRequests("POST", WirePath.purchases)
        await shopper.phone.settle()
        let next = await shopper.killed(client)
        _ = await buying.result
        shopper.shop.books.withLock { $0.fate = { .fine } }

        let later = await next.launchKnown()
        await shopper.store.waitForFinished()

        #expect(shopper.store.finished == ["1"] && shopper.shop.books.withLock { $0.credits } == ["1": 1])
        let reports = shopper.shop.reports
        #expect(reports.last?.transactions.first?.exposure == exposure)
        #expect(reports.allSatisfy { $0.reason == .purchase })
        await later.shutdown()
    }

    @Test("A purchase that is approved while the app runs, or weeks later in another launch, is reported with its paywall and finished",
        arguments: [false, true])
    func approved(later: Bool) async throws {
        let shopper = Shopper()
        let client = await shopper.launchKnown()
        client.recordExposure(of: shopper.shown)
        let exposure = try #require(client.launch.read { $0.paywalls.exposures.event(of: shopper.shown) })
        shopper.store.person = .asksForApproval
        #expect(try await client.purchase("yearly", from: shopper.shown) == .pending)
        #expect(shopper.shop.reports.isEmpty)
        await shopper.phone.storageHolds(.sales) { $0.contains(exposure) }
        await shopper.store.waitForListener()

        if later {
            let next = await shopper.killed(client)
            shopper.phone.clock.advance(by: .seconds(21 * 86_400))
            shopper.store.approve("com.example.yearly")
            let second = await next.launchKnown()
            await shopper.store.waitForFinished()
            await second.shutdown()
        } else {
            shopper.store.approve("com.example.yearly")
            await shopper.store.waitForFinished()
        }

        #expect(shopper.shop.reports.map(\.reason) == [.purchase])
        #expect(shopper.shop.reports.first?.transactions == [.init(jws: "h.1-0.s", exposure: exposure)])
        await client.shutdown()
    }

    @Test("Renewals of what was sold here are reported as nobody's claim and finished; other products are the app's own")
    func renewals() async throws {
        let shopper = Shopper()
        let client = await shopper.launchKnown()
        _ = try await client.purchase("yearly", from: shopper.shown)
        await shopper.store.waitForFinished()
        await shopper.store.waitForListener()

        shopper.store.renew("com.example.coins")
        shopper.store.renew("com.example.yearly")
        await shopper.store.waitForFinished(2)
        await shopper.phone.settle()

        #expect(shopper.shop.reports.map(\.reason) == [.purchase, .sync])
        #expect(shopper.store.finished == ["1", "3"] && shopper.store.waiting.map(\.productID) == ["com.example.coins"])
        await client.shutdown()
    }

    @Test("An app that has sold nothing with Landfall listens to nothing, and finishes nothing")
    func idle() async throws {
        let shopper = Shopper()
        shopper.store.renew("com.example.yearly")
        let client = await shopper.launchKnown()
        client.enteredForeground()
        await shopper.phone.pass(.seconds(60))

        #expect(shopper.shop.reports.isEmpty && shopper.store.finished.isEmpty)
        await client.shutdown()
    }

    @Test("An app that observes too has each purchase credited once, and finished")
    func observed() async throws {
        let shopper = Shopper()
        let client = shopper.phone.app {
            $0.products = shopper.store
            $0.transactions = shopper.history
        }
        client.observePurchases()
        client.start()
        await client.waitForProfile()

        _ = try await client.purchase("yearly", from: shopper.shown)
        client.enteredForeground()
        await shopper.store.waitForFinished()
        await shopper.phone.settle()

        #expect(shopper.shop.books.withLock { $0.credits } == ["1": 1] && shopper.store.finished == ["1"])
        let reasons = shopper.shop.reports.filter { !$0.transactions.isEmpty }.map(\.reason)
        #expect(reasons == [.purchase])
        await client.shutdown()
    }

    @Test("After forget() nothing is known of what was sold here, and what the server did not get stays with the store")
    func forgotten() async throws {
        let shopper = Shopper()
        let client = await shopper.launchKnown()
        shopper.shop.books.withLock { $0.fate = { .busy } }
        let buying = Task { try await client.purchase("yearly", from: shopper.shown, within: .zero) }
        _ = try await buying.value
        shopper.phone.server.on("DELETE", WirePath.profile) { _ in try .json(ErasureAnswer(profiles: 1, installs: 1)) }

        try await client.forget()
        await client.shutdown()

        #expect(!shopper.phone.text(of: .sales).contains("yearly"))
        #expect(shopper.store.finished.isEmpty && shopper.store.waiting.count == 1)
    }

    @Test("A disk that takes nothing does not keep the sheet closed")
    func fullDisk() async throws {
        let shopper = Shopper()
        let client = await shopper.launchKnown()
        shopper.phone.storage.isFull = true

        let result = try await client.purchase("yearly", from: shopper.shown)

        #expect(result.profile?.id == "anna")
        await shopper.store.waitForFinished()
        shopper.phone.storage.isFull = false
        await client.shutdown()
    }
}
