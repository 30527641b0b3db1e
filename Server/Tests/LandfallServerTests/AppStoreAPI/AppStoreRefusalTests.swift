// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallSimulator
import LandfallTesting
import LandfallWire
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Apple's limits and refusals", .timeLimit(.minutes(1)))
struct AppStoreRefusalTests {
    @Test("After 429 nothing is asked before the instant that Apple names, and then the work goes on")
    func limited() async throws {
        try await SimulatedStore.run(callsPerHour: 4) { apple in
            try await apple.server { server, reconcile in
                for _ in 0..<4 { try await apple.buy("sim.period=1d&renewals=9") }
                try await apple.post { try await server.post($0) }
                try await server.workOnNotifications()
                let startedAtMs = apple.clock.nowMs

                let step = try await reconcile.attempt(of: server)
                let calls = apple.http.calls.count
                let early = try await reconcile.attempt(of: server)
                guard case .again(let atMs) = step else {
                    Issue.record("\(step)")
                    return
                }
                // The first call began Apple's hour.
                #expect(atMs >= startedAtMs + 3_600_000 && atMs < startedAtMs + 3_601_000)
                #expect(early == step && calls == 5 && apple.http.calls.count == 5)
                apple.clock.advance(by: .milliseconds(atMs - apple.clock.nowMs))
                _ = try await reconcile.attempt(of: server)

                // Two questions for notifications in each hour, four histories, and one call that was refused.
                #expect(apple.http.calls.count == 9)
                #expect(try await reconcile.state(of: server).walk == nil)
                // The question before that instant counts as limited too, and was not sent.
                #expect(server.services.metrics.text().contains(#"landfall_app_store_api_calls_total{call="history",outcome="limited"} 2"#))
            }
        }
    }

    @Test("A key that the sandbox refuses too is said once, and nothing is asked until a day has passed or another one is there")
    func unauthorized() async throws {
        try await SimulatedStore.run(app: SimulatedApp(bundleID: "com.example.other")) { apple in
            try await apple.server { server, reconcile in
                let step = try await reconcile.attempt(of: server)
                _ = try await reconcile.attempt(of: server)

                #expect(step == .again(atMs: apple.clock.nowMs + AppStoreReconcile.pauseMs))
                // Production and sandbox.
                #expect(apple.http.calls.count == 2)
                #expect(try await reconcile.state(of: server).problem?.contains("Compare issuerId, keyId and the .p8 file") == true)

                var configuration = server.services.snapshot.configuration
                configuration.purchases.api = .sample("KEY7654321")
                _ = server.services.configuration.serve(Snapshot(configuration, revision: 8))
                _ = try await reconcile.attempt(of: server)
                #expect(apple.http.calls.count == 4)

                apple.clock.advance(by: .seconds(86_399))
                _ = try await reconcile.attempt(of: server)
                #expect(apple.http.calls.count == 4)
                apple.clock.advance(by: .seconds(1))
                _ = try await reconcile.attempt(of: server)
                #expect(apple.http.calls.count == 6)
            }
        }
    }

    @Test("Before the first release production refuses every key, and the sandbox is asked all the same")
    func unreleased() async throws {
        try await SimulatedStore.run { apple in
            let http = UnreleasedApp()
            try await apple.server(http, hosts: .apple) { server, reconcile in
                let step = try await reconcile.attempt(of: server)
                let state = try await reconcile.state(of: server)
                let health = try await AppStoreHealth(server.services.database, of: server.app, nowMs: apple.clock.nowMs)
                _ = try await reconcile.attempt(of: server)

                #expect(step == .again(atMs: apple.clock.nowMs + AppStoreReconcile.pauseMs))
                #expect(http.hosts == ["api.storekit.apple.com", "api.storekit-sandbox.apple.com"])
                #expect(state.problem == nil && state.refusedKey == nil && state.succeededAtMs != nil)
                #expect(state.production.untilMs == nil && state.sandbox.untilMs == apple.clock.nowMs)
                #expect(health.isUnreleased && health.problem == nil)

                // Apple has released it.
                http.release()
                apple.clock.advance(by: .seconds(3_600))
                _ = try await reconcile.attempt(of: server)

                #expect(http.hosts.count == 4)
                #expect(try await reconcile.state(of: server).production == ReconcileState.Heard(untilMs: apple.clock.nowMs))
            }
        }
    }

