// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallWire

/// `POST /v1/events`: a batch, answered event by event.
package struct EventRoutes: Sendable {
    static let bodyLimit = 1024 * 1024
    static let mostEvents = 500
    package let events: EventStore
    package let time: ServerTime

    package init(events: EventStore, time: ServerTime) {
        (self.events, self.time) = (events, time)
    }

    @Sendable package func record(_ request: Request, context: AppContext) async throws -> Answer<EventBatchAnswer> {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let batch = try await request.decoded(as: EventBatch.self, upTo: Self.bodyLimit)
        guard (1...Self.mostEvents).contains(batch.events.count) else {
            throw RequestError.invalid("events", "1 to \(Self.mostEvents) events in one call.")
        }
        let results = try await events.record(
            batch, caller.app, credential, declared: context.snapshot.events, by: context.snapshot, nowMs: time.nowMs())
        return Answer(EventBatchAnswer(results: results))
    }
}
