// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Drawn lives of sales", .timeLimit(.minutes(5)))
struct SaleWorldTests {
    @Test("Through kills, lost answers, days offline and late approvals each sale arrives once, and none is finished before", arguments: 1...12)
    func life(seed: Int) async throws {
        var random = SeededNumbers(seed)
        var shopper = Shopper()
        let store = shopper.store, shop = shopper.shop
        var exposures: Set<String> = []

        for _ in 0..<4 {
            let client = shopper.launch()
            var buying: [Task<PurchaseResult, any Error>] = []
            for _ in 0..<4 {
                shopper.phone.server.isOffline = Int.random(in: 0..<4, using: &random) == 0
                let fates: [PurchaseShop.Fate] = [.fine, .fine, .unreached, .unanswered, .busy]
                let fate = fates[Int.random(in: 0..<fates.count, using: &random)]
                shop.books.withLock { $0.fate = { fate } }
                let people: [ScriptedProducts.Person] = [.buys, .buys, .cancels, .asksForApproval, .buysUnheard, .fails(.notAllowed)]
                store.person = people[Int.random(in: 0..<people.count, using: &random)]
                let shown = PaywallResult.shows([["yearly", "monthly", "coins"][Int.random(in: 0..<3, using: &random)]].map { "com.example.\($0)" })
                if Bool.random(using: &random) {
                    client.recordExposure(of: shown)
                    client.launch.read { $0.paywalls.exposures.event(of: shown) }.map { _ = exposures.insert($0) }
                }
                if let id = shown.paywall?.productIDs.first {
                    buying.append(Task { try await client.purchase(id, from: shown, within: .seconds(1)) })
                }
                await shopper.phone.pass(.milliseconds(Int.random(in: 0...5_000, using: &random)))
                if let offered = store.sheets.randomElement(using: &random), Bool.random(using: &random) { store.approve(offered.productID) }
                if Bool.random(using: &random) { client.enteredForeground() }
                #expect(Set(store.finished).isSubset(of: shop.stored.keys))
            }
            // A kill at this instant.
            shopper = await shopper.killed(client)
            for purchase in buying { _ = await purchase.result }
        }
        shopper.phone.server.isOffline = false
        shop.books.withLock { $0.fate = { .fine } }
        let last = await shopper.launchKnown()
        await shopper.phone.pass(.seconds(10))
        // What is finished is forgotten in the background, on a busy machine later.
        for _ in 0..<20 where !last.launch.read({ $0.sales.memory.sales.isEmpty }) { await shopper.phone.pass(.seconds(1)) }

        #expect(store.waiting.isEmpty)
        #expect(Set(store.finished) == Set(shop.stored.keys) && Set(store.finished).count == store.finished.count)
        #expect(shop.books.withLock { $0.credits.values.allSatisfy { $0 == 1 } })
        let named = shop.reports.flatMap(\.transactions).compactMap(\.exposure)
        #expect(Set(named).isSubset(of: exposures))
        #expect(last.launch.read { $0.sales.waitingCount } == 0 && last.launch.read { $0.sales.memory.sales.isEmpty })
        await last.shutdown()
    }
}
