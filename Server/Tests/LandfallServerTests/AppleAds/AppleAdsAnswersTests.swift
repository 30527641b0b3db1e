// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("Exchanges as jobs", .timeLimit(.minutes(1)))
struct AppleAdsAnswersTests {
    private let now = TestStore.noon

    @Test("A leased row belongs to one holder until the lease ends")
    func lease() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, token: .value("t"))

        let first = try await store.lease(9, nowMs: now, leaseMs: 30_000)

        #expect(first.map(\.token) == ["t"])
        #expect(try await store.lease(9, nowMs: now + 29_999, leaseMs: 30_000).isEmpty)
        #expect(try await store.jobs.nextDueMs(of: [.appleAds]) == [.appleAds: now + 30_000])
        #expect(try await store.lease(9, nowMs: now + 30_000, leaseMs: 30_000).map(\.token) == ["t"])
    }

    @Test("A late result, after another node has taken the row, changes nothing")
    func lateRecord() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, token: .value("t"))
        let slow = try #require(try await store.lease(1, nowMs: now, leaseMs: 1).first)
        let quick = try #require(try await store.lease(1, nowMs: now + 1, leaseMs: 1).first)

        try await store.answers.record(.organic, .finish(.organic), of: quick, nowMs: now + 2)
        let settled = try await store.install(.mayasPhone)
        try await store.answers.record(
            .attributed(AppleAdsAnswer(attribution: true)), .finish(.attributed), of: slow, nowMs: now + 3)

        #expect(try await store.install(.mayasPhone) == settled)
        #expect(settled.attribution(nowMs: now) == .notAttributed)
    }

    @Test("The same token again makes no second exchange, and from another install it is refused at once")
    func oneExchange() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, token: .value("t"))
        _ = try await store.installs.report(TestStore.app, .mayasPhone, .value("t"), nowMs: now + 5)

        let other = try await store.open(.omarsPhone, token: .value("t"))

        #expect(other.attribution(nowMs: now) == .unavailable(.tokenReused))
        #expect(
            try await store.lease(9, nowMs: now + 9, leaseMs: 1).map(\.installID) == [Credential.mayasPhone.installID])
    }

    @Test("An install has the exchange of its newest token; of tokens of one instant always the same one")
    func newest() async throws {
        let store = try await TestStore()
        for (token, laterMs) in [("old", 0), ("one", 5), ("two", 5)] as [(String, Int64)] {
            try await store.open(.mayasPhone, token: .value(token), nowMs: now + laterMs)
        }
        let sameInstant = ["one", "two"].map { TokenHash(of: $0).rawValue }

        let exchange = try await store.install(.mayasPhone).exchange

        #expect(exchange?.tokenHash.rawValue == sameInstant.min())
        #expect(exchange?.receivedAtMs == now + 5)
        #expect(exchange?.state == .waiting(dueAtMs: now + 5))
    }

    @Test("The same token in another app is another exchange")
    func apps() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, token: .value("t"))

        let other = try await store.installs.report(AppID("com.example.other"), .omarsPhone, .value("t"), nowMs: now)

        #expect(other.attribution(nowMs: now).isPending)
    }

    @Test("The reason for a missing token is kept until there is a token")
    func noToken() async throws {
        let store = try await TestStore()

        let none = try await store.open(.mayasPhone, token: .none(.collectionOff))
        let coming = try await store.installs.report(TestStore.app, .mayasPhone, .coming, nowMs: now)
        let value = try await store.installs.report(TestStore.app, .mayasPhone, .value("t"), nowMs: now)

        #expect(none.attribution(nowMs: now) == .unavailable(.collectionOff))
        #expect(coming == none)
        #expect(value.attribution(nowMs: now).isPending)
        #expect(store.tokensQueued.value == 1)
    }

    @Test("A question alone increments no attribution version, so a cached paywall stays valid")
    func versions() async throws {
        let store = try await TestStore()
        let none = try await store.open(.mayasPhone, token: .none(.noToken))

        let pending = try await store.installs.report(TestStore.app, .mayasPhone, .value("t"), nowMs: now)

        #expect(pending.version == none.version + 1)
        #expect(pending.attributionVersion == none.attributionVersion)
    }

    @Test("An open question stays open beside another provider's answer, because Apple Ads would win over it")
    func claimBesideQuestion() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, token: .value("t"))

        let install = try await store.installs.record(
            TestStore.app, .mayasPhone, AttributionClaim(key: "k", source: "tenjin", status: .nonOrganic), nowMs: now
        )

        guard case .attributed = install.attribution(nowMs: now) else { return #expect(Bool(false)) }
        #expect(install.nextAppleAnswer(nowMs: now) == 0)
    }

    @Test("A token has 1 to 4096 bytes", arguments: [(0, false), (1, true), (4_096, true), (4_097, false)])
    func length(count: Int, isValid: Bool) async throws {
        let store = try await TestStore()
        let token = String(repeating: "t", count: count)

        let result = await Task { try await store.open(.mayasPhone, token: .value(token)) }.result

        #expect((try? result.get())?.exchange?.isOpen == (isValid ? true : nil))
    }

    @Test("An install has 32 exchanges at most; further tokens change nothing")
    func mostTokens() async throws {
        let store = try await TestStore()
        for number in 1...40 { try await store.open(.mayasPhone, token: .value("t\(number)"), nowMs: now + Int64(number)) }

        #expect(try await store.count(of: "job") == 32)
    }

    @Test("The job of an install that was erased meanwhile is deleted, and Apple is not asked again")
    func erased() async throws {
        let store = try await TestStore()
        try await store.open(.mayasPhone, token: .value("t"))
        let leased = try #require(try await store.lease(1, nowMs: now).first)
        try await store.engine.write { _ = try $0.run("DELETE FROM install") }

        try await store.answers.record(.silence(.status), .again(dueAtMs: now + 1_000), of: leased, nowMs: now)

        #expect(try await store.count(of: "job") == 0)
    }
}

extension TestStore {
    func sqlitePlan(of text: String) async throws -> String {
        let numbers = text.matches(of: #/\$(\d+)/#).compactMap { Int($0.1) }
        let values = [SQLValue](repeating: .integer(1), count: numbers.max() ?? 0)
        return try await database.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + text, values).map { try $0.text("detail") }.joined(separator: "; ")
        }
    }
}
