// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("Expired clicks are deleted", .timeLimit(.minutes(1)))
struct ClickExpiryTests {
    private static let dayMs: Int64 = 86_400_000

    @Test("A click is deleted when it is older than the configured time, to the millisecond", arguments: [nil, 30, 3650])
    func clicks(days: Int64?) async throws {
        let store = try await TestStore()
        let retention = days.map { Retention(clickDays: $0) } ?? Retention()
        #expect(retention.clickDays == days ?? 400)
        let firstMs = TestStore.noon - retention.clickDays * Self.dayMs
        for atMs in [firstMs - 1, firstMs, TestStore.noon] { try await store.tap(atMs: atMs) }

        let isMore = try await store.forgetting(retention).forgetSome(nowMs: TestStore.noon).isMore

        #expect(!isMore)
        #expect(try await store.times(of: "click", "clicked_at_ms") == [firstMs, TestStore.noon])
    }

    @Test("Another app's clicks follow its own rule")
    func apps() async throws {
        let store = try await TestStore()
        for app in [TestStore.app, AppID("other")] { try await store.tap(atMs: 0, of: app) }

        _ = try await store.forgetting().forgetSome(nowMs: TestStore.noon)

        #expect(try await store.count(of: "click") == 1)
    }

    @Test("A link that waits for its install stays; an expired one is deleted at once")
    func untaken() async throws {
        try await TestServer.run { server in
            try await server.handOver(Self.token, minutesAgo: 1, expiresInMs: 60_000)
            server.clock.advance(by: .milliseconds(59_999))
            _ = try await server.forget()
            #expect(try await server.handedOver() == 1)

            server.clock.advance(by: .milliseconds(1))
            _ = try await server.forget()

            #expect(try await server.handedOver() == 0)
            #expect(try await server.claim(#"{"token":"\#(Self.token)"}"#) == .none)
        }
    }

    @Test("The link that an install took stays as long as clicks are kept, and its attribution for ever")
    func taken() async throws {
        try await TestServer.run { server in
            _ = try await server.firstOpen("{}")
            try await server.handOver(Self.token, minutesAgo: 1, expiresInMs: 1)
            guard case .link = try await server.claim(#"{"token":"\#(Self.token)"}"#) else { throw Missing() }
            _ = try await server.open("https://brandname.go.link/beach", key: "k")
            let before = try await server.attribution()

            server.clock.advance(by: .seconds(400 * 86_400 - 60))
            _ = try await server.forget()
            guard case .link = try await server.claim("{}") else { throw Missing() }
            #expect(try await server.clicks().count == 1)
            server.clock.advance(by: .seconds(61))
            _ = try await server.forget()

            #expect(try await server.handedOver() == 0)
            #expect(try await server.clicks() == [])
            #expect(before?.campaign == "summer")
            #expect(try await server.attribution() == before)
        }
    }

    @Test("Many rows are deleted in batches")
    func lots() async throws {
        let store = try await TestStore()
        try await store.tap(atMs: 0, times: RetentionRule.mostRows + 1)

        #expect(try await store.forgetting().forgetSome(nowMs: TestStore.noon).isMore)
        #expect(try await store.count(of: "click") == 1)
        #expect(try await !store.forgetting().forgetSome(nowMs: TestStore.noon).isMore)
        #expect(try await store.count(of: "click") == 0)
    }

    @Test("Address marks are deleted in batches as well, their keys at once")
    func marks() async throws {
        let store = try await TestStore()
        try await store.markAddresses(atMs: TestStore.noon, count: RetentionRule.mostRows + 1)
        let forgetting = AddressKeyExpiry(keys: AddressKeys(store.database), app: TestStore.app, matching: nil)

        #expect(try await forgetting.forgetSome(nowMs: TestStore.noon).isMore)
        #expect(try await store.count(of: "address_key") == 0)
        #expect(try await store.count(of: "address_click") == 1)
        #expect(try await !forgetting.forgetSome(nowMs: TestStore.noon).isMore)

        #expect(try await store.count(of: "address_click") == 0)
    }

    @Test(
        "An index finds the expired rows, and no other row is read", .sqlitePlans,
        arguments: [
            (ClickExpiry.clicksText, "click", ["click"]),
            (ClickExpiry.tapsText, "button_tap", ["button_tap"]),
            (ClickExpiry.untakenText, "deferred_link", ["deferred_link", "deferred_link_untaken"]),
            (ClickExpiry.takenText, "deferred_link", ["deferred_link", "deferred_link_taken"]),
            (AddressKeyExpiry.clicksText, "address_click", ["address_click"]),
        ])
    func plan(text: String, table: String, indices: [String]) async throws {
        let store = try await TestStore()

        let plan = try await store.database.read { connection in
            try connection.rows("EXPLAIN QUERY PLAN " + text, [.text("a"), .integer(1), .integer(1)])
                .map { try $0.text("detail") }
        }

        #expect(plan.count { $0.hasPrefix("SEARCH \(table) USING ") } == 2, "\(plan)")
        #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plan)")
        for index in indices { #expect(plan.contains { $0.contains(index) }, "\(plan)") }
    }

    private static let token = String(repeating: "z", count: 22)
    private struct Missing: Error {}
}

extension TestStore {
    fileprivate func forgetting(_ retention: Retention = Retention()) -> ClickExpiry {
        ClickExpiry(database: database, app: Self.app, retention: retention)
    }

    fileprivate func tap(atMs: Int64, of app: AppID = TestStore.app, times: Int64 = 1) async throws {
        let path = try LinkPath("/a")
        for _ in 0..<times {
            let click = Click(
                id: UUIDv7.make(nowMs: atMs), atMs: atMs, kind: .person, platform: .ios, host: "h", path: path, outcome: .store,
                labels: LinkLabels()
            )
            try await clicks.record(click, handing: [], waiting: nil, of: app)
        }
    }

    fileprivate func markAddresses(atMs: Int64, count: Int64) async throws {
        let path = try LinkPath("/a"), key = try await AddressKeys(database).prepared(nowMs: atMs)
        for number in 0..<count {
            let click = Click(
                id: UUIDv7.make(nowMs: atMs), atMs: atMs, kind: .person, platform: .ios, host: "h", path: path, outcome: .store,
                visitor: number, labels: LinkLabels()
            )
            let place = AddressPlace(ClientAddress("192.0.\(number / 256).\(number % 256)"), AddressMatching())
            let waiting = place.map { AddressedClick(place: $0, key: key, original: "o", resolved: "r") }
            try await clicks.record(click, handing: [], waiting: waiting, of: Self.app)
        }
    }

    fileprivate func times(of table: String, _ column: String) async throws -> [Int64] {
        try await database.read { connection in
            try connection.rows("SELECT \(column) FROM \(table) ORDER BY \(column)").map { try $0.integer(column) }
        }
    }
}

extension TestServer {
    fileprivate func forget() async throws -> Bool {
        try await services.clickExpiry.forgetSome(nowMs: services.time.nowMs()).isMore
    }

    fileprivate func handedOver() async throws -> Int64 {
        try await services.database.read { try $0.row("SELECT COUNT(*) AS count FROM deferred_link")?.integer("count") ?? -1 }
    }

    fileprivate func attribution() async throws -> AttributionDetails? {
        let answer: ProfileAnswer = try await send(.get, WirePath.profile).decoded()
        guard case .attributed(let details) = answer.attribution else { return nil }
        return details
    }
}
