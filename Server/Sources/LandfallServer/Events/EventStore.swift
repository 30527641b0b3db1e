// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire

/// Stores the events of apps, on either engine. A batch that fails midway is sent again; the events that are stored already are then
/// duplicates.
package struct EventStore: Sendable {
    /// Events of one unit. Interactive writes go between two units and need not wait for a whole batch.
    static let largestUnit = 100

    private let database: any Database
    private let storeEpoch: Int64
    private let feed: LiveFeed?
    private let webhooks: WebhookNeed

    package init(_ database: any Database, _ mark: StoreMark, feed: LiveFeed? = nil, webhooks: WebhookNeed = WebhookNeed()) {
        self.feed = feed
        self.webhooks = webhooks
        self.database = database
        self.storeEpoch = mark.epoch
    }

    /// One result an event, in the order sent; all of them are final and on disk when this returns.
    /// - Parameter declared: the app's own events. What others carry beside their type is not kept.
    /// - Throws: ``InstallError/profileMismatch``, `DatabaseError`, `CancellationError`; then the first events of a large
    ///   batch may be stored, and are duplicates when it is sent again.
    func record(
        _ batch: EventBatch, _ app: AppID, _ credential: Credential,
        declared: [Event.Kind: EventDeclaration] = [:], by snapshot: Snapshot? = nil, nowMs: Int64
    ) async throws -> [EventBatchAnswer.Result] {
        let arrivals = batch.events.map { event in
            Arrival(
                event: event, id: UUIDv7.make(nowMs: nowMs), content: declared[event.type]?.content(of: event),
                refusal: event.refusal, isCounted: event.type == .paywallShown || declared[event.type] != nil)
        }
        // Each unit adds a row of its own, with an id of its own.
        func unit() -> InstallUnit {
            InstallUnit(
                app, credential.installID, credential, storeEpoch: storeEpoch, nowMs: nowMs, webhook: webhooks.eventNote(nowMs: nowMs))
        }
        // A batch without events is also checked: may the install send events?
        var results: [EventBatchAnswer.Result] = []
        repeat {
            let part = arrivals.dropFirst(results.count).prefix(Self.largestUnit)
            let partResults = try await record(Array(part), unit(), by: snapshot)
            if let feed {
                let stored = zip(part, partResults).filter { $0.1.status == .accepted }.map(\.0.event)
                feed.stored(stored, of: credential.installID, nowMs: nowMs)
            }
            results += partResults
        } while results.count < arrivals.count
        return results
    }

    private func record(
        _ arrivals: [Arrival], _ unit: InstallUnit, by snapshot: Snapshot?
    ) async throws -> [EventBatchAnswer.Result] {
        try await database.write(.bulk, locking: InstallQuestions().locks(of: unit)) { connection in
            let (profile, createdAtMs, admitted) = try unit.admit(in: connection, holdingFacts: true)
            let rows = EventRows(app: unit.app, install: unit.id, nowMs: unit.nowMs)
            var new = try rows.take(arrivals.filter { $0.refusal == nil }.map(\.event.id), connection)
            var added: [EventRows.Row] = []
            let results = arrivals.map { arrival in
                let id = arrival.event.id
                if let code = arrival.refusal { return EventBatchAnswer.Result(id: id, status: .rejected, code: code) }
                guard new.remove(id) != nil else { return EventBatchAnswer.Result(id: id, status: .duplicate) }
                added.append(EventRows.Row(id: arrival.id, event: arrival.event, content: arrival.content))
                return EventBatchAnswer.Result(id: id, status: .accepted)
            }
            var assigned: [UnitAssignment] = []
            if !added.isEmpty {
                let kept = try snapshot.map { try unit.kept(of: added.map(\.event), by: $0, connection) } ?? [:]
                for index in added.indices { added[index].kept = kept[added[index].event.id] }
                let stored = Set(added.map(\.id))
                var activity = InstallActivity()
                for row in added { activity.insert(atMs: row.event.occurredAtMs(nowMs: unit.nowMs), sinceMs: createdAtMs) }
                let isCounted = arrivals.contains { $0.isCounted && stored.contains($0.id) } || !activity.asked.isEmpty
                let marks = (activity.isEmpty ? [] : [activity.insertion(of: unit.id, into: unit.app)]) + (isCounted ? [unit.reportMark] : [])
                try rows.add(added, of: profile, and: marks, connection)
                assigned = try snapshot.map { try ExperimentEvents(unit: unit, snapshot: $0).record(added.map(\.event), connection) } ?? []
                if !assigned.isEmpty { connection.tell(.install(unit.id, in: unit.app)) }
            }
            for row in try unit.telling(admitted, added.map(\.event), assigned, connection) { try connection.run(row) }
            return results
        }
    }

    /// An event with everything that is drawn or decided before the unit begins, because an engine may run a unit again.
    private struct Arrival: Sendable {
        let event: Event
        /// The server's own id, the key of the row.
        let id: String
        /// The part of an own event that is kept.
        let content: EventContent?
        /// Why it can never be stored; nil if it can.
        let refusal: ErrorCode?
        /// Whether a report can count it. No metric reads an undeclared type.
        let isCounted: Bool
    }
}
