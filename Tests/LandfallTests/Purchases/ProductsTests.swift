// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Products that a paywall shows", .timeLimit(.minutes(1)))
struct ProductsTests {
    private let shopper = Shopper()

    @Test("They come in the paywall's order; one that the store does not sell is left out, and the log names it")
    func order() async throws {
        let client = await shopper.launchKnown()

        let products = try await client.products(of: .shows(["com.example.monthly", "com.example.gone", "com.example.yearly"]))

        #expect(products == [.monthly, .yearly])
        #expect(shopper.phone.log.warnings.count { $0.contains("com.example.gone") && !$0.contains("com.example.monthly") } == 1)
        await client.shutdown()
    }

    @Test("A paywall without products, and a result without a paywall, have none; a store that sells none of them is an error")
    func none() async throws {
        let client = await shopper.launchKnown()
        let nothing = PaywallResult(
            paywall: nil, placement: .onboarding, audience: .everyone, origin: .matchingAudience, attribution: .pending, elapsed: .zero,
            revision: 1)

        #expect(try await client.products(of: .shows([])).isEmpty)
        #expect(try await client.products(of: nothing).isEmpty)
        await #expect(throws: PurchaseError.notForSale(["a", "b"])) { try await client.products(of: .shows(["a", "b"])) }
        await client.shutdown()
    }

    @Test("A store that never answers costs the call's own time; one that is not there, none")
    func silent() async throws {
        shopper.store.isSilent = true
        let client = await shopper.launchKnown()
        let loading = Task { try await client.products(of: shopper.shown, within: .seconds(5)) }
        await shopper.phone.settle()

        await shopper.phone.pass(.seconds(5))

        let error = await #expect(throws: LandfallError.self) { try await loading.value }
        #expect(error?.isWorthRetrying == true)
        shopper.store.isSilent = false
        await client.shutdown()
        let without = await shopper.launchKnown { $0.products = nil }
        let none = await #expect(throws: LandfallError.self) { try await without.products(of: shopper.shown) }
        #expect(none?.kind == .invalidArgument)
        await without.shutdown()
    }

    @Test("Promoted products are told to who listens, to be bought when it suits; the stream ends with the client")
    func promoted() async throws {
        let client = await shopper.launchKnown()
        let buying = Task {
            var results: [PurchaseResult] = []
            for await promoted in client.promotedPurchases { results.append(try await client.purchase(promoted.productID)) }
            return results
        }
        await shopper.store.waitForPromotionListener()

        shopper.store.promote("com.example.coins")
        await shopper.store.waitForFinished()
        await shopper.phone.settle()
        await client.shutdown()

        #expect(try await buying.value.count == 1)
        #expect(shopper.store.sheets.map(\.productID) == ["com.example.coins"])
        var ended = client.promotedPurchases.makeAsyncIterator()
        #expect(await ended.next() == nil)
        let without = shopper.launch { $0.products = nil }
        var empty = without.promotedPurchases.makeAsyncIterator()
        #expect(await empty.next() == nil)
        await without.shutdown()
    }
}
