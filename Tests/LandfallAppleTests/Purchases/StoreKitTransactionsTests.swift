// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit) && os(Linux)  // The stand-in: Apple's own store takes no script.
import Foundation
import LandfallApple
import LandfallTesting
import LandfallWire
import StoreKit
import Testing

/// One after the other, because the store belongs to the process.
@Suite("Transactions from StoreKit", .serialized, .timeLimit(.minutes(1)))
struct StoreKitTransactionsTests {
    private static let first = Transaction(id: 1, signedDate: Date(timeIntervalSince1970: 5), jws: "h.1.s")
    private static let second = Transaction(id: 2, signedDate: Date(timeIntervalSince1970: 6), jws: "h.2.s")

    init() { TransactionScript.reset() }

    @Test("The history has every transaction as it was signed, those too that the phone cannot verify")
    func history() async {
        TransactionScript.history = [.verified(Self.first), .unverified(Self.second, .invalidSignature)]
        var found: [StoreTransaction] = []

        for await transaction in StoreKitTransactions().history() { found.append(transaction) }

        #expect(
            found == [
                StoreTransaction(id: "1", jws: "h.1.s", signedAt: Date(timeIntervalSince1970: 5)),
                StoreTransaction(id: "2", jws: "h.2.s", signedAt: Date(timeIntervalSince1970: 6)),
            ])
    }

    @Test("What was refunded is known to be so only if the phone has verified it")
    func revoked() async {
        var refunded = Self.first
        refunded.revocationDate = Date(timeIntervalSince1970: 9)
        TransactionScript.history = [.verified(Self.second), .verified(refunded), .unverified(refunded, .invalidSignature)]
        var found: [Bool] = []

        for await transaction in StoreKitTransactions().history() { found.append(transaction.isRevoked) }

        #expect(found == [false, true, false])
    }

    @Test("An entitlement is what the phone has verified: a subscription with its end, or what never ends")
    func entitlements() async {
        var subscription = Transaction(id: 3, productID: "yearly", signedDate: Date(timeIntervalSince1970: 7))
        subscription.originalID = 1
        subscription.purchaseDate = Date(timeIntervalSince1970: 6)
        subscription.expirationDate = Date(timeIntervalSince1970: 8)
        subscription.environment = .sandbox
        func other(_ id: UInt64, _ type: Product.ProductType) -> Transaction {
            var transaction = Transaction(id: id, productID: "other", signedDate: Date(timeIntervalSince1970: 5))
            transaction.productType = type
            return transaction
        }
        var refunded = other(8, .nonConsumable)
        refunded.revocationDate = Date(timeIntervalSince1970: 9)
        TransactionScript.entitlements = [
            .verified(subscription), .unverified(other(4, .nonConsumable), .invalidSignature), .verified(other(5, .nonConsumable)),
            .verified(other(6, .nonRenewable)), .verified(other(7, .autoRenewable)), .verified(refunded),
        ]
        var found: [StoreEntitlement] = []

        for await entitlement in StoreKitTransactions().currentEntitlements() { found.append(entitlement) }

        let five = Date(timeIntervalSince1970: 5)
        #expect(
            found == [
                StoreEntitlement(
                    transactionID: "3", originalTransactionID: "1", productID: "yearly", signedAt: subscription.signedDate,
                    startsAt: subscription.purchaseDate, endsAt: subscription.expirationDate, isSandbox: true),
                StoreEntitlement(transactionID: "5", productID: "other", signedAt: five, startsAt: five, endsAt: nil),
            ])
    }

    @Test("A restore asks the App Store; a person who does not sign in has cancelled it, and another error stays one")
    func synchronize() async throws {
        TransactionScript.sync = { TransactionScript.history = [.verified(Self.first)] }
        try await StoreKitTransactions().synchronize()
        #expect(TransactionScript.history.count == 1)

        TransactionScript.sync = { throw StoreKitError.userCancelled }
        await #expect(throws: CancellationError.self) { try await StoreKitTransactions().synchronize() }
        TransactionScript.sync = { throw StoreKitError.unknown }
        await #expect(throws: StoreKitError.self) { try await StoreKitTransactions().synchronize() }
    }

    @Test("An app that observes sends the history and what StoreKit reports, and finishes nothing")
    func observed() async throws {
        TransactionScript.history = [.verified(Self.first)]
        let app = ScriptedApp()
        let arrived = Locked<[String]>([])
        app.server.on("POST", WirePath.firstOpen) { _ in
            let profile = WireProfile(id: "i_anna", installId: "anna", epoch: 1, version: 1, attributionVersion: 0)
            return try .lines([.profile(profile), .attribution(.notAttributed), .end(.final)])
        }
        app.server.on("POST", WirePath.purchases) { request in
            let report = try WireCoding.decode(PurchaseReport.self, from: request.body ?? Data())
            arrived.withLock { $0 += report.transactions.map(\.jws) }
            let profile = WireProfile(id: "i_anna", installId: "anna", epoch: 1, version: 1, attributionVersion: 0)
            return try .json(
                PurchaseAnswer(results: report.transactions.map { _ in .init(status: .accepted) }, profile: profile))
        }
        let client = app.client { $0.transactions = StoreKitTransactions() }
        client.observePurchases()
        client.start()
        await app.server.waitForRequests("POST", WirePath.purchases)
        while !TransactionScript.isHeard, !Task.isCancelled { await Task.yield() }

        TransactionScript.report(.verified(Self.second))
        await app.server.waitForRequests("POST", WirePath.purchases, count: 2)

        #expect(arrived.withLock { $0 } == ["h.1.s", "h.2.s"])
        #expect(TransactionScript.finishedIDs.isEmpty)
        await client.shutdown()
    }
}
#endif
