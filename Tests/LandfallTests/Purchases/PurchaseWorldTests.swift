// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Drawn lives of purchases", .timeLimit(.minutes(5)))
struct PurchaseWorldTests {
    @Test("Through kills, lost answers and days offline each transaction arrives, and none is credited twice", arguments: 1...16)
    func life(seed: Int) async throws {
        var random = SeededNumbers(seed)
        var phone = Phone()
        let store = ScriptedTransactions()
        let shop = PurchaseShop(on: phone)
        phone.firstOpen { try .lines([.profile(.anna()), .attribution(.notAttributed), .end(.final)]) }
        var newest: [String: Int] = [:]
        func sell(_ id: Int, signed: Int, isReported: Bool) {
            store.add(.bought(id, signed: signed), isReported: isReported)
            newest["\(id)"] = signed
        }
        for id in 0..<Int.random(in: 0...130, using: &random) { sell(id, signed: id, isReported: false) }
        var next = 1_000

        for _ in 0..<5 {
            let client = phone.app(preparing: []) { $0.transactions = store }
            client.observePurchases()
            client.start()
            for _ in 0..<4 {
                phone.server.isOffline = Int.random(in: 0..<4, using: &random) == 0
                let fates: [PurchaseShop.Fate] = [.fine, .fine, .unreached, .unanswered, .busy]
                let fate = fates[Int.random(in: 0..<fates.count, using: &random)]
                shop.books.withLock { $0.fate = { fate } }
                next += 1
                // A purchase, or a refund, which is a later signature of an earlier one.
                let id = Bool.random(using: &random) ? next : Int.random(in: 0...20, using: &random)
                sell(id, signed: next, isReported: Bool.random(using: &random))
                if Bool.random(using: &random) { client.enteredForeground() }
                await phone.pass(.milliseconds(Int.random(in: 0...5_000, using: &random)))
            }
            // A kill at this instant, or a launch that ends in peace.
            let killed = phone.storage.files
            await client.shutdown()
            if Bool.random(using: &random) { phone.storage = MemoryStorage(killed) }
        }
        phone.server.isOffline = false
        shop.books.withLock { $0.fate = { .fine } }
        let last = phone.app(preparing: []) { $0.transactions = store }
        last.observePurchases()
        last.start()
        await phone.pass(.seconds(10))

        #expect(shop.stored == newest)
        #expect(shop.books.withLock { $0.credits.values.allSatisfy { $0 == 1 } })
        #expect(shop.sizes.allSatisfy { $0 <= Limits.purchases })
        #expect(last.launch.read { $0.purchases.waitingCount } == 0)
        await last.shutdown()
    }
}
