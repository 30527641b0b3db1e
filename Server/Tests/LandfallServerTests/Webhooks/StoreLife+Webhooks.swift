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
        var fanOut = WebhookFanOut(store: webhooks, freeDiskShare: { 1 }, telemetry: telemetry)
        fanOut.mostWaiting = 4
        while try await fanOut.pass(to: endpoints, nowMs: now) {}
        let due = try await webhooks.due(at: endpoints[0].key, nowMs: now, most: 9)
        var settlement = WebhookStore.Settlement()
        settlement.failure = "status 500"
        settlement.givenUp = 1
        settlement.retried = due.map { ($0.message, 1, now + 5_000) }
        try await webhooks.settle(settlement, at: endpoints[0].key, nowMs: now)
        settlement = WebhookStore.Settlement()
        settlement.ended = due.map(\.message)
        settlement.delivered = due.count
        try await webhooks.settle(settlement, at: endpoints[0].key, nowMs: now)
        _ = try await webhooks.switchOff(endpoints[1].key, nowMs: now)
        _ = try await webhooks.counts()
        _ = try await webhooks.follow([endpoints[0]])
    }
}
