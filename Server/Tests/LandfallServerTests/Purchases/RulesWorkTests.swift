// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A change of what products open", .timeLimit(.minutes(1)))
struct RulesWorkTests {
    private static let nowMs = Int64((ManualClock().date.timeIntervalSince1970 * 1000).rounded(.down))

    private static func configuration(opening levels: [String]) -> Configuration {
        var configuration = Configuration.sample()
        configuration.purchases.accessLevels = ["premium", "basic"].map { AccessLevel(rawValue: $0) }
        configuration.purchases.products = [ProductRule(name: .exactly("yearly"), access: levels.map { AccessLevel(rawValue: $0) })]
        return configuration
    }

    /// - Parameter configuration: of another node than the server's.
    private func rules(on server: TestServer, _ configuration: LiveConfiguration? = nil) -> RulesWork {
        let services = server.services
        return RulesWork(services.database, services.mark, configuration: configuration ?? services.configuration, time: services.time)
    }

    /// Every step of the work, as its job makes them.
    private func work(on server: TestServer) async throws {
        let work = rules(on: server)
        while try await work.step(in: server.app) != .done {}
    }

    /// One more chain than a step folds, by rules that open nothing.
    private func running(_ body: @Sendable (TestServer, SignedStore, _ people: Int) async throws -> Void) async throws {
        let store = try SignedStore(nowMs: Self.nowMs), people = RulesWork.lot + 1
        try await TestServer.run(configuration: Self.configuration(opening: []), trust: store.trust()) { server in
            for number in 1...people {
                _ = try await server.report([store.transaction("\(number)", of: "\(number)")], by: Phone(number))
            }
            try await work(on: server)
            try await body(server, store, people)
        }
    }

    private func levels(_ server: TestServer, _ phone: Phone) async throws -> [String] {
        let profile = try await server.send(.get, WirePath.profile, phone: phone).decoded(ProfileAnswer.self).profile
        return (profile.accessLevels ?? [:]).filter(\.value.isActive).keys.sorted()
    }

    @Test("reaches everybody who bought before, more than one lot of them, and no version grows where nothing changes")
    func reached() async throws {
        try await running { server, _, people in
            let versions = try await server.rows("SELECT version FROM profile").map(\.values)
            let before = try await levels(server, Phone(people))

            _ = server.services.configuration.serve(Snapshot(Self.configuration(opening: ["basic"]), revision: 8))
            try await work(on: server)
            let after = try await server.rows("SELECT version FROM profile").map(\.values)

            #expect(before == [])
            #expect(versions == Array(repeating: [.integer(1)], count: people))
            #expect(after == Array(repeating: [.integer(2)], count: people))
            for number in [1, people] { #expect(try await levels(server, Phone(number)) == ["basic"]) }
            try await work(on: server)
            #expect(try await server.rows("SELECT version FROM profile").map(\.values) == after)
        }
    }

    @Test("waits until every node serves it, and begins anew if it changes again meanwhile")
    func again() async throws {
        try await running { server, _, people in
            let work = rules(on: server)
            _ = server.services.configuration.serve(Snapshot(Self.configuration(opening: ["basic"]), revision: 8))
            let steps = [try await work.step(in: server.app), try await work.step(in: server.app)]

            _ = server.services.configuration.serve(Snapshot(Self.configuration(opening: ["premium"]), revision: 9))
            try await self.work(on: server)

            #expect(steps == [.noticed, .more])
            for number in 1...people { #expect(try await levels(server, Phone(number)) == ["premium"]) }
        }
    }

    @Test("leaves nothing behind if it is taken back in the middle of the walk")
    func takenBack() async throws {
        try await running { server, _, people in
            let work = rules(on: server)
            _ = server.services.configuration.serve(Snapshot(Self.configuration(opening: ["basic"]), revision: 8))
            for _ in 0..<2 { _ = try await work.step(in: server.app) }
            let meanwhile = try await server.rows("SELECT 1 AS one FROM profile_chain WHERE access LIKE '%basic%'").count

            _ = server.services.configuration.serve(Snapshot(Self.configuration(opening: []), revision: 9))
            try await self.work(on: server)

            #expect(meanwhile == RulesWork.lot)
            for number in 1...people { #expect(try await levels(server, Phone(number)) == []) }
        }
    }

    @Test("reaches also a chain that was folded by it, if it is taken back before the walk began")
    func unnoticed() async throws {
        try await running { server, store, people in
            let last = Phone(people + 1)
            _ = server.services.configuration.serve(Snapshot(Self.configuration(opening: ["basic"]), revision: 8))
            _ = try await server.report([store.transaction("99", of: "99")], by: last)
            let before = try await levels(server, last)

            _ = server.services.configuration.serve(Snapshot(Self.configuration(opening: []), revision: 9))
            try await work(on: server)

            #expect(before == ["basic"])
            #expect(try await levels(server, last) == [])
        }
    }

    @Test("is complete although another node, which still has the rules before, walks in between")
    func nodes() async throws {
        try await running { server, _, people in
            let old = rules(on: server, LiveConfiguration(Snapshot(Self.configuration(opening: []), revision: 7))), new = rules(on: server)
            _ = server.services.configuration.serve(Snapshot(Self.configuration(opening: ["basic"]), revision: 8))

            for work in [new, new, old, old, new, new] { _ = try await work.step(in: server.app) }
            while try await old.step(in: server.app) != .done {}
            try await self.work(on: server)

            for number in 1...people { #expect(try await levels(server, Phone(number)) == ["basic"]) }
        }
    }

    @Test("has a hash of its own, and what folds nothing has none")
    func hash() {
        var rules = Self.configuration(opening: ["basic"]).purchases, others: [PurchaseRules] = []
        for change in [
            { $0.graceDays = 16 }, { $0.sandbox = .refuse }, { $0.products[0].durationMs = 1 }, { $0.products[0].access = [] }, { $0.products = [] },
        ] as [(inout PurchaseRules) -> Void] {
            var other = rules
            change(&other)
            others.append(other)
        }

        #expect(Set(others.map(\.foldHash) + [rules.foldHash]).count == others.count + 1)
        let before = rules.foldHash
        (rules.owner, rules.sandbox, rules.notify) = (.keep, .testers, NotificationReceiver(url: "https://example.com"))
        #expect(rules.foldHash == before)
    }
}
