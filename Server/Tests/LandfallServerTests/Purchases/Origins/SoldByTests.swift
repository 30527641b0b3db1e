// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The paywall that sold a purchase", .timeLimit(.minutes(1)))
struct SoldByTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))
    private static let summer = SoldBy(placement: "home", paywall: "summer", variation: "v1")

    private static func exposure(_ number: Int = 1) -> String { "0198f0c2-7b1a-7c3d-8e4f-\(String(format: "%012d", number))" }

    private func running(_ body: @Sendable (TestServer, SignedStore) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: Self.nowMs)
        try await TestServer.run(trust: store.trust()) { try await body($0, store) }
    }

    private func show(
        _ numbers: ClosedRange<Int> = 1...1, type: String = "paywall_shown", on phone: Phone = Phone(), to server: TestServer
    ) async throws {
        let events = numbers.map { number in
            """
            {"id":"\(Self.exposure(number))","type":"\(type)","ageMilliseconds":0,"placement":"home","paywall":"summer","variationId":"v1"}
            """
        }
        let body = #"{"events":[\#(events.joined(separator: ","))]}"#
        let answer = try await server.send(.post, WirePath.events, body, phone: phone).decoded(EventBatchAnswer.self)
        #expect(answer.results.allSatisfy { $0.status == .accepted })
    }

    private func buy(
        _ text: String, exposure: Int? = 1, _ reason: PurchaseReason = .purchase, key: String = "k1", by phone: Phone = Phone(), to server: TestServer
    ) async throws {
        try await buy([(text, exposure)], reason, key: key, by: phone, to: server)
    }

    /// As many chains, the first exposure for the first of them.
    private func buy(chains: Int, of store: SignedStore, to server: TestServer) async throws {
        try await buy((1...chains).map { (try store.transaction("\($0)", of: "\($0)"), $0) }, .purchase, key: "k1", by: Phone(), to: server)
    }

    private func buy(
        _ sales: [(text: String, exposure: Int?)], _ reason: PurchaseReason, key: String, by phone: Phone, to server: TestServer
    ) async throws {
        let report = PurchaseReport(
            key: IdempotencyKey(key), reason: reason,
            transactions: sales.map { .init(jws: $0.text, exposure: $0.exposure.map(Self.exposure)) })
        let body = String(decoding: try WireCoding.encode(report), as: UTF8.self)
        let answer = try await server.send(.post, WirePath.purchases, body, phone: phone).decoded(PurchaseAnswer.self)
        #expect(answer.results.allSatisfy { $0.status != .rejected })
    }

    /// Of each chain, in order.
    private func sold(_ server: TestServer) async throws -> [SoldBy?] {
        try await server.rows("SELECT sold_by FROM purchase_chain ORDER BY chain_id").map { row in
            try row.optionalText("sold_by").map { try SoldBy(text: $0) }
        }
    }

    @Test("is known at once if it was shown before, of either kind of exposure", arguments: ["paywall_shown", "paywall_decided"])
    func before(type: String) async throws {
        try await running { server, store in
            try await show(type: type, to: server)

            try await buy(store.transaction(), to: server)

            #expect(try await sold(server) == [Self.summer])
        }
    }

    @Test("is known at once also on the phone of the person that did not report the purchase first")
    func otherPhone() async throws {
        try await running { server, store in
            let person = Identification(key: "i", customerID: "maya", isVerified: true), bought = try store.transaction()
            for phone in [Phone(1), Phone(2)] {
                _ = try await server.services.installs.identify(server.app, phone.credential, person, nowMs: Self.nowMs)
            }
            try await buy(bought, exposure: nil, .sync, by: Phone(2), to: server)

            try await show(on: Phone(1), to: server)
            try await buy(bought, by: Phone(1), to: server)

            #expect(try await server.rows("SELECT brought_by_install FROM purchase_chain").map(\.values) == [[.text(Phone(2).id)]])
            #expect(try await sold(server) == [Self.summer])
        }
    }

    @Test("is not told by an event of another type, nor by that of another install")
    func foreign() async throws {
        try await running { server, store in
            try await show(1...1, type: "signed_up", to: server)
            try await show(2...2, on: Phone(2), to: server)

            try await buy(store.transaction("1"), exposure: 1, to: server)
            try await buy(store.transaction("2", of: "2"), exposure: 2, key: "k2", to: server)
            _ = try await server.retain("event")

            #expect(try await sold(server) == [nil, nil])
        }
    }

    @Test("is copied when its event has come later, and stays when the event is deleted")
    func after() async throws {
        try await running { server, store in
            try await buy(store.transaction(), to: server)
            let atFirst = try await sold(server)
            try await show(to: server)

            #expect(try await !server.retain("event"))

            #expect(atFirst == [nil])
            #expect(try await sold(server) == [Self.summer])
            server.clock.advance(by: .seconds(401 * 86_400))
            #expect(try await !server.retain("event"))
            #expect(try await server.counts(["event"]) == [0])
            // A renewal changes nothing.
            try await buy(store.transaction("3", daysAgo: 0), exposure: nil, .sync, key: "k2", to: server)
            #expect(try await sold(server) == [Self.summer])
        }
    }

    @Test("is copied of every chain, in lots, before retention deletes the first event")
    func lots() async throws {
        try await running { server, store in
            let count = 2 * UnsoldChains.lot + 1
            try await buy(chains: count, of: store, to: server)
            try await show(1...count, to: server)
            server.clock.advance(by: .seconds(401 * 86_400))
            let rule = try #require(server.services.retentionRules.first { $0.name == "event" }), nowMs = server.services.time.nowMs()

            var left: [Int64] = []
            repeat { left += try await server.counts(["event"]) } while try await rule.lot(nowMs).isMore

            #expect(left == [Int64(count), Int64(count), Int64(count)])
            #expect(try await server.counts(["event"]) == [0])
            #expect(try await sold(server) == Array(repeating: Self.summer, count: count))
        }
    }

    @Test("is looked for before months are dropped, and again on the next day")
    func months() async throws {
        try await running { server, store in
            let walk = UnsoldChains(server.services.database, of: server.app), nowMs = server.services.time.nowMs()
            try await buy(chains: UnsoldChains.lot, of: store, to: server)

            let before = walk.isWalked(nowMs: nowMs)
            let steps = [try await walk.step(nowMs: nowMs), try await walk.step(nowMs: nowMs)]

            #expect(!before)
            // A full lot may not be the last one.
            #expect(steps == [true, false])
            #expect(walk.isWalked(nowMs: nowMs) && walk.isWalked(nowMs: nowMs + Retention.dayMs - 1))
            #expect(!walk.isWalked(nowMs: nowMs + Retention.dayMs))
            // It rests after the walk, and then begins again.
            #expect(try await !walk.step(nowMs: nowMs + 1))
            #expect(try await walk.step(nowMs: nowMs + RetentionRule.intervalMs))
        }
    }

    @Test("is not looked for any more once no phone can send its event")
    func never() async throws {
        try await running { server, store in
            try await buy(store.transaction(), to: server)
            let limit = Duration.milliseconds(Retention.keyMs)

            server.clock.advance(by: limit)
            _ = try await server.retain("event")
            let waiting = try await sold(server)
            server.clock.advance(by: .milliseconds(1))
            _ = try await server.retain("event")

            #expect(waiting == [nil])
            #expect(try await sold(server) == [SoldBy()])
        }
    }

    @Test("is found by an index that has only chains whose paywall is still to be found", .sqlitePlans)
    func plan() async throws {
        let store = try await TestStore()

        let plan = try await store.sqlitePlan(of: UnsoldChains.question)

        #expect(plan.contains("purchase_chain_unsold"), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }
}
