// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// StoreKit of a demo's phone, on which everybody buys: the simulated App Store sells, and tells the server alone what follows.
struct DemoProducts: ProductSource {
    private struct Bought: Decodable { let transactionId, jws: String }

    let appStore: URL

    func products(_ ids: [String]) async throws -> [StoreProduct] { [] }

    func purchase(_ productID: String, token: UUID?) async throws -> StorePurchase {
        guard let url = URL(string: "sim/purchases", relativeTo: appStore)?.absoluteURL else { throw DemoFailure.address(appStore) }
        let order = SimulatedPurchase(
            productId: productID, life: DemoSale.life, appAccountToken: token?.uuidString.lowercased(),
            priceMilliunits: DemoSale.priceMilliunits)
        let answer = try await URLSessionTransport().send(
            TransportRequest(
                method: "POST", url: url, headers: ["Content-Type": "application/json"], body: try JSONEncoder().encode(order)))
        var body = Data()
        for try await chunk in answer.body { body.append(chunk) }
        guard answer.status == 200 else { throw DemoFailure.refused(String(decoding: body, as: UTF8.self)) }
        let bought = try JSONDecoder().decode(Bought.self, from: body)
        let transaction = StoreTransaction(id: bought.transactionId, jws: bought.jws, signedAt: Date())
        return .bought(SoldTransaction(transaction, of: productID, purchasedAt: Date()))
    }

    func unfinished() -> AsyncStream<SoldTransaction> { AsyncStream { $0.finish() } }
    func updates() -> AsyncStream<SoldTransaction> { AsyncStream { $0.finish() } }
    func finish(_ transactionID: String) async {}
    func promotedPurchases() -> AsyncStream<PromotedPurchase> { AsyncStream { $0.finish() } }
}
