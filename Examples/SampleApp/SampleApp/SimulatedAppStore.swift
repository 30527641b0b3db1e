// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple

#if targetEnvironment(simulator)
/// `landfall app-store-simulator` on this Mac. It sells at once, without a sheet, and what it sold is known until the app is deleted.
struct SimulatedAppStore: ProductSource, TransactionSource {
    nonisolated init() {}

    nonisolated func products(_ ids: [String]) async throws -> [StoreProduct] {
        ids.map { id in
            StoreProduct(
                id: id, displayName: id, price: 9.99, currencyCode: "USD", displayPrice: "$9.99", period: StoreProduct.Period(1, .month))
        }
    }

    nonisolated func purchase(_ productID: String, token: UUID?) async throws -> StorePurchase {
        // The keys after `sim.` order what happens later, such as trial=7d or refund=3d.
        var order: [String: Any] = ["productId": "sim.id=\(productID)", "storefront": "USA", "priceMilliunits": 9_990, "currency": "USD"]
        order["appAccountToken"] = token?.uuidString
        let request = TransportRequest(
            method: "POST", url: URL(string: "http://127.0.0.1:8091/sim/purchases")!, body: try JSONSerialization.data(withJSONObject: order))
        var body = Data()
        for try await part in try await URLSessionTransport().send(request).body { body += part }
        let answer = try JSONSerialization.jsonObject(with: body) as? [String: String]
        guard let id = answer?["transactionId"], let jws = answer?["jws"] else {
            throw PurchaseError.store(String(decoding: body, as: UTF8.self))
        }
        let sale = ["id": id, "jws": jws, "product": productID, "at": "\(Date().timeIntervalSince1970)"]
        Self.sales.append(sale)
        return .bought(Self.sold(sale))
    }

    nonisolated func unfinished() -> AsyncStream<SoldTransaction> {
        Self.stream(of: Self.sales.filter { $0["finished"] == nil }.map(Self.sold))
    }

    nonisolated func finish(_ transactionID: String) async {
        Self.sales = Self.sales.map { sale in
            sale["id"] == transactionID ? sale.merging(["finished": "yes"]) { _, new in new } : sale
        }
    }

    nonisolated func history() -> AsyncStream<StoreTransaction> { Self.stream(of: Self.sales.map { Self.sold($0).transaction }) }

    /// The server says what they open.
    nonisolated func currentEntitlements() -> AsyncStream<StoreEntitlement> { Self.stream(of: []) }

    nonisolated func synchronize() async throws {}

    // It reports nothing by itself: renewals and refunds go to the server, as the App Store's do.
    nonisolated func updates() -> AsyncStream<SoldTransaction> { Self.stream(of: []) }
    nonisolated func updates() -> AsyncStream<StoreTransaction> { Self.stream(of: []) }
    nonisolated func promotedPurchases() -> AsyncStream<PromotedPurchase> { Self.stream(of: []) }

    private nonisolated static var sales: [[String: String]] {
        get { UserDefaults.standard.array(forKey: "simulatedSales") as? [[String: String]] ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "simulatedSales") }
    }

    private nonisolated static func sold(_ sale: [String: String]) -> SoldTransaction {
        let date = Date(timeIntervalSince1970: sale["at"].flatMap(Double.init) ?? 0)
        let transaction = StoreTransaction(id: sale["id"] ?? "", jws: sale["jws"] ?? "", signedAt: date)
        return SoldTransaction(transaction, of: sale["product"] ?? "", purchasedAt: date)
    }

    private nonisolated static func stream<Value>(of values: [Value]) -> AsyncStream<Value> {
        AsyncStream { voice in
            for value in values { voice.yield(value) }
            voice.finish()
        }
    }
}
#endif
