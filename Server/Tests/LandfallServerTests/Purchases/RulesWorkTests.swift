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

    /// Every step of the work, as its job makes them.
    private func work(on server: TestServer) async throws {
        let services = server.services
        let work = RulesWork(services.database, services.mark, configuration: services.configuration, time: services.time)
        while try await work.step(in: server.app) {}
    }

    private func levels(_ server: TestServer, _ phone: Phone) async throws -> [String] {
        let profile = try await server.send(.get, WirePath.profile, phone: phone).decoded(ProfileAnswer.self).profile
        return (profile.accessLevels ?? [:]).filter(\.value.isActive).keys.sorted()
    }

    @Test("reaches everybody who bought before, more than one lot of them, and no version grows where nothing changes")
    func reached() async throws {
        let store = try SignedStore(nowMs: Self.nowMs), people = RulesWork.lot + 1
        try await TestServer.run(configuration: Self.configuration(opening: []), trust: store.trust()) { server in
            for number in 1...people {
                _ = try await server.report([store.transaction("\(number)", of: "\(number)")], by: Phone(number))
            }
            try await work(on: server)
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

    @Test("that changes again meanwhile begins anew with the rules that are served then")
    func again() async throws {
        let store = try SignedStore(nowMs: Self.nowMs), people = RulesWork.lot + 1
        try await TestServer.run(configuration: Self.configuration(opening: []), trust: store.trust()) { server in
            for number in 1...people {
                _ = try await server.report([store.transaction("\(number)", of: "\(number)")], by: Phone(number))
            }
            let services = server.services
            let work = RulesWork(services.database, services.mark, configuration: services.configuration, time: services.time)
            _ = services.configuration.serve(Snapshot(Self.configuration(opening: ["basic"]), revision: 8))
            let isMore = try await work.step(in: server.app)

            _ = services.configuration.serve(Snapshot(Self.configuration(opening: ["premium"]), revision: 9))
            try await self.work(on: server)

            #expect(isMore)
            for number in 1...people { #expect(try await levels(server, Phone(number)) == ["premium"]) }
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
        (rules.owner, rules.sandbox, rules.notify) = (.keep, .testers, "https://example.com")
        #expect(rules.foldHash == before)
    }
}
