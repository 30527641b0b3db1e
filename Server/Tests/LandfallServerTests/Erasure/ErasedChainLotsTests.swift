// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallReports
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("The transactions that erase a chain of many purchases", .timeLimit(.minutes(2)))
struct ErasedChainLotsTests {
    /// More than two transactions of an erasure count.
    private static let renewals = 400

    private func running(_ body: @Sendable (TestServer, SoldPurchases) async throws -> Void) async throws {
        let sold = try SoldPurchases()
        try await TestServer.run(configuration: SoldPurchases.configuration(.keep), trust: sold.store.trust()) { server in
            try await sold.open(Phone(1), on: server)
            try await body(server, sold)
        }
    }

    /// Reports so many renewals of one chain.
    private func buy(_ count: Int, from sold: SoldPurchases, by phone: Phone, to server: TestServer) async throws {
        let texts = try (0..<count).map { try sold.month("\(2_000_000_000_001_000 + $0)", daysAgo: Int64($0 % 60)) }
        for first in stride(from: 0, to: count, by: 50) {
            _ = try await server.report(Array(texts[first..<min(first + 50, count)]), .purchase, key: "p\(first)", by: phone)
        }
    }

    private func eraser(_ database: any Database, of server: TestServer) -> Eraser {
        Eraser(database: database, app: server.app, time: server.services.time, counts: RollupErasure())
    }

    private func profile(_ number: Int) -> ErasureSubject { .profile(.first(of: InstallID(Phone(number).id))) }

    @Test("can end between any two of them: repeated, they count every charge once", arguments: [2, 3, 4])
    func interrupted(beforeWrite: Int) async throws {
        try await running { server, sold in
            try await buy(Self.renewals, from: sold, by: Phone(1), to: server)
            let before = try await server.money()
            let killed = InterruptedDatabase(base: server.services.database, beforeWrite: beforeWrite) { throw CancellationError() }

            await #expect(throws: CancellationError.self) { try await eraser(killed, of: server).erase(profile(1)) }
            let between = try await server.money(), left = try await server.counts(["purchase_fact"])
            _ = try await server.services.erasing.erase(profile(1))

            #expect(before.values.reduce(0, +) == Int64(Self.renewals))
            #expect(between == before)
            #expect(left[0] > 0, "It was interrupted before its end.")
            #expect(try await server.money() == before)
            #expect(try await server.counts(["charge", "purchase_fact", "purchase_chain", "profile_chain"]) == [0, 0, 0, 0])
            #expect(try await server.erasedSources() == ["tenjin": Int64(Self.renewals)])
            #expect(try await StoredCells(server.services.database).places(of: SoldPurchases.traces) == [])
        }
    }

    @Test("are small, and what the App Store says between them is counted once")
    func bounded() async throws {
        try await running { server, sold in
            try await buy(Self.renewals, from: sold, by: Phone(1), to: server)
            let before = try await server.money(), database = MeasuredDatabase(server.services.database)
            database.refuseBulk(true)

            let first = try await eraser(database, of: server).erase(profile(1))
            let left = try await server.counts(["charge", "erased_charge"])
            for (number, text) in try [
                sold.month("2000000000001000", daysAgo: 0), sold.month("2000000000001399", daysAgo: 39),
                sold.month("2000000000002000", daysAgo: 0),
            ].enumerated() {
                _ = try await server.notify(sold.news(of: text, uuid: number))
            }
            try await server.workOnNotifications()
            database.refuseBulk(false)
            let second = try await eraser(database, of: server).erase(profile(1))

            #expect((first.isGoingOn, second.isGoingOn) == (true, nil))
            #expect(left[0] > 0 && left[1] > 0 && left[0] + left[1] == Int64(Self.renewals))
            #expect(database.writes.allSatisfy { $0.statements <= 1_000 && $0.rows <= 1_000 }, "\(database.writes)")
            let new = try await server.money().filter { before[$0.key] != $0.value }
            #expect(new.values.reduce(0, +) - new.keys.reduce(0) { $0 + (before[$1] ?? 0) } == 1)
            #expect(try await server.counts(["charge", "purchase_fact", "purchase_chain"]) == [0, 0, 0])
        }
    }

    @Test("end for a chain that somebody brings back between them: what is counted stays counted, the rest is theirs")
    func broughtBack() async throws {
        try await running { server, sold in
            try await buy(Self.renewals, from: sold, by: Phone(1), to: server)
            let before = try await server.money(), database = MeasuredDatabase(server.services.database)
            database.refuseBulk(true)
            _ = try await eraser(database, of: server).erase(profile(1))
            let counted = try await server.counts(["erased_charge"])

            let back = try await server.report([sold.month("2000000000001000", daysAgo: 0)], .restore, by: Phone(2))
            _ = try await server.services.erasing.erase(profile(1))

            #expect(back.results.map(\.code) == [nil])
            #expect(try await server.owners() == [ProfileID.first(of: InstallID(Phone(2).id)).rawValue])
            #expect(try await server.money() == before)
            #expect(try await server.counts(["erased_charge", "profile_chain"]) == [counted[0], 1])
            #expect(try await server.counts(["charge"]) == [Int64(Self.renewals) - counted[0]])
        }
    }

    @Test("of two people at once, and of one person twice at once, count every charge once")
    func atOnce() async throws {
        try await running { server, sold in
            try await buy(Self.renewals, from: sold, by: Phone(1), to: server)
            let coins = try (1...60).map { try sold.coins("\(2_000_000_000_005_000 + $0)") }
            for number in [2, 3] {
                try await sold.open(Phone(number), on: server)
                let own = coins[(30 * (number - 2))..<(30 * (number - 1))]
                _ = try await server.report(Array(own), .purchase, by: Phone(number))
            }
            let before = try await server.money()

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in [1, 2, 3, 1, 2, 3] {
                    group.addTask { _ = try await server.services.erasing.erase(profile(number)) }
                }
                group.addTask {
                    _ = try await server.notify(sold.news(of: coins[0], uuid: 1))
                    try await server.workOnNotifications()
                }
                try await group.waitForAll()
            }

            #expect(before.values.reduce(0, +) == Int64(Self.renewals) + 60)
            #expect(try await server.money() == before)
            #expect(try await server.counts(["charge", "purchase_fact", "purchase_chain", "profile"]) == [0, 0, 0, 0])
            #expect(try await server.counts(["erased_charge", "erased_chain"]) == [Int64(Self.renewals) + 60, 61])
        }
    }

    @Test("do not cut an install off before it is known where all its purchases came from")
    func manyChains() async throws {
        try await running { server, sold in
            let coins = try (1...300).map { try sold.coins("\(2_000_000_000_006_000 + $0)") }
            for first in stride(from: 0, to: coins.count, by: 50) {
                _ = try await server.report(Array(coins[first..<first + 50]), .purchase, key: "p\(first)", by: Phone(1))
            }
            let before = try await server.money(), database = MeasuredDatabase(server.services.database)

            let answer = try await eraser(database, of: server).erase(profile(1))

            #expect((answer.installs, answer.isGoingOn, answer.rows["charge"]) == (1, nil, 300))
            #expect(database.writes.allSatisfy { $0.statements <= 1_000 && $0.rows <= 1_000 }, "\(database.writes)")
            #expect(try await server.money() == before)
            #expect(try await server.erasedSources() == ["tenjin": 300])
            #expect(try await server.rows("SELECT charges FROM erased_revenue").map(\.values) == [[.integer(300)]])
        }
    }
}
