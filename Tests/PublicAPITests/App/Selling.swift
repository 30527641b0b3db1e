// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple

/// One line of a paywall's screen for each product.
func priceLines(of shown: PaywallResult, on client: LandfallClient) async throws -> [String] {
    try await client.products(of: shown, within: .seconds(5)).map { product in
        let price = product.period.map { "\(product.displayPrice) for \($0.count) \($0.unit.rawValue)" } ?? product.displayPrice
        guard let offer = product.offer, offer.payment == .freeTrial else { return "\(product.displayName): \(price)" }
        return "\(product.displayName): \(offer.period.count * offer.periodCount) \(offer.period.unit.rawValue) free, then \(price)"
    }
}

/// Behind the button of a paywall.
func buy(_ product: String, from shown: PaywallResult, on client: LandfallClient) async -> String {
    do {
        switch try await client.purchase(product, from: shown) {
        case .purchased(let profile): return profile.access("premium").isActive ? "Welcome" : "Paid; it opens in a moment"
        case .pending: return "Waiting for approval"
        case .cancelled: return ""
        }
    } catch let error as PurchaseError {
        return error.isWorthRetrying ? "Please try again" : error.localizedDescription
    } catch { return error.localizedDescription }
}

/// For as long as the app runs.
func sellPromotedProducts(of client: LandfallClient) async {
    for await promoted in client.promotedPurchases {
        _ = try? await client.purchase(promoted.productID, within: .seconds(20))
    }
}

/// What StoreKit's own calls have sold, with the paywall that led to it; then whether it was genuine.
func tell(_ transactionID: UInt64, of product: String, from shown: PaywallResult, to client: LandfallClient) async throws -> Bool {
    let verdict = try await client.reportPurchase(String(transactionID), from: shown)
    guard verdict == .genuine else { return false }
    return try await client.verifyPurchase(String(transactionID), of: product) == .genuine
}

func sellNothing(_ configuration: inout LandfallConfiguration) { configuration.products = nil }
