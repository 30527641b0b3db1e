// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("One transaction that an app asks about", .timeLimit(.minutes(1)))
struct VerifyingTests {
    private let phone = Phone()
    private let store = ScriptedTransactions()
    private let shop: PurchaseShop

    init() {
        shop = PurchaseShop(on: phone)
        phone.firstOpen { try .lines([.profile(.anna()), .attribution(.notAttributed), .end(.final)]) }
    }

    private func launch(_ change: (inout LandfallConfiguration) -> Void = { _ in }) async -> LandfallClient {
        let client = phone.app {
            $0.transactions = store
            change(&$0)
        }
        client.start()
        await client.waitForProfile()
        return client
    }

    /// As the App Store would sign it for this product.
    private func sold(_ id: Int, _ product: String) -> StoreTransaction {
        let payload = Data(#"{"productId":"\#(product)"}"#.utf8).base64EncodedString()
        return StoreTransaction(id: "\(id)", jws: "h.\(payload).s", signedAt: Date(timeIntervalSince1970: 1_790_000_000))
    }

    @Test("is sent alone, claims nothing, and is genuine once the server has stored it")
    func genuine() async throws {
        store.add(.bought(1))
        store.add(.bought(2))
        let client = await launch()
        shop.books.withLock { $0.person = .anna(version: 5) }

        #expect(try await client.verifyPurchase("1") == .genuine)

        #expect(shop.reports.map(\.reason) == [.sync] && shop.reports.map(\.historyComplete) == [false])
        #expect(shop.reports[0].transactions.map(\.jws) == ["h.1-0.s"])
        #expect(client.profile?.version == 5)
        await client.shutdown()
    }

    @Test("of a product is genuine for that product alone", arguments: [("year", PurchaseVerdict.genuine), ("month", .otherProduct)])
    func product(name: String, verdict: PurchaseVerdict) async throws {
        let client = await launch()
        phone.server.on("POST", WirePath.purchases) { _ in
            try .json(PurchaseAnswer(results: [.init(transactionId: "1", status: .accepted)], profile: .anna(version: 2)))
        }
        store.add(sold(1, "year"))

        #expect(try await client.verifyPurchase("1", of: name) == verdict)
        await client.shutdown()
    }

    @Test(
        "that the server rejects has its code for a verdict, and is not sent again in this launch",
        arguments: [PurchaseVerdict.forged, .foreign, .environment, .owned, PurchaseVerdict(rawValue: "later_code")])
    func rejected(_ verdict: PurchaseVerdict) async throws {
        store.add(.bought(1))
        let client = await launch()
        phone.server.on("POST", WirePath.purchases) { _ in
            let result = PurchaseAnswer.Result(transactionId: "1", status: .rejected, code: ErrorCode(verdict.rawValue))
            return try .json(PurchaseAnswer(results: [result], profile: .anna(version: 2)))
        }

        #expect(try await client.verifyPurchase("1", of: "year") == verdict)
        client.observePurchases()
        await phone.settle()

        let sent = try phone.server.requests("POST", WirePath.purchases).map {
            try WireCoding.decode(PurchaseReport.self, from: $0.body ?? Data()).transactions.count
        }
        #expect(sent.reduce(0, +) == 1)
        await client.shutdown()
    }

    @Test("that the store does not have is not found, and the newest of two signatures counts")
    func newest() async throws {
        store.add(.bought(1, signed: 10))
        let client = await launch()

        #expect(try await client.verifyPurchase("2") == .notFound)
        #expect(try await client.verifyPurchase("1") == .genuine)

        #expect(shop.stored == ["1": 10] && shop.reports.count == 1)
        await client.shutdown()
    }

    @Test("stays unknown without a store, after an opt-out and while the server fails")
    func unknown() async throws {
        store.add(.bought(1))
        let client = await launch()
        shop.books.withLock { $0.fate = { .busy } }
        let busy = await #expect(throws: LandfallError.self) { try await client.verifyPurchase("1") }
        #expect(busy?.isWorthRetrying == true)
        client.collection = .off
        let off = await #expect(throws: LandfallError.self) { try await client.verifyPurchase("1") }
        #expect(off?.kind == .invalidArgument)
        await client.shutdown()

        let storeless = await launch { $0.transactions = nil }
        let none = await #expect(throws: LandfallError.self) { try await storeless.verifyPurchase("1") }
        #expect(none?.kind == .invalidArgument)
        await storeless.shutdown()
    }

    @Test("A text that nobody could have signed names no product", arguments: ["", "h", "h.p", "h.!.s", "h.e30.s", "h.W10.s", "a.b.c.d"])
    func unreadable(_ jws: String) {
        #expect(StoreTransaction(id: "1", jws: jws, signedAt: .distantPast).signedProductID == nil)
        #expect(sold(1, "??>>").signedProductID == "??>>")
    }
}
