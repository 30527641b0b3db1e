// SPDX-License-Identifier: Apache-2.0
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// An alert that fires, whose message is tried twice and taken, and that is over; what is measured for others.
    static func alerts(_ store: TestStore) async throws {
        let now = TestStore.noon, alerts = AlertStore(store.database, app: TestStore.app)
        let state = AlertState(
            key: AlertKey(.webhook, "it's.example.com"), sinceMs: now, quietSinceMs: nil, firedAtMs: now, value: 61, limit: 60, detail: "status 500")
        let before = AlertStates(), after = AlertStates([state])
        try await alerts.move(from: before, to: after, telling: [AlertNews(.fired, state, atMs: now)], to: ["team", "chat"], nowMs: now)
        _ = try await alerts.firing()
        for due in try await alerts.due(nowMs: now, most: 9) {
            try await alerts.settle(due, dueAtMs: now + 60_000)
            try await alerts.settle(due, dueAtMs: nil)
        }
        try await alerts.move(from: after, to: before, telling: [], to: [], nowMs: now + 1)
        let facts = AlertFacts(database: store.database, app: TestStore.app)
        _ = try await facts.stored(nowMs: now)
        _ = try await facts.webhooks([.sample()], nowMs: now)
        _ = try await facts.notificationsSilentMs(nowMs: now)
        _ = try await facts.hasNotification(after: now)
        _ = try await StoreWatch.numbers(in: store.database)
    }
}
