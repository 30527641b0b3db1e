// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire

@testable import Landfall

extension StoreProduct {
    static let yearly = StoreProduct(
        id: "com.example.yearly", displayName: "Yearly", price: 39.99, currencyCode: "EUR", displayPrice: "39,99 €",
        period: Period(1, .year))
    static let monthly = StoreProduct(
        id: "com.example.monthly", displayName: "Monthly", price: 4.99, currencyCode: "EUR", displayPrice: "4,99 €",
        period: Period(1, .month))
    static let coins = StoreProduct(
        id: "com.example.coins", displayName: "Coins", price: 0.99, currencyCode: "EUR", displayPrice: "0,99 €")
}

extension PaywallResult {
    static func shows(_ productIDs: [String]) -> PaywallResult {
        PaywallResult(
            paywall: Paywall(name: "default", variationID: "default", productIDs: productIDs), placement: .onboarding, audience: .everyone,
            origin: .matchingAudience, attribution: .pending, elapsed: .zero, revision: 1)
    }
}

/// A phone with a store that sells, and a server that takes purchases.
struct Shopper: Sendable {
    static let token = UUID(uuid: (0x5A, 0x6B, 0x7C, 0x8D, 0x11, 0x11, 0x42, 0x22, 0x83, 0x33, 0x44, 0x44, 0x55, 0x55, 0x66, 0x66))

    var phone = Phone()
    let store: ScriptedProducts
    let history = ScriptedTransactions()
    let shop: PurchaseShop
    let shown = PaywallResult.shows([StoreProduct.yearly.id, StoreProduct.monthly.id])

    init() {
        store = ScriptedProducts([.yearly, .monthly, .coins], clock: phone.clock, history: history)
        shop = PurchaseShop(on: phone)
        shop.books.withLock { $0.person = .customer }
        phone.firstOpen { try .lines([.profile(.customer), .attribution(.notAttributed), .end(.final)]) }
    }

    func launch(_ change: (inout LandfallConfiguration) -> Void = { _ in }) -> LandfallClient {
        let client = phone.app {
            $0.products = store
            change(&$0)
        }
        client.start()
        return client
    }

    /// The server has shown the person.
    func launchKnown(_ change: (inout LandfallConfiguration) -> Void = { _ in }) async -> LandfallClient {
        let client = launch(change)
        await client.waitForProfile()
        return client
    }

    /// The process ends at this instant: of the SDK there are only its files.
    func killed(_ client: LandfallClient) async -> Shopper {
        var next = self
        next.phone.storage = MemoryStorage(phone.storage.files)
        await client.shutdown()
        return next
    }
}

extension WireProfile {
    /// Anna, whose server knows purchases.
    static var customer: WireProfile {
        var profile = anna()
        profile.purchaseToken = Shopper.token.uuidString
        return profile
    }

    /// After she has paid.
    static var payer: WireProfile {
        var profile = customer
        profile.version = 2
        profile.accessLevels = [
            "premium": WireAccessLevel(
                state: .active, isActive: true, store: .appStore, startsAtMilliseconds: 1_790_000_000_000, endsAtMilliseconds: nil)
        ]
        return profile
    }
}

extension PurchaseResult {
    var profile: Profile? { if case .purchased(let profile) = self { profile } else { nil } }
}
