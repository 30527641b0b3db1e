// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Webhooks and erased people", .timeLimit(.minutes(1)))
struct WebhookErasureTests {
    enum Waiting: CaseIterable { case facts, messages }

    @Test("What waits of an erased person is not sent any more, but that they were erased, by their id alone", arguments: Waiting.allCases)
    func erased(waiting: Waiting) async throws {
        let endpoint = WebhookEndpoint.sample("a", [.firstOpen, .profileErased])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            let profile = try #require(try await server.firstOpen(#"{"attributes":{"plan":"gold"}}"#).profile)
            _ = try await server.firstOpen("{}", phone: Phone(2))
            let work = server.webhooks(by: receivers)
            let endpoints = try #require(try await work.endpoints())
            if waiting == .messages { try await work.fanOutAll(to: endpoints) }

            _ = try await server.services.erasing.erase(.profile(profile.id))
            try await server.bring(by: receivers)

            let bodies = try receivers.bodies(to: endpoint).sorted { $0.type < $1.type }
            #expect(bodies.map(\.type) == ["first_open", "profile.erased"])
            #expect(bodies.first?["installId"] == .string(Phone(2).id))
            #expect(bodies.last?.data.keys.sorted() == ["profileId", "sequence"])
            #expect(bodies.last?["profileId"] == .string(profile.id.rawValue))
            #expect(try await server.counts(["webhook_outbox", "webhook_message", "webhook_delivery"]) == [0, 2, 2])
        }
    }

    @Test("What was delivered about an erased person goes, with what endpoints answered")
    func delivered() async throws {
        let endpoints = [WebhookEndpoint.sample("a", [.firstOpen]), .sample("b", [.firstOpen])]
        try await TestServer.run(telling: endpoints) { server, receivers in
            let profile = try #require(try await server.firstOpen("{}").profile)
            _ = try await server.firstOpen("{}", phone: Phone(2))
            receivers.answer([.text(200, "took \(profile.id.rawValue)")], at: endpoints[0])
            try await server.bring(by: receivers)
            #expect(try await server.counts(["webhook_message", "webhook_delivery"]) == [2, 4])

            _ = try await server.services.erasing.erase(.profile(profile.id))

            #expect(try await server.counts(["webhook_message", "webhook_delivery"]) == [1, 2])
            let left = try await server.services.webhooks.deliveries(to: endpoints[0], before: nil, isUndelivered: false, most: 9).page
            #expect(left.count == 1 && left.allSatisfy { $0.body.contains(Phone(2).id) })
        }
    }

    @Test("Of facts about two people in one transaction, an erasure leaves those of the other one")
    func others() async throws {
        let store = try await TestStore(), webhooks = WebhookStore(store.database, app: TestStore.app)
        let note = try #require(WebhookNeed([.sample("a", [.accessChanged])]).note(of: .accessChanged, nowMs: 1))
        func fact(_ profile: String, _ install: String) -> WebhookFact {
            WebhookFact(.accessChanged, atMs: 1, of: .init(profile: ProfileID(profile), install: InstallID(install))) { $0.field("profileId", profile) }
        }

        let rows = note.insertions(of: [fact("p1", "i1"), fact("p2", "i2"), fact("p1", "i1")], into: TestStore.app)
        try await store.database.append(rows)
        let waiting = try await webhooks.waiting()

        #expect(waiting.map(\.id) == [note.id, note.id + ".1"])
        #expect(waiting.map { $0.facts.components(separatedBy: "\"p1\"").count - 1 } == [2, 0])
        #expect(waiting.map { $0.facts.components(separatedBy: "\"p2\"").count - 1 } == [0, 1])
        #expect(note.insertions(of: [fact("p1", "i1"), fact("p1", "i1")], into: TestStore.app).count == 1)
        #expect(note.insertions(of: [], into: TestStore.app).isEmpty)
    }

    @Test("Facts go first, then deliveries, then messages: of facts that a node takes meanwhile nothing is left")
    func order() async throws {
        try await TestServer.run(telling: [.sample("a", [.firstOpen])]) { server, _ in
            let profile = try #require(try await server.firstOpen("{}").profile)
            let log = try #require(server.services.database as? RecordingDatabase), before = log.recorded.count

            _ = try await server.services.erasing.erase(.profile(profile.id))

            let tables = log.recorded.dropFirst(before).compactMap { $0.statement.text.firstMatch(of: /^DELETE FROM (webhook_\w+)/)?.1 }
            let order: [Substring] = ["webhook_outbox", "webhook_delivery", "webhook_message"]
            #expect(tables.count > 3 && tables == tables.indices.map { order[$0 % 3] })
        }
    }

    @Test("A message that says so outlives another erasure of the same person", arguments: [true, false])
    func survives(isInstall: Bool) async throws {
        let endpoint = WebhookEndpoint.sample("a", [.profileErased])
        try await TestServer.run(telling: [endpoint]) { server, receivers in
            let profile = try #require(try await server.firstOpen("{}").profile)
            let subject: ErasureSubject = isInstall ? .install(InstallID(Phone().id)) : .profile(profile.id)
            _ = try await server.services.erasing.erase(subject)
            let work = server.webhooks(by: receivers)
            try await work.fanOutAll(to: try #require(try await work.endpoints()))

            for again in [subject, .profile(profile.id)] { _ = try await server.services.erasing.erase(again) }
            try await server.bring(by: receivers)

            #expect(try receivers.bodies(to: endpoint).map { $0["profileId"] } == [.string(profile.id.rawValue)])
        }
    }
}
