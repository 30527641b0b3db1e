// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Logging
import Metrics

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// Facts that become messages, a delivery that succeeds, one that fails, one that is given up, and an endpoint that goes off.
    static func webhooks(_ store: TestStore) async throws {
        let now = TestStore.noon, app = TestStore.app, endpoints = [WebhookEndpoint.sample("a"), .sample("b")]
        let webhooks = WebhookStore(store.database, app: app), need = WebhookNeed(endpoints)
        for number in 1...3 {
            guard let note = need.note(of: .firstOpen, nowMs: now + Int64(number)) else { continue }
            let subject = WebhookFact.Subject(profile: ProfileID("p\(number)"), install: InstallID("i\(number)"))
            let fact = WebhookFact(.firstOpen, atMs: now, of: subject) { $0.field("profileId", "it's \(number)") }
            try await store.database.append(note.insertions(of: [fact, fact], into: app))
        }
        let telemetry = WebhookTelemetry(logger: Logger(label: "life") { _ in SwiftLogNoOpLogHandler() }, factory: PrometheusRegistry())
        _ = try await webhooks.follow(endpoints)
        _ = try await webhooks.factCount(upTo: 9)
        var fanOut = WebhookFanOut(store: webhooks, freeDiskShare: { 1 }, telemetry: telemetry)
        fanOut.mostWaiting = 4
        while try await fanOut.pass(to: endpoints, nowMs: now) {}
        let due = try await webhooks.due(at: endpoints[0].key, nowMs: now, most: 9)
        func tried(_ outcome: WebhookTrial.Outcome, retryAtMs: Int64?, _ ending: WebhookDelivery.Ending?) -> [WebhookStore.Tried] {
            due.map { .init(due: $0, trial: WebhookTrial(outcome, status: 500, answer: Array("it's".utf8)), retryAtMs: retryAtMs, ending: ending) }
        }
        var settlement = WebhookStore.Settlement()
        settlement.failure = "status 500"
        settlement.givenUp = 1
        settlement.tried = tried(.failed("status 500"), retryAtMs: now + 5_000, nil)
        try await webhooks.settle(settlement, at: endpoints[0].key, nowMs: now)
        settlement = WebhookStore.Settlement()
        settlement.tried = tried(.delivered, retryAtMs: nil, .delivered)
        settlement.delivered = due.count
        settlement.gone = ["none"]
        try await webhooks.settle(settlement, at: endpoints[0].key, nowMs: now)
        try await again(webhooks, at: endpoints[0].key, nowMs: now)
        _ = try await webhooks.switchOff(endpoints[1].key, nowMs: now)
        _ = try await webhooks.endWaiting(at: endpoints[1].key)
        let line = AuditLine(action: .webhookSwitchedOn, member: "operator", subject: "it's", network: nil)
            .insertion(into: app, id: UUIDv7.make(nowMs: now), nowMs: now)
        _ = try await webhooks.switchOn(endpoints[1].key, noting: line)
        _ = try await webhooks.counts()
        _ = try await webhooks.follow([endpoints[0]])
        _ = try await webhooks.forgetOld(nowMs: now + WebhookKeeping.keptMs + 10)
    }

    /// What the team asks, and sends again.
    private static func again(_ webhooks: WebhookStore, at endpoint: String, nowMs: Int64) async throws {
        let line = AuditLine(action: .webhookReplayed, member: "operator", subject: "it's", network: nil)
            .insertion(into: TestStore.app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
        for isUndelivered in [false, true] {
            _ = try await webhooks.deliveries(at: endpoint, before: nil, isUndelivered: isUndelivered, most: 9)
        }
        let messages = try await webhooks.messages(at: endpoint, after: 0, most: 9)
        _ = try await webhooks.newestSequence()
        if let id = messages.first?.id {
            _ = try await webhooks.delivery(id, at: endpoint)
            _ = try await webhooks.sendAgain(id, at: endpoint, noting: line, nowMs: nowMs)
        }
        _ = try await webhooks.replay(at: endpoint, fromMs: nowMs - 1, toMs: nowMs + 10, noting: line, nowMs: nowMs)
    }
}
