// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("Purchases that a person restores", .timeLimit(.minutes(1)))
struct RestoringTests {
    private let phone = Phone()
    private let store = ScriptedTransactions()
    private let shop: PurchaseShop

    init() {
        shop = PurchaseShop(on: phone)
        phone.firstOpen { try .lines([.profile(.anna()), .attribution(.notAttributed), .end(.final)]) }
    }

    private func launch(observing: Bool = false, _ change: (inout LandfallConfiguration) -> Void = { _ in }) async -> LandfallClient {
        let client = phone.app {
            $0.transactions = store
            change(&$0)
        }
        if observing { client.observePurchases() }
        client.start()
        await client.waitForProfile()
        return client
    }

    @Test("Everything that the store itself knows is sent as the person's own, and the profile is the server's", arguments: [0, 1, 120])
    func whole(count: Int) async throws {
        let client = await launch()
        store.onSynchronize { [store] in for id in 0..<count { store.add(.bought(id, signed: id), isReported: false) } }
        shop.books.withLock { $0.person = .anna(version: 9) }

        let profile = try await client.restorePurchases()

        #expect(profile.version == 9 && client.profile?.version == 9)
        #expect(shop.stored.count == count && shop.sizes.reduce(0, +) == count)
        #expect(shop.reports.allSatisfy { $0.reason == .restore })
        #expect(shop.reports.map(\.historyComplete) == Array(repeating: false, count: shop.reports.count - 1) + [true])
        await client.shutdown()
    }

    @Test("What was sent before is sent again, because now the person asks for it; afterwards nothing is left to send")
    func again() async throws {
        store.add(.bought(1))
        let client = await launch(observing: true)
        await phone.server.waitForRequests("POST", WirePath.purchases)
        await phone.settle()

        try await client.restorePurchases()
        client.enteredForeground()
        await phone.settle()

        #expect(shop.reports.map(\.reason) == [.sync, .restore])
        #expect(shop.reports.map { $0.transactions.map(\.jws) } == [["h.1-0.s"], ["h.1-0.s"]])
        await client.shutdown()
    }

    @Test("A person who does not sign in has cancelled it, and nothing is sent")
    func cancelled() async throws {
        store.add(.bought(1))
        store.onSynchronize { throw CancellationError() }
        let client = await launch()

        await #expect(throws: CancellationError.self) { try await client.restorePurchases() }

        #expect(shop.reports.isEmpty)
        await client.shutdown()
    }

    @Test("A store that fails, a server that is busy and one that is unreachable are errors worth another try; then it works")
    func failures() async throws {
        store.add(.bought(1))
        let client = await launch()
        store.onSynchronize { throw TransportError(.offline) }
        let noStore = await #expect(throws: LandfallError.self) { try await client.restorePurchases() }
        store.onSynchronize {}
        shop.books.withLock { $0.fate = { .busy } }
        let busy = await #expect(throws: LandfallError.self) { try await client.restorePurchases() }
        shop.books.withLock { $0.fate = { .unanswered } }
        let lost = await #expect(throws: LandfallError.self) { try await client.restorePurchases() }
        #expect(noStore?.isWorthRetrying == true && lost?.isWorthRetrying == true)
        #expect(busy?.kind == .unavailable(.busy))

        shop.books.withLock { $0.fate = { .fine } }
        try await client.restorePurchases()

        #expect(shop.books.withLock { $0.credits } == ["1": 1])
        await client.shutdown()
    }

    @Test("A store that never answers costs the caller's own time, and no more")
    func hangs() async throws {
        let phone = phone
        store.onSynchronize { try await phone.clock.sleep(until: phone.clock.now.advanced(by: .seconds(100_000))) }
        let client = await launch()
        let restoring = Task { try await client.restorePurchases(within: .seconds(30)) }
        await phone.settle()

        await phone.pass(.seconds(30))

        let error = await #expect(throws: LandfallError.self) { try await restoring.value }
        #expect(error?.isWorthRetrying == true)
        await client.shutdown()
    }

    @Test("Without a store and with collection off it is a mistake of the app, and nothing is sent")
    func impossible() async throws {
        store.add(.bought(1))
        let off = await launch { $0.collection = .off }
        let first = await #expect(throws: LandfallError.self) { try await off.restorePurchases() }
        await off.shutdown()
        let without = await launch { $0.transactions = nil }
        let second = await #expect(throws: LandfallError.self) { try await without.restorePurchases() }
        await without.shutdown()

        #expect(first?.kind == .invalidArgument && second?.kind == .invalidArgument)
        #expect(shop.reports.isEmpty)
    }

    @Test("An answer about other purchases is an error, and acknowledges nothing")
    func strange() async throws {
        store.add(.bought(1))
        let client = await launch()
        phone.server.on("POST", WirePath.purchases) { _ in try .json(PurchaseAnswer(results: [], profile: .anna())) }

        await #expect(throws: LandfallError.self) { try await client.restorePurchases() }

        #expect(client.launch.read { $0.purchases.memory.acknowledged.isEmpty })
        await client.shutdown()
    }
}
