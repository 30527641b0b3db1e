// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSimulator

@Suite("The simulated App Store", .timeLimit(.minutes(1)))
struct SimulatedAppStoreTests {
    private let start: Int64 = 1_790_000_000_000
    private let hour: Int64 = 3_600_000

    @Test("posts each event when it happens, once")
    func posts() async throws {
        let store = try store()
        _ = try await store.buy(purchase("sim.type=nonconsumable&refund=2d"), at: start)

        #expect(try await types(store, at: start) == ["ONE_TIME_CHARGE"])
        #expect(try await types(store, at: start + hour) == [])
        #expect(try await types(store, at: start + 48 * hour) == ["REFUND"])
        #expect(try await types(store, at: start + 480 * hour) == [])
    }

    @Test("posts again after failures: 1, 12, 24, 48 and 72 hours after the try before, and then no more")
    func retries() async throws {
        let store = try store()
        _ = try await store.buy(purchase("sim.type=nonconsumable"), at: start)
        var now = start

        for wait in [0, 1, 12, 24, 48, 72] as [Int64] {
            #expect(try await store.due(at: now + wait * hour - 1, limit: 10).isEmpty)
            now += wait * hour
            let post = try #require(try await store.due(at: now, limit: 10).first)
            await store.answered(post, status: 503, at: now)
        }

        #expect(try await store.due(at: now + 10_000 * hour, limit: 10).isEmpty)
    }

    @Test("does not post again after success, after 400, and in the sandbox", arguments: [(200, ""), (206, ""), (400, ""), (503, "&environment=Sandbox")])
    func final(status: Int, more: String) async throws {
        let store = try store()
        _ = try await store.buy(purchase("sim.type=nonconsumable" + more), at: start)

        let post = try #require(try await store.due(at: start, limit: 10).first)
        await store.answered(post, status: status, at: start)

        #expect(try await store.due(at: start + 1_000 * hour, limit: 10).isEmpty)
    }

    @Test("repeats and shuffles on demand, the same way for the same seed")
    func shuffled() async throws {
        let id = "sim.renewals=5&shuffle=1&repeat=2"
        let orders = try await ([1, 1, 2] as [UInt64]).asyncMap { seed in
            let store = try store(seed: seed)
            _ = try await store.buy(purchase(id), at: start)
            var types: [String] = []
            for day in 0..<400 as Range<Int64> { types += try await self.types(store, at: start + day * 24 * hour) }
            return types
        }

        #expect(orders[0].count == 3 * 8)
        #expect(orders[0] == orders[1])
        #expect(orders[0] != orders[2])
    }

    @Test("refunds what was bought: with a notification, once, and the newest transaction's refund ends the life")
    func refund() async throws {
        let store = try store()
        let bought = try await store.buy(purchase("sim.renewals=5"), at: start)
        _ = try await types(store, at: start)

        try await store.refund(bought.transactionID, at: start + hour)

        #expect(try await types(store, at: start + hour) == ["REFUND"])
        #expect(try await types(store, at: start + 10_000 * hour) == [])
        await #expect(throws: SimulatedAppStore.Refusal.conflict("Transaction '\(bought.transactionID)' is refunded already.")) {
            try await store.refund(bought.transactionID, at: start + 2 * hour)
        }
        await #expect(throws: SimulatedAppStore.Refusal.unknown("Transaction '1' is not known.")) { try await store.refund("1", at: start) }
    }

    @Test("holds so many lives; those that are over make room, and without one a purchase is refused")
    func bounded() async throws {
        let store = try store(limit: 3)
        for number in 0..<3 { _ = try await store.buy(purchase("sim.type=nonconsumable&id=\(number)"), at: start) }
        await #expect(throws: SimulatedAppStore.Refusal.self) { _ = try await store.buy(purchase("sim.id=4"), at: start) }

        for post in try await store.due(at: start, limit: 10) { await store.answered(post, status: 200, at: start) }
        for number in 0..<20 {
            _ = try await store.buy(purchase("sim.type=nonconsumable&id=\(number)"), at: start)
            for post in try await store.due(at: start, limit: 10) { await store.answered(post, status: 200, at: start) }
        }

        #expect(await store.lifeCount == 3)
    }

    @Test("a purchase that cannot be read changes nothing: the next one has the ids that it would have had")
    func refused() async throws {
        let clean = try store(), disturbed = try store()

        await #expect(throws: SimulatedAppStore.Refusal.self) { _ = try await disturbed.buy(purchase("sim.trail=7d"), at: start) }
        await #expect(throws: SimulatedAppStore.Refusal.self) {
            _ = try await disturbed.buy(SimulatedPurchase(productId: "sim.", storefront: "usa"), at: start)
        }

        let first = try await clean.buy(purchase("sim."), at: start).transactionID
        #expect(try await disturbed.buy(purchase("sim."), at: start).transactionID == first)
    }

    private func store(seed: UInt64 = 1, limit: Int = 100) throws -> SimulatedAppStore {
        SimulatedAppStore(app: SimulatedApp(), signer: try JWSSigner(SigningChain()), seed: seed, limit: limit)
    }

    private func purchase(_ id: String) -> SimulatedPurchase { SimulatedPurchase(productId: id) }

    /// What is due, all of it answered with 200.
    private func types(_ store: SimulatedAppStore, at now: Int64) async throws -> [String] {
        var types: [String] = []
        for post in try await store.due(at: now, limit: 100) {
            await store.answered(post, status: 200, at: now)
            let body = try JSONDecoder().decode([String: String].self, from: post.body)
            types.append(try NotificationPayload(signed: body["signedPayload"] ?? "").notificationType)
        }
        return types
    }
}

extension NotificationPayload {
    /// Without a look at the signature.
    init(signed: String) throws { self = try signed.payload(Self.self) }
}

extension String {
    /// What a JWS says, without a look at its signature.
    func payload<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let part = split(separator: ".").dropFirst().first.map(String.init) ?? ""
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        let bytes = Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)) ?? Data()
        return try JSONDecoder().decode(type, from: bytes)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
