// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("Products and purchases", .timeLimit(.minutes(1)))
struct SellingTests {
    @Test("The products of a paywall are the store's, in the paywall's order, with the offer that the person gets", arguments: [true, false])
    func products(determiningOffer: Bool) async throws {
        let server = try SellingServer()
        let client = try await server.activate()
        let (activation, paywall) = (server.activation, server.paywall)

        let products: [any AdaptyPaywallProduct] = try await server.run {
            try await activation.products(of: paywall, determiningOffer: determiningOffer)
        }

        #expect(products.map(\.vendorProductId) == ["year", "month"] && products.map(\.paywallProductIndex) == [0, 1])
        let year = products[0]
        #expect(year.localizedTitle == "Yearly" && year.localizedDescription == "All of it")
        #expect(year.price == 39.99 && year.currencyCode == "EUR" && year.localizedPrice == "39,99 €")
        #expect(year.subscriptionPeriod == AdaptySubscriptionPeriod(unit: .year, numberOfUnits: 1))
        #expect(year.variationId == "beach-a" && year.paywallName == "beach" && year.paywallABTestName.isEmpty)
        #expect(year.adaptyProductId == "year" && year.accessLevelId.isEmpty && year.adaptyProductType.isEmpty)
        #expect((year.subscriptionOffer != nil) == determiningOffer && products[1].subscriptionOffer == nil)
        if let offer = year.subscriptionOffer {
            #expect(offer.offerType == .introductory && offer.paymentMode == .freeTrial && offer.identifier == nil)
            #expect(offer.subscriptionPeriod == AdaptySubscriptionPeriod(unit: .week, numberOfUnits: 1) && offer.numberOfPeriods == 2)
            #expect(offer.price == 0 && offer.localizedPrice == "0,00 €" && offer.currencyCode == "EUR")
        }
        await client.shutdown()
    }

    @Test("A paywall whose products the store does not sell throws 1000")
    func notForSale() async throws {
        let server = try SellingServer([])
        let client = try await server.activate()
        let (activation, paywall) = (server.activation, server.paywall)

        let error = await #expect(throws: AdaptyError.self) {
            try await server.run { try await activation.products(of: paywall, determiningOffer: true) }
        }

        #expect(error?.adaptyErrorCode == .noProductIDsFound)
        await client.shutdown()
    }

    @Test("A purchase opens what the server says, names the paywall that was shown, and is finished once the server has it", arguments: [true, false])
    func bought(isShown: Bool) async throws {
        let server = try SellingServer()
        let client = try await server.activate()
        let (activation, paywall) = (server.activation, server.paywall)
        if isShown { try await activation.logShow(paywall) }

        let result = try await server.run { try await activation.makePurchase(of: "year", from: paywall) }

        #expect(result.isPurchaseSuccess && result.profile?.accessLevels["premium"]?.isActive == true)
        #expect(server.store.sheets.map(\.productID) == ["year"])
        #expect(server.store.sheets[0].token == UUID(uuidString: "5a6b7c8d-1111-4222-8333-444455556666"))
        let report = try #require(server.reports.first { $0.reason == .purchase })
        #expect(report.transactions.map(\.jws) == ["h.1-0.s"] && (report.transactions[0].exposure != nil) == isShown)
        await server.pass { server.store.finished == ["1"] }
        await client.shutdown()
    }

    @Test("What the person does not buy has its result")
    func notBought() async throws {
        let server = try SellingServer()
        let client = try await server.activate()
        let activation = server.activation

        server.store.person = .cancels
        #expect(try await server.run { try await activation.makePurchase(of: "coins", from: nil) }.isPurchaseCancelled)
        server.store.person = .asksForApproval
        #expect(try await server.run { try await activation.makePurchase(of: "coins", from: nil) }.isPurchasePending)

        #expect(server.store.finished.isEmpty && server.reports.isEmpty)
        await client.shutdown()
    }

    @Test("What was paid and the server does not take throws 2003, and is not finished")
    func rejected() async throws {
        let server = try SellingServer()
        let client = try await server.activate()
        let activation = server.activation
        server.rejection = "purchase_environment"

        let error = await #expect(throws: AdaptyError.self) {
            try await server.run { try await activation.makePurchase(of: "year", from: nil) }
        }

        #expect(error?.adaptyErrorCode == .badRequest && error?.originalError is PurchaseError)
        await server.pass(.seconds(5))
        #expect(server.store.finished.isEmpty)
        await client.shutdown()
    }

    @Test(
        "Each error of a store has the code that apps know",
        arguments: [
            (PurchaseError.productUnknown("a", of: []), AdaptyError.ErrorCode.wrongParam), (.notForSale(["a"]), .noProductIDsFound),
            (.notAllowed, .cantMakePayments), (.underWay("a"), .productPurchaseFailed), (.network("off"), .networkFailed),
            (.store("odd"), .productPurchaseFailed), (.unverified("odd"), .productPurchaseFailed),
            (.rejected(ErrorCode("purchase_forged")), .badRequest),
            (.ownedByAnother, .badRequest),
        ])
    func codes(error: PurchaseError, code: AdaptyError.ErrorCode) {
        #expect(AdaptyError(translated: error).adaptyErrorCode == code)
        #expect(AdaptyError(translated: error).localizedDescription == error.description)
        #expect(AdaptyError(loading: error).adaptyErrorCode == (code == .productPurchaseFailed ? .productRequestFailed : code))
    }

    @Test("Restoring claims everything for the person, and gives what they may use")
    func restored() async throws {
        let server = try SellingServer()
        let client = try await server.activate { $0.with(observerMode: true) }
        let (activation, history) = (server.activation, server.history)
        history.onSynchronize { history.add(.sold(7), isReported: false) }

        let profile = try await server.run { try await activation.restorePurchases() }

        #expect(profile.accessLevels["premium"]?.isActive == true)
        #expect(server.reports.last?.reason == .restore && server.reports.last?.transactions.map(\.jws) == ["h.7-0.s"])
        await client.shutdown()
    }

    @Test("A person who does not sign in has cancelled; the calling task has not")
    func notSignedIn() async throws {
        let server = try SellingServer()
        let client = try await server.activate()
        let activation = server.activation
        server.history.onSynchronize { throw CancellationError() }

        let error = await #expect(throws: AdaptyError.self) { try await server.run { try await activation.restorePurchases() } }

        #expect(error?.adaptyErrorCode == .paymentCancelled)
        await client.shutdown()
    }
}

extension StoreTransaction {
    static func sold(_ id: Int) -> StoreTransaction {
        StoreTransaction(id: "\(id)", jws: "h.\(id)-0.s", signedAt: Date(timeIntervalSince1970: 1_790_000_000))
    }
}