    @Test("A text in an answer that Apple has not signed is left out, and what is genuine beside it counts")
    func forged() async throws {
        try await SimulatedStore.run { apple in
            let stranger = try SignedStore(nowMs: apple.clock.nowMs)
            let genuine = try apple.signed.transaction("12", of: "12"), forged = try stranger.transaction("13", of: "13")
            let item = try apple.signed.notification("00000000-0000-4000-8000-000000000001", data: ["signedTransactionInfo": forged])
            let answers = [
                "/inApps/v1/notifications/history": #"{"hasMore":false,"notificationHistory":[{"signedPayload":"\#(item)"}]}"#,
                "/inApps/v2/history/1": #"{"hasMore":false,"revision":"r","signedTransactions":["\#(forged)","\#(genuine)","a.b.c"]}"#,
            ]
            try await apple.server(ScriptedHTTP(answers)) { server, reconcile in
                _ = try await server.notify(apple.signed.subscribed())
                try await server.workOnNotifications()

                _ = try await reconcile.attempt(of: server)
                try await server.workOnNotifications()

                #expect(try await server.rows("SELECT chain_id FROM purchase_chain ORDER BY chain_id").map(\.values) == [[.text("Production:1")], [.text("Production:12")]])
                // In production and in the sandbox, and two of the history.
                #expect(server.services.metrics.text().contains(#"landfall_app_store_reconciled_total{kind="refused"} 4"#))
            }
        }
    }

    @Test("What passes is tried again later, and said to people once", arguments: [(500, "{}"), (404, #"{"errorCode":4040004}"#), (200, "[")])
    func passing(status: Int, body: String) async throws {
        try await SimulatedStore.run { apple in
            try await apple.server(ScriptedHTTP(status: status, body)) { server, reconcile in
                let step = try await reconcile.attempt(of: server)

                guard case .retry(let atMs) = step else {
                    Issue.record("\(step)")
                    return
                }
                #expect(atMs > apple.clock.nowMs && atMs < apple.clock.nowMs + 2_000)
                #expect(try await reconcile.state(of: server).problem?.contains("The server asks again") == true)
            }
        }
    }

    @Test("A key file that is missing is said, and the rest of the server knows nothing of it")
    func missingKey() async throws {
        let key = AppStoreKey(issuerID: "00000000-0000-4000-8000-0000000000aa", keyID: "K", privateKey: .file("nowhere.p8"))
        try await SimulatedStore.run { apple in
            try await apple.server(key: key) { server, reconcile in
                _ = try await reconcile.attempt(of: server)

                #expect(apple.http.calls.isEmpty)
                #expect(try await reconcile.state(of: server).problem?.contains("'nowhere.p8' of 'privateKeyFile'") == true)
                #expect(try await server.notify(apple.signed.subscribed()).status == .ok)
            }
        }
    }
}

/// Nothing has failed, and production knows no key until the app is released.
final class UnreleasedApp: OutboundHTTP {
    private struct State {
        var isReleased = false
        var hosts: [String] = []
    }

    private let state = Mutex(State())

    /// Of each call, in order.
    var hosts: [String] { state.withLock(\.hosts) }

    func release() { state.withLock { $0.isReleased = true } }

    func send(_ call: OutboundCall) async throws -> OutboundReply {
        let host = URL(string: call.url)?.host() ?? ""
        let isReleased = state.withLock { state in
            state.hosts.append(host)
            return state.isReleased
        }
        guard isReleased || host != "api.storekit.apple.com" else { return OutboundReply(status: 401, body: Array("Unauthenticated".utf8)) }
        return OutboundReply(status: 200, body: Array(#"{"hasMore":false,"notificationHistory":[]}"#.utf8))
    }
}

/// Answers by path; everything else is unknown to Apple.
struct ScriptedHTTP: OutboundHTTP {
    private let answer: @Sendable (String) -> OutboundReply

    init(_ answers: [String: String]) {
        answer = { path in
            answers[path].map { OutboundReply(status: 200, body: Array($0.utf8)) }
                ?? OutboundReply(status: 404, body: Array(#"{"errorCode":4040010}"#.utf8))
        }
    }

    init(status: Int, _ body: String) { answer = { _ in OutboundReply(status: status, body: Array(body.utf8)) } }

    func send(_ call: OutboundCall) async throws -> OutboundReply { answer(URL(string: call.url)?.path() ?? "") }
}
