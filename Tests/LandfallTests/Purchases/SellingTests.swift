// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Purchases that the app makes with Landfall", .timeLimit(.minutes(1)))
struct SellingTests {
    private let shopper = Shopper()
    private var phone: Phone { shopper.phone }
    private var store: ScriptedProducts { shopper.store }
    private var shop: PurchaseShop { shopper.shop }
    private var shown: PaywallResult { shopper.shown }

    @Test("A purchase carries the person's token, is reported with the paywall that led to it, and opens what the server says")
    func bought() async throws {
        let client = await shopper.launchKnown()
        client.recordExposure(of: shown)
        shop.books.withLock { $0.person = .payer }

        let result = try await client.purchase("yearly", from: shown)

        let profile = try #require(result.profile)
        #expect(profile.access("premium").isActive && client.profile?.access("premium").isActive == true)
        #expect(store.sheets == [.init(productID: "com.example.yearly", token: Shopper.token)])
        #expect(shop.reports.map(\.reason) == [.purchase])
        let exposure = try #require(client.launch.read { $0.paywalls.exposures.event(of: shown) })
        #expect(shop.reports.first?.transactions == [.init(jws: "h.1-0.s", exposure: exposure)])
        await store.waitForFinished()
        #expect(store.finished == ["1"] && client.launch.read { $0.sales.waitingCount } == 0)
        await client.shutdown()
    }

    @Test("Nothing is finished before the server has it on disk; while it is busy or unreached the purchase stays with the store",
        arguments: [PurchaseShop.Fate.busy, .unreached, .unanswered])
    func unanswered(fate: PurchaseShop.Fate) async throws {
        let client = await shopper.launchKnown()
        shop.books.withLock { $0.fate = { fate } }
        let buying = Task { try await client.purchase("yearly", from: shown, within: .seconds(10)) }
        await phone.server.waitForRequests("POST", WirePath.purchases)

        await phone.pass(.seconds(10))

        let profile = try #require(try await buying.value.profile)
        #expect(profile.id == "anna" && !profile.access("premium").isActive)
        #expect(store.finished.isEmpty && store.waiting.count == 1)
        shop.books.withLock { $0.fate = { .fine } }
        await phone.pass(.seconds(60))
        #expect(store.finished == ["1"] && shop.books.withLock { $0.credits } == ["1": 1])
        await client.shutdown()
    }

    @Test("A server that answers the second time, within the limit, answers the call")
    func secondTime() async throws {
        let client = await shopper.launchKnown()
        shop.books.withLock {
            $0.fate = { .busy }
            $0.person = .payer
        }
        let buying = Task { try await client.purchase("yearly", from: shown) }
        await phone.server.waitForRequests("POST", WirePath.purchases)
        await phone.settle()
        shop.books.withLock { $0.fate = { .fine } }

        await phone.pass(.seconds(2))

        let profile = try #require(try await buying.value.profile)
        #expect(profile.access("premium").isActive)
        await client.shutdown()
    }

    @Test("Accepted, known before and another's: finished. Forged, foreign and of another environment: never")
    func verdicts() async throws {
        let codes: [(ErrorCode, PurchaseError, isFinished: Bool)] = [
            (ErrorCode("purchase_owned"), .ownedByAnother, true), (ErrorCode("purchase_forged"), .rejected(ErrorCode("purchase_forged")), false),
            (ErrorCode("purchase_foreign"), .rejected(ErrorCode("purchase_foreign")), false), (ErrorCode("purchase_environment"), .rejected(ErrorCode("purchase_environment")), false),
        ]
        for (code, error, isFinished) in codes {
            let shopper = Shopper()
            shopper.phone.server.on("POST", WirePath.purchases) { _ in
                try .json(PurchaseAnswer(results: [.init(status: .rejected, code: code)], profile: .customer))
            }
            let client = await shopper.launchKnown()

            await #expect(throws: error) { try await client.purchase("yearly", from: shopper.shown) }

            await shopper.phone.settle()
            client.enteredForeground()
            await shopper.phone.pass(.seconds(60))
            #expect(shopper.store.finished == (isFinished ? ["1"] : []), "\(code)")
            #expect(shopper.phone.server.requests("POST", WirePath.purchases).count == 1)
            await client.shutdown()
        }
    }

