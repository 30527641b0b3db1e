// SPDX-License-Identifier: Apache-2.0
#if canImport(StoreKit) && os(Linux)  // The stand-in: Apple's own store takes no script.
import Foundation
import LandfallTesting
import StoreKit
import Testing
import UIKitCore

@testable import LandfallApple

#if canImport(FoundationInternationalization)
import FoundationInternationalization
#endif

/// One after the other with the other tests of StoreKit, because the store belongs to the process.
extension StoreKitTransactionsTests {
    @Suite("Products from StoreKit", .timeLimit(.minutes(1)))
    struct StoreKitProductsTests {
        private static let bought = Transaction(id: 7, productID: "yearly", signedDate: Date(timeIntervalSince1970: 5), jws: "h.7.s")
        private static let token = UUID()

        init() {
            TransactionScript.reset()
            SellingScript.reset()
            var yearly = SellingScript.Details()
            yearly.displayName = "Yearly"
            yearly.description = "All of it"
            yearly.price = 39.99
            yearly.displayPrice = "39,99 €"
            yearly.subscription = .init(
                introductoryOffer: .init(
                    price: 0, displayPrice: "0,00 €", period: .init(unit: .week, value: 1), periodCount: 2, paymentMode: .freeTrial),
                subscriptionGroupID: "group", subscriptionPeriod: .init(unit: .year, value: 1))
            var coins = SellingScript.Details()
            coins.currency = "USD"
            SellingScript.products = ["yearly": yearly, "coins": coins]
        }

        @Test("A product has StoreKit's texts, price, currency, period and offer, and whether this person may have the offer", arguments: [
            true, false,
        ])
        func product(isEligible: Bool) async throws {
            SellingScript.eligibleGroups = isEligible ? ["group"] : []

            let products = try await StoreKitProducts().products(["coins", "yearly", "unknown"])

            #expect(products.map(\.id) == ["coins", "yearly"] && products[0].currencyCode == "USD" && products[0].period == nil)
            let offer = StoreProduct.Offer(.freeTrial, price: 0, displayPrice: "0,00 €", period: .init(1, .week), periodCount: 2)
            let expected = StoreProduct(
                id: "yearly", displayName: "Yearly", description: "All of it", price: 39.99, currencyCode: "EUR", displayPrice: "39,99 €",
                period: .init(1, .year), introductoryOffer: offer, isEligibleForIntroductoryOffer: isEligible,
                priceLocale: Decimal.FormatStyle.Currency(code: "EUR").locale)
            #expect(products[1] == expected && products[1].offer == (isEligible ? offer : nil))
        }

        @Test("A purchase carries the token, and StoreKit's answer is told as it is")
        func purchase() async throws {
            let answers: [(Product.PurchaseResult, StorePurchase)] = [
                (.success(.verified(Self.bought)), .bought(try #require(SoldTransaction(.verified(Self.bought))))),
                (.success(.unverified(Self.bought, .invalidSignature)), .unverified("invalidSignature")),
                (.pending, .pending), (.userCancelled, .cancelled),
            ]
            for (answer, expected) in answers {
                SellingScript.person = { _ in answer }
                #expect(try await StoreKitProducts().purchase("yearly", token: Self.token) == expected)
            }
            #expect(SellingScript.sheets.allSatisfy { $0.productID == "yearly" && $0.token == Self.token && !$0.isInScene })
            #expect(SellingScript.sheets.count == answers.count && TransactionScript.finishedIDs.isEmpty)
        }

        @Test("The sheet's scene is the active one; without one StoreKit looks for it")
        @MainActor func scene() {
            let scenes = [UIScene.ActivationState.background, .foregroundActive].map { state in
                let scene = UIWindowScene(session: UISceneSession(persistentIdentifier: "\(state)"), connectionOptions: .init())
                SimulatedScenes.set(scene, state)
                return scene
            }
            defer { for scene in scenes { SimulatedScenes.set(scene, nil) } }

            #expect(StoreKitProducts.active(among: Set(scenes)) === scenes[1])
            #expect(StoreKitProducts.active(among: [scenes[0]]) == nil)
        }

        @Test("StoreKit's errors say what to do; a closed sheet is none")
        func errors() async throws {
            let errors: [(any Error, PurchaseError)] = [
                (StoreKitError.notAvailableInStorefront, .notForSale(["yearly"])),
                (Product.PurchaseError.productUnavailable, .notForSale(["yearly"])),
                (Product.PurchaseError.purchaseNotAllowed, .notAllowed),
            ]
            for (error, expected) in errors {
                SellingScript.person = { _ in throw error }
                await #expect(throws: expected) { try await StoreKitProducts().purchase("yearly", token: nil) }
            }
            SellingScript.person = { _ in throw StoreKitError.networkError(URLError(.timedOut)) }
            let network = await #expect(throws: PurchaseError.self) { try await StoreKitProducts().purchase("yearly", token: nil) }
            #expect(network.map { if case .network = $0 { true } else { false } } == true)
            SellingScript.person = { _ in throw StoreKitError.unknown }
            let other = await #expect(throws: PurchaseError.self) { try await StoreKitProducts().purchase("yearly", token: nil) }
            #expect(other.map { if case .store = $0 { true } else { false } } == true)
            SellingScript.person = { _ in throw StoreKitError.userCancelled }
            #expect(try await StoreKitProducts().purchase("yearly", token: nil) == .cancelled)

            await #expect(throws: PurchaseError.notForSale(["unknown"])) { try await StoreKitProducts().purchase("unknown", token: nil) }
            SellingScript.loading = StoreKitError.notAvailableInStorefront
            await #expect(throws: PurchaseError.notForSale(["a", "b"])) { try await StoreKitProducts().products(["a", "b"]) }
        }

        @Test("Only verified transactions are told and finished, each by its id")
        func unfinished() async throws {
            let strange = Transaction(id: 8, productID: "yearly", jws: "h.8.s"), other = Transaction(id: 9, productID: "coins", jws: "h.9.s")
            TransactionScript.history = [.verified(Self.bought), .unverified(strange, .invalidSignature), .verified(other)]
            let store = StoreKitProducts()
            var found: [SoldTransaction] = []
            for await sold in store.unfinished() { found.append(sold) }
            #expect(found.map(\.transaction.id) == ["7", "9"] && found.map(\.productID) == ["yearly", "coins"])

            for id in ["8", "9", "10"] { await store.finish(id) }

            #expect(TransactionScript.finishedIDs == [9])
        }

        @Test("What StoreKit reports is told, if it is verified")
        func updates() async throws {
            var updates = StoreKitProducts().updates().makeAsyncIterator()
            while !TransactionScript.isHeard, !Task.isCancelled { await Task.yield() }

            TransactionScript.report(.unverified(Self.bought, .invalidSignature))
            TransactionScript.report(.verified(Self.bought))

            #expect(await updates.next() == SoldTransaction(.verified(Self.bought)))
        }

        @Test("A product that the person chose on the App Store is told")
        func promoted() async throws {
            var promoted = StoreKitProducts().promotedPurchases().makeAsyncIterator()
            while !SellingScript.isHeard, !Task.isCancelled { await Task.yield() }

            SellingScript.promote("yearly")

            #expect(await promoted.next() == PromotedPurchase(productID: "yearly"))
        }

        @Test("The live configuration sells with StoreKit")
        func live() throws {
            let configuration = LandfallConfiguration.live(sdkKey: "pk_test", server: try #require(URL(string: "https://api.example.com")))

            #expect(configuration.products is StoreKitProducts)
        }
    }
}
#endif
