// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What the App Store could not tell, it is asked for", .timeLimit(.minutes(1)))
struct ReconcileTests {
    private static let lives = [
        "sim.period=1d&renewals=6", "sim.period=2d&renewals=0", "sim.period=1d&renewals=6&refund=2d", "sim.type=consumable",
        "sim.period=2d&fail=1&grace=3d&recover=1d&renewals=3", "sim.environment=Sandbox&period=1d&renewals=2",
    ]

    @Test("An outage of three days leaves what a server has that heard everything")
    func outage() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { away, reconcile in
                try await apple.server { always, _ in
                    for life in Self.lives { try await apple.buy(life) }
                    try await apple.pass(hours: 12) { body in
                        _ = try await always.post(body)
                        return try await away.post(body)
                    }
                    // The server is away: Apple hears nothing, and tries again on its own.
                    try await apple.pass(hours: 72) { body in
                        _ = try await always.post(body)
                        return nil
                    }
                    try await away.workOnNotifications(1_000)
                    try await always.workOnNotifications(1_000)
                    let before = try await away.states(), wanted = try await always.states()
                    #expect(before != wanted)

                    let step = try await reconcile.attempt(of: away)
                    try await away.workOnNotifications(1_000)

                    #expect(step == .again(atMs: apple.clock.nowMs + AppStoreReconcile.pauseMs))
                    #expect(try await away.states() == wanted)
                    #expect(try await away.charges() == always.charges())
                    #expect(away.services.metrics.text().contains(#"landfall_app_store_reconciled_total{kind="notification"}"#))
                    let paths = Set(apple.http.paths)
                    #expect(paths.isSuperset(of: ["/inApps/v1/notifications/history", "/inApps/v2/history/ID"]))
                    let state = try await reconcile.state(of: away)
                    #expect(state.walk == nil && state.problem == nil && state.succeededAtMs != nil)
                }
            }
        }
    }

    @Test("Asked again within the hour it is asked nothing, and after it only for failed notifications")
    func hourly() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, reconcile in
                try await apple.buy("sim.renewals=2")
                try await apple.post { try await server.post($0) }
                try await server.workOnNotifications()
                _ = try await reconcile.attempt(of: server)
                let first = apple.http.calls.count

                apple.clock.advance(by: .seconds(3_000))
                _ = try await reconcile.attempt(of: server)
                let second = apple.http.calls.count
                apple.clock.advance(by: .seconds(700))
                _ = try await reconcile.attempt(of: server)

                #expect(first == second && first > 0)
                // Production and sandbox.
                #expect(apple.http.paths.dropFirst(first) == ["/inApps/v1/notifications/history", "/inApps/v1/notifications/history"])
            }
        }
    }

    @Test("A subscription whose end has passed without a word is asked about after two hours, once")
    func ended() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, reconcile in
                try await apple.buy("sim.period=1d&renewals=0")
                try await apple.post { try await server.post($0) }
                try await server.workOnNotifications()
                _ = try await reconcile.attempt(of: server)
                // Somebody answers Apple, and loses it: nothing counts as failed.
                try await apple.pass(hours: 25) { _ in 200 }
                _ = try await reconcile.attempt(of: server)
                #expect(!apple.http.paths.contains("/inApps/v1/subscriptions/ID"))
                #expect(try await server.standing()?.expirationIntent == nil)

                try await apple.pass(hours: 2) { _ in 200 }
                _ = try await reconcile.attempt(of: server)
                try await apple.pass(hours: 2) { _ in 200 }
                _ = try await reconcile.attempt(of: server)

                #expect(apple.http.paths.count { $0 == "/inApps/v1/subscriptions/ID" } == 1)
                #expect(try await server.standing()?.expirationIntent == .cancelled)
                #expect(try await server.rows("SELECT news_due_at_ms FROM purchase_chain").map(\.values) == [[.null]])
            }
        }
    }

    @Test("The history after an outage goes on where it was read to before")
    func revision() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, reconcile in
                try await apple.buy("sim.period=1d&renewals=60")
                try await apple.post { try await server.post($0) }
                try await apple.pass(hours: 24 * 25) { _ in 200 }
                try await server.workOnNotifications()

                _ = try await reconcile.attempt(of: server)
                let first = apple.http.calls.filter { $0.url.contains("/v2/history/") }.map { $0.url.contains("revision=") }
                try await apple.pass(hours: 48) { _ in 200 }
                _ = try await reconcile.attempt(of: server)
                let second = apple.http.calls.filter { $0.url.contains("/v2/history/") }.dropFirst(first.count).map { $0.url.contains("revision=") }

                #expect(first == [false, true])
                #expect(second == [true])
                #expect(try await server.rows("SELECT DISTINCT transaction_id FROM charge").count == 28)
            }
        }
    }

    @Test("Of a history without news nothing is written again")
    func noNews() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, reconcile in
                try await apple.buy("sim.period=7d&renewals=1")
                try await apple.post { try await server.post($0) }
                try await server.workOnNotifications()
                let database = try #require(server.services.database as? RecordingDatabase)
                func revisions() -> Int { database.recorded.count { $0.statement.text.contains("SET history_revision") } }

                _ = try await reconcile.attempt(of: server)
                let first = revisions()
                apple.clock.advance(by: .seconds(2 * 86_400))
                _ = try await reconcile.attempt(of: server)

                #expect(apple.http.paths.count { $0 == "/inApps/v2/history/ID" } == 2)
                #expect(first == 1)
                #expect(revisions() == first)
            }
        }
    }

    @Test("Without a key nothing is asked")
    func keyless() async throws {
        try await SimulatedStore.run { apple in
            try await apple.server { server, reconcile in
                var configuration = server.services.snapshot.configuration
                configuration.purchases.api = nil
                _ = server.services.configuration.serve(Snapshot(configuration, revision: 8))

                let step = try await reconcile.attempt(of: server)

                #expect(step == .again(atMs: apple.clock.nowMs + AppStoreReconcile.pauseMs))
                #expect(apple.http.calls.isEmpty)
                #expect(try await server.counts(["app_store_progress"]) == [0])
            }
        }
    }
}

extension TestServer {
    /// Posts a body as Apple does.
    func post(_ body: String) async throws -> Int {
        Int(try await send(.post, NotificationRoutes.path, body, phone: nil, key: nil).status.code)
    }

    /// What the facts of each chain add up to.
    func states() async throws -> [ChainState] {
        let rules = services.snapshot.configuration.purchases
        return try await services.database.read { connection in
            let chains = try connection.rows("SELECT DISTINCT chain_id FROM purchase_fact ORDER BY chain_id").map { try $0.text("chain_id") }
            return try chains.compactMap { text in
                guard let chain = ChainID(text) else { return nil }
                let facts = try connection.rows(StoredFact.question, [.text(app.rawValue), .text(text)]).map { try PurchaseFact($0, of: chain) }
                return ChainState.fold(facts, of: chain, rules: rules)
            }
        }
    }

    /// Of the only chain.
    func standing() async throws -> SubscriptionStanding? { try await states().first?.subscription }

    func charges() async throws -> [[SQLValue]] {
        try await rows("SELECT * FROM charge ORDER BY chain_id, transaction_id, kind, number").map(\.values)
    }
}