    @Test("The person's no changes nothing, and the next purchase is their first")
    func cancelled() async throws {
        let client = await shopper.launchKnown()
        client.recordExposure(of: shown)
        store.person = .cancels

        #expect(try await client.purchase("yearly", from: shown) == .cancelled)

        await phone.storageHolds(.sales) { $0.contains(#""isOpen":false"#) && !$0.contains("exposure") }
        #expect(shop.reports.isEmpty)
        store.person = .buys
        #expect(try await client.purchase("yearly", from: shown) == .purchased(try #require(client.profile)))
        await client.shutdown()
    }

    @Test("What the store cannot verify opens nothing, is not reported and not finished")
    func unverified() async throws {
        let client = await shopper.launchKnown()
        store.person = .buysUnverified

        await #expect(throws: PurchaseError.unverified("invalidSignature")) { try await client.purchase("yearly", from: shown) }

        await phone.settle()
        #expect(shop.reports.isEmpty && store.finished.isEmpty)
        await client.shutdown()
    }

    @Test("Two calls for one product are one sheet and one answer; another product has to wait")
    func twice() async throws {
        let client = await shopper.launchKnown()
        store.isSilent = true
        let first = Task { try await client.purchase("yearly", from: shown) }
        await store.waitForSheets()
        let second = Task { try await client.purchase("com.example.yearly") }
        await phone.settle()

        await #expect(throws: PurchaseError.underWay("com.example.yearly")) { try await client.purchase("monthly", from: shown) }
        store.isSilent = false

        #expect(try await first.value == second.value)
        #expect(store.sheets.count == 1 && shop.books.withLock { $0.credits } == ["1": 1])
        #expect(client.runningOperations == 0)
        await client.shutdown()
    }

    @Test("A caller that gives up does not close the sheet: the purchase is reported and finished without it")
    func abandoned() async throws {
        let client = await shopper.launchKnown()
        store.isSilent = true
        let buying = Task { try await client.purchase("yearly", from: shown) }
        await store.waitForSheets()
        buying.cancel()
        await #expect(throws: CancellationError.self) { try await buying.value }

        store.isSilent = false

        await store.waitForFinished()
        #expect(shop.stored.keys.sorted() == ["1"])
        await client.shutdown()
    }

    @Test("Before the server's first answer the sheet waits 2 s for the person's token, and then opens without it")
    func tokenless() async throws {
        let phone = phone
        phone.firstOpen { try await phone.never() }
        let client = shopper.launch()
        let buying = Task { try await client.purchase("com.example.yearly", within: .seconds(3)) }
        await phone.pass(.milliseconds(1_900))
        #expect(store.sheets.isEmpty)

        await phone.pass(.milliseconds(200))

        #expect(store.sheets == [.init(productID: "com.example.yearly", token: nil)])
        await phone.pass(.seconds(3))
        let profile = try #require(try await buying.value.profile)
        #expect(profile.version == 0 && profile.installID == "anna")
        #expect(store.finished.isEmpty)
        await client.shutdown()
    }

    @Test("A profile that comes in time gives the sheet its token")
    func tokenInTime() async throws {
        let phone = phone
        phone.firstOpen {
            try await phone.clock.sleep(for: .seconds(1))
            return try .lines([.profile(.customer), .attribution(.notAttributed), .end(.final)])
        }
        let client = shopper.launch()
        let buying = Task { try await client.purchase("com.example.yearly") }

        await phone.pass(.seconds(1))

        #expect(try await buying.value == .purchased(try #require(client.profile)))
        #expect(store.sheets.first?.token == Shopper.token)
        await client.shutdown()
    }

    @Test("With collection off the person buys, the server hears nothing and nothing is finished; switched on, it is sent")
    func off() async throws {
        let client = await shopper.launchKnown { $0.collection = .off }

        #expect(try await client.purchase("yearly", from: shown) == .purchased(try #require(client.profile)))

        await phone.pass(.seconds(60))
        #expect(shop.reports.isEmpty && store.finished.isEmpty)
        client.collection = .essential
        await store.waitForFinished()
        #expect(shop.stored.keys.sorted() == ["1"])
        await client.shutdown()
    }

    @Test("A name is a product id of the paywall, or the end behind a dot of exactly one")
    func names() throws {
        let paywall = Paywall(name: "a", variationID: "a", productIDs: ["yearly", "com.a.yearly", "com.b.month", "com.c.month", "com.d.coins"])

        #expect(try paywall.productID(named: "yearly") == "yearly")
        #expect(try paywall.productID(named: "coins") == "com.d.coins")
        #expect(try paywall.productID(named: "d.coins") == "com.d.coins")
        for name in ["month", "oins", "", "weekly"] {
            #expect(throws: PurchaseError.productUnknown(name, of: paywall.productIDs)) { try paywall.productID(named: name) }
        }
    }

    @Test("Mistakes of the app are told before a sheet opens")
    func mistakes() async throws {
        let client = await shopper.launchKnown()
        await #expect(throws: PurchaseError.productUnknown("weekly", of: ["com.example.yearly", "com.example.monthly"])) {
            try await client.purchase("weekly", from: shown)
        }
        await #expect(throws: PurchaseError.notForSale(["com.example.weekly"])) { try await client.purchase("com.example.weekly") }
        #expect(store.sheets.isEmpty)
        #expect(client.launch.read { $0.sales.memory.offers["com.example.weekly"]?.isOpen } == false)
        _ = try await client.purchase("yearly", from: shown)
        #expect(phone.log.warnings.contains { $0.contains("recordExposure(of:)") })
        await client.shutdown()
        await #expect(throws: LandfallError(.shutDown)) { try await client.purchase("yearly", from: shown) }

        let without = shopper.launch { $0.products = nil }
        let error = await #expect(throws: LandfallError.self) { try await without.purchase("yearly", from: shown) }
        #expect(error?.kind == .invalidArgument)
        await without.shutdown()
    }

    @Test("Not started, a purchase says so and opens no sheet; shut down, a waiting one ends")
    func ends() async throws {
        let early = phone.app { $0.products = store }
        let waiting = Task { try await early.purchase("com.example.yearly") }
        await phone.pass(.seconds(2))
        let error = await #expect(throws: LandfallError.self) { try await waiting.value }
        #expect(error?.kind == .notStarted && store.sheets.isEmpty)
        await early.shutdown()

        store.isSilent = true
        let client = await shopper.launchKnown()
        let buying = Task { try await client.purchase("yearly", from: shown) }
        await store.waitForSheets()
        await client.shutdown()
        await #expect(throws: LandfallError(.shutDown)) { try await buying.value }
        store.isSilent = false
    }

    @Test("A server that takes no reports answers no purchase, and the store keeps it")
    func older() async throws {
        shop.books.withLock { $0.refusal = { _ in .notFound } }
        let client = await shopper.launchKnown()

        #expect(try await client.purchase("yearly", from: shown) == .purchased(try #require(client.profile)))
        #expect(try await client.purchase("monthly", from: shown) == .purchased(try #require(client.profile)))

        #expect(phone.server.requests("POST", WirePath.purchases).count == 1 && store.waiting.count == 2)
        await client.shutdown()
    }

    @Test("Each error says what to do", arguments: [
        PurchaseError.productUnknown("a", of: ["b"]), .notForSale(["a"]), .notAllowed, .underWay("a"), .network("Gone."), .store("Gone."),
        .unverified("why"), .rejected(ErrorCode("purchase_forged")), .ownedByAnother,
    ])
    func texts(error: PurchaseError) {
        #expect(error.description.count > 60 && error.description.hasSuffix("."))
        #expect(!error.description.contains("..") && error.localizedDescription == error.description)
    }
}
