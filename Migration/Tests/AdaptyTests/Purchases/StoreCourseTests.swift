// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("What the store brings by itself", .timeLimit(.minutes(1)))
struct StoreCourseTests {
    @Test("What was sold before, and what renews, is finished once the server has it")
    func finished() async throws {
        let server = try SellingServer()
        server.store.renew("month")
        let client = try await server.activate()
        await server.pass { server.store.finished == ["1"] }
        await server.store.waitForListener()

        server.isBusy = true
        server.store.renew("year")
        await server.pass(.seconds(3))
        #expect(server.store.finished == ["1"], "The server does not have it.")
        server.isBusy = false
        server.store.renew("year")
        await server.pass { server.store.finished == ["1", "3"] }

        #expect(server.store.waiting.map(\.transaction.id) == ["2"], "The next launch goes on with it.")
        await client.shutdown()
    }

    @Test("What another profile owns is stored for good, and finished; what the server does not take is not", arguments: ["purchase_owned", "purchase_forged"])
    func rejected(_ code: String) async throws {
        let server = try SellingServer()
        server.rejection = code
        server.store.renew("month")
        let client = try await server.activate()

        await server.pass { !server.reports.isEmpty }
        await server.pass(.seconds(3))

        #expect(server.store.finished == (code == "purchase_owned" ? ["1"] : []))
        await client.shutdown()
    }

    @Test("With manual finishing the delegate gets each, and the app ends it")
    func manual() async throws {
        let server = try SellingServer()
        let listener = Listener()
        server.activation.delivery.setDelegate(listener, on: .main)
        server.store.renew("month")
        let client = try await server.activate { $0.with(transactionFinishBehavior: .manual) }
        await server.pass { listener.transactions.count == 1 }
        await server.pass(.seconds(3))
        #expect(server.store.finished.isEmpty)

        let transaction = try #require(listener.transactions.first)
        #expect(transaction.jwsTransaction == "h.1-0.s")
        try await server.run { try await transaction.finish() }

        #expect(server.store.finished == ["1"])
        await client.shutdown()
    }

    @Test("Unfinished transactions can be listed; one that the server cannot be asked about stays unfinished")
    func listed() async throws {
        let server = try SellingServer()
        server.store.renew("month")
        let client = try await server.activate { $0.with(observerMode: true) }
        let activation = server.activation
        let unfinished = try await server.run { try await activation.unfinishedTransactions() }
        #expect(unfinished.map(\.jwsTransaction) == ["h.1-0.s"])

        server.isBusy = true
        let error = await #expect(throws: AdaptyError.self) { try await server.run { try await unfinished[0].finish() } }
        #expect(error?.adaptyErrorCode == .serverError && server.store.finished.isEmpty)
        server.isBusy = false
        try await server.run { try await unfinished[0].finish() }

        #expect(server.store.finished == ["1"])
        await client.shutdown()
    }

    @Test("A promoted product is bought if the delegate, or its default, says so", arguments: [true, false, nil])
    func promoted(answer: Bool?) async throws {
        let server = try SellingServer()
        let listener = Listener(buys: answer ?? true)
        if answer != nil { server.activation.delivery.setDelegate(listener, on: .main) }
        let client = try await server.activate()
        await server.store.waitForPromotionListener()

        server.store.promote("year")
        await server.pass(.seconds(3))

        #expect(server.store.sheets.map(\.productID) == (answer == false ? [] : ["year"]))
        guard answer != nil else { return await client.shutdown() }
        let product = try #require(listener.products.first)
        #expect(product.vendorProductId == "year" && product.localizedPrice == "39,99 €" && product.localizedTitle == "Yearly")
        #expect(product.subscriptionPeriod == AdaptySubscriptionPeriod(unit: .year, numberOfUnits: 1) && product.promotionalOfferId == nil)
        await client.shutdown()
    }

    @Test("A delegate needs only the profile's method; a promoted purchase goes on by default")
    func delegateDefaults() {
        final class Minimal: AdaptyDelegate {
            func didLoadLatestProfile(_ profile: AdaptyProfile) {}
        }

        #expect(Minimal().shouldAddStorePayment(for: AdaptyDeferredProduct("year")))
    }
}

/// `@unchecked Sendable`: every access to `heard` holds `lock`.
private final class Listener: AdaptyDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private let buys: Bool
    private var heard: (transactions: [AdaptyUnfinishedTransaction], products: [AdaptyDeferredProduct]) = ([], [])

    init(buys: Bool = true) { self.buys = buys }

    var transactions: [AdaptyUnfinishedTransaction] { lock.withLock { heard.transactions } }
    var products: [AdaptyDeferredProduct] { lock.withLock { heard.products } }

    func didLoadLatestProfile(_ profile: AdaptyProfile) {}

    func onUnfinishedTransaction(_ transaction: AdaptyUnfinishedTransaction) {
        MainActor.preconditionIsolated("a delegate is called on the main thread")
        lock.withLock { heard.transactions.append(transaction) }
    }

    func shouldAddStorePayment(for product: AdaptyDeferredProduct) -> Bool {
        lock.withLock { heard.products.append(product) }
        return buys
    }
}
