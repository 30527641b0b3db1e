// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import StoreKit
import Testing

/// StoreKit's script is one for the process, so this is the only suite that writes it.
@Suite("StoreKit's own values", .serialized, .timeLimit(.minutes(1)))
struct StoreKitValueTests {
    @Test("A product has StoreKit's, and what only that one says")
    func product() async throws {
        var details = SellingScript.Details()
        details.subscription = .init(
            introductoryOffer: nil, subscriptionGroupID: "group", subscriptionPeriod: .init(unit: .year, value: 1))
        SellingScript.products = ["year": details]
        let server = try SellingServer()
        let client = try await server.activate()
        let (activation, paywall) = (server.activation, server.paywall)

        let products = try await server.run { try await activation.products(of: paywall, determiningOffer: true) }

        #expect(products.map { $0.sk2Product?.id } == ["year", nil] && products.allSatisfy { $0.sk1Product == nil })
        #expect(products.map(\.subscriptionGroupIdentifier) == ["group", nil])
        #expect(products[0].currencySymbol != nil && products[1].currencySymbol == nil && !products[0].isFamilyShareable)
        SellingScript.reset()
        await client.shutdown()
    }

    @Test("A purchase has its newest transaction, signed; an unfinished one has its own")
    func transactions() async throws {
        let signed = VerificationResult.verified(Transaction(id: 1, productID: "year", jws: "h.1-0.s"))
        TransactionScript.history = [.verified(Transaction(id: 0, productID: "year")), signed]
        let server = try SellingServer()
        let client = try await server.activate { $0.with(observerMode: true) }
        let activation = server.activation
        server.isBusy = true

        let result = try await server.run { try await activation.makePurchase(of: "year", from: nil) }
        let unfinished = try await server.run { try await activation.unfinishedTransactions() }

        #expect(result.sk2Transaction?.id == 1 && result.jwsTransaction == "h.1-0.s" && result.sk1Transaction == nil)
        #expect(result.isPurchaseSuccess, "Paid, though the server has not answered yet.")
        #expect(unfinished.map { $0.sk2Transaction?.id } == [1] && unfinished[0].sk2SignedTransaction?.jwsRepresentation == "h.1-0.s")
        TransactionScript.reset()
        await client.shutdown()
    }
}
