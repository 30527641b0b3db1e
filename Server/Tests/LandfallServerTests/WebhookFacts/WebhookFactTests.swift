// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import HummingbirdTesting
import LandfallPurchases
import LandfallTesting
import LandfallWire
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("What endpoints are told", .timeLimit(.minutes(1)))
struct WebhookFactTests {
    private static let open = """
        {"device":{"platform":"ios","locale":"en-US","appVersion":"1.2","deviceId":"d1","storeCountry":"US"},"attributes":{"plan":"gold"},
         "adToken":{"none":"unsupported"}}
        """
    private static let claim = #"{"key":"c","source":"tenjin","status":"non_organic","campaign":"autumn"}"#

    @Test("A first open has the phone, the profile and its attributes")
    func firstOpen() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            let profile = try #require(try await server.firstOpen(Self.open).profile)
            for _ in 0..<2 { try await server.bring(by: receivers) }

            let bodies = try receivers.bodies(to: endpoint)
            #expect(bodies.map(\.type) == ["first_open"])
            let body = try #require(bodies.first)
            #expect(body["profileId"] == .string(profile.id.rawValue) && body["installId"] == .string(Phone().id))
            #expect(body["install.appVersion"] == .string("1.2") && body["install.storeCountry"] == .string("US"))
            #expect(body["attributes.plan"] == .string("gold") && body["attribution.state"] == .string("unavailable"))
            #expect(body["install.deviceId"] == nil)
            #expect(Instant(body.timestamp)?.milliseconds == server.services.time.nowMs())
        }
    }

    @Test("A known phone that opens again is no first open")
    func again() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            _ = try await server.firstOpen(Self.open)
            server.clock.advance(by: .seconds(2 * 86_400))
            _ = try await server.firstOpen(Self.open)
            try await server.bring(by: receivers)

            #expect(receivers.calls(to: endpoint).count == 1)
        }
    }

    @Test("A source that becomes known is told once, with its campaign")
    func attribution() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.attributionDecided])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            _ = try await server.firstOpen("{}")
            for _ in 0..<2 { _ = try await server.send(.post, WirePath.attribution, Self.claim) }
            try await server.bring(by: receivers)

            let bodies = try receivers.bodies(to: endpoint)
            #expect(bodies.count == 1)
            #expect(bodies.first?["attribution.source"] == .string("tenjin") && bodies.first?["attribution.campaign"] == .string("autumn"))
        }
    }

    @Test("A tap on a link of a person is told, one of a program is not")
    func click() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.linkClicked])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            let store = SQLClickStore(server.services.database, webhooks: server.services.configuration.webhooks)
            for kind in [ClickKind.person, .bot] {
                let nowMs = server.services.time.nowMs()
                let click = Click(
                    id: UUIDv7.make(nowMs: nowMs), atMs: nowMs, kind: kind, platform: .ios, host: "brandname.go.link",
                    path: LinkPath(stored: "/beach"), outcome: .store, country: "DE", labels: LinkLabels(campaign: "summer"))
                try await store.record(ClickEntry(click: click), of: server.app)
            }
            try await server.bring(by: receivers)

            let bodies = try receivers.bodies(to: endpoint)
            #expect(bodies.count == 1)
            #expect(bodies.first?["link.path"] == .string("/beach") && bodies.first?["link.campaign"] == .string("summer"))
            #expect(bodies.first?["profileId"] == nil && bodies.first?.sequence == 1)
        }
    }

    @Test("A link that reaches the app is told with its link, and may decide the source in the same row")
    func opened() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.linkOpened, .attributionDecided])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            _ = try await server.firstOpen(
                #"{"links":[{"key":"k","url":"https://brandname.go.link/beach","ageMilliseconds":4}]}"#)
            #expect(try await server.counts(["webhook_outbox"]) == [1])
            try await server.bring(by: receivers)

            let bodies = try receivers.bodies(to: endpoint).sorted { $0.type < $1.type }
            #expect(bodies.map(\.type) == ["attribution.decided", "link.opened"])
            #expect(bodies.last?["link.campaign"] == .string("summer") && bodies.first?["attribution.source"] == .string("link"))
            #expect(Set(receivers.calls(to: endpoint).compactMap { $0.headers["webhook-id"] }).count == 2)
        }
    }

    @Test("A purchase is told with its money, from a phone and from Apple, once; and what it opens")
    func purchase() async throws {
        let clock = ManualClock(), signed = try SignedStore(nowMs: clock.nowMs)
        let endpoint = WebhookEndpoint.sample("a", [.purchaseRecorded, .accessChanged])
        try await TestServer.run(telling: [endpoint], trust: signed.trust()) { server, receivers in
            _ = try await server.firstOpen(Self.open)
            _ = try await server.report([try signed.transaction()], .purchase)
            _ = try await server.notify(signed.subscribed())
            try await server.workOnNotifications()
            try await server.bring(by: receivers)

            let bodies = try receivers.bodies(to: endpoint)
            let bought = bodies.filter { $0.type == "purchase.recorded" }
            #expect(bought.count == 1)
            #expect(bought.first?["purchase.money.milliunits"] == .integer(9_990) && bought.first?["purchase.money.currency"] == .string("EUR"))
            #expect(bought.first?["purchase.kind"] == .string("purchase") && bought.first?["purchase.transactionId"] == .string("2"))
            #expect(bought.first?["installId"] == .string(Phone().id) && bought.first?["install.appVersion"] == .string("1.2"))
            let changes = bodies.filter { $0.type == "access.changed" }
            #expect(!changes.isEmpty && changes.allSatisfy { $0["access.subscriptions"] != nil })
        }
    }

    @Test("A paywall that was shown is told with placement and paywall, once")
    func paywall() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.paywallShown])
        let events = """
            {"events":[{"id":"0198f0c2-7b1a-7c3d-8e4f-000003000000","type":"paywall_shown","ageMilliseconds":0,"placement":"onboarding","paywall":"default"},
             {"id":"0198f0c2-7b1a-7c3d-8e4f-000003000001","type":"signed_up","ageMilliseconds":0}]}
            """
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            _ = try await server.firstOpen(Self.open)
            for _ in 0..<2 { #expect(try await server.send(.post, WirePath.events, events).status == .ok) }
            try await server.bring(by: receivers)

            let bodies = try receivers.bodies(to: endpoint)
            #expect(bodies.map(\.type) == ["paywall.shown"])
            #expect(bodies.first?["placement"] == .string("onboarding") && bodies.first?["paywall"] == .string("default"))
            #expect(bodies.first?["install.appVersion"] == .string("1.2"))
        }
    }

    @Test("An assignment to an experiment is told with its variation, once")
    func assignment() async throws {
        let endpoint = WebhookEndpoint.sample("a", [.experimentAssigned]), yaml = ExperimentServer.yaml()
        try await ExperimentServer.run(yaml) { experiments in
            let server = experiments.server, receivers = WebhookReceivers()
            server.serve([endpoint], epochs: ["spring-price": 1])
            for _ in 0..<2 { _ = try await server.firstOpen(#"{"placements":[{"id":"home"}]}"#) }
            try await server.bring(by: receivers)

            let bodies = try receivers.bodies(to: endpoint)
            #expect(bodies.map(\.type) == ["experiment.assigned"])
            #expect(bodies.first?["experiment"] == .string("spring-price"))
            #expect([.string("A"), .string("B")].contains(bodies.first?["variation"]))
        }
    }

    @Test("Everything that one call says is one row, and without an endpoint that wants it there is none")
    func oneRow() async throws {
        func writes(_ endpoints: [WebhookEndpoint], rows: Int64) async throws -> Int {
            let writes = Mutex(0)
            try await TestServer.run(telling: endpoints) { server, _ in
                let log = try #require(server.services.database as? RecordingDatabase)
                let before = log.recorded.count
                _ = try await server.firstOpen(
                    #"{"device":{"deviceId":"d1"},"adToken":{"value":"t1"},"links":[{"key":"k","url":"https://brandname.go.link/beach","ageMilliseconds":4}]}"#)
                let count = log.recorded.dropFirst(before).filter { !$0.statement.text.hasPrefix("SELECT") }.count
                writes.withLock { $0 = count }
                let stored = try await server.counts(["webhook_outbox"])
                #expect(stored == [rows])
            }
            return writes.withLock(\.self)
        }

        let without = try await writes([], rows: 0)
        let wanted = try await writes([.sample()], rows: 1), unwanted = try await writes([.sample("b", [.paywallShown])], rows: 0)

        #expect(wanted == without + 1)
        #expect(unwanted == without)
    }

    @Test("A call that fails leaves no row: it is in the transaction of its fact")
    func together() async throws {
        let store = try await TestStore(), need = WebhookNeed([.sample()])
        let installs = SQLInstallStore(store.database, store.mark, webhooks: need)
        _ = try await installs.open(TestStore.app, .mayasPhone, Opening(device: DeviceFacts(), adToken: .none(.noToken)), nowMs: TestStore.noon)
        #expect(try await store.count(of: "webhook_outbox") == 1)

        await #expect(throws: (any Error).self) {
            try await installs.change(TestStore.app, .omarsPhone, nowMs: TestStore.noon) { _ in throw InstallError.invalidValue("no") }
        }

        #expect(try await store.count(of: "webhook_outbox") == 1)
        #expect(try await store.count(of: "install") == 1)
    }
}
