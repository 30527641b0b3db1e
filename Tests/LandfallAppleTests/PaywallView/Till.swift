// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI) && os(Linux)
import Foundation
import LandfallApple

/// A store that answers when a test says so.
@MainActor final class Till {
    private(set) var loads = 0
    private(set) var sold: [String] = []
    private(set) var restores = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    var products: Result<[StoreProduct], LandfallError> = .success([
        StoreProduct(
            id: "yearly", displayName: "Yearly", price: 60, currencyCode: "USD", displayPrice: "$60.00", period: .init(1, .year),
            priceLocale: Locale(identifier: "en_US")),
        StoreProduct(id: "monthly", displayName: "Monthly", price: 9.99, currencyCode: "USD", displayPrice: "$9.99", period: .init(1, .month)),
    ])
    var purchase: Result<PaywallStore.Purchase, any Error> = .success(.purchased)
    var restore: Result<Bool, any Error> = .success(true)
    /// Purchases wait for ``answer()``.
    var isSlow = false

    nonisolated init() {}

    var isAsked: Bool { !waiting.isEmpty }

    func answer() {
        waiting.forEach { $0.resume() }
        waiting = []
    }

    nonisolated var store: PaywallStore {
        PaywallStore(
            products: { _ in
                self.loads += 1
                return try self.products.get()
            },
            purchase: { product, _ in
                self.sold.append(product)
                if self.isSlow { await withCheckedContinuation { self.waiting.append($0) } }
                return try self.purchase.get()
            },
            restore: {
                self.restores += 1
                return try self.restore.get()
            })
    }
}
#endif
