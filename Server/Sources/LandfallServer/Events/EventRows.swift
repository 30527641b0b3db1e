// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// The events of a batch as rows. One statement has many rows, so that a batch needs few statements.
struct EventRows {
    let app: AppID
    let install: InstallID
    let nowMs: Int64

    /// Takes the ids that this install has not used before.
    /// - Returns: those ids, each once.
    func take(_ ids: [String], _ connection: any WriteConnection) throws -> Set<String> {
        let shared: [SQLValue] = [.text(app.rawValue), .text(install.rawValue), .integer(nowMs)]
        return try Self.keys.statements(shared: shared, rows: ids.map { [.text($0)] }).reduce(into: []) { new, statement in
            for row in try connection.rows(statement) { new.insert(try row.text("event_id")) }
        }
    }

    struct Row {
        /// The server's own id.
        let id: String
        let event: Event
        var content: EventContent?
        /// The values by which an exposure is explained later.
        var kept: KeptFacts?
    }

    /// - Parameter others: statements that go in the same round trip.
    func add(_ rows: [Row], of profile: ProfileID, and others: [Statement] = [], _ connection: any WriteConnection) throws {
        let shared: [SQLValue] = [
            .text(app.rawValue), .text(install.rawValue), .text(profile.rawValue), .integer(nowMs),
        ]
        // Most events are exposures; they have no columns for values that only own events carry.
        let bare = rows.filter { $0.content == nil }.map { values($0) + [.text($0.kept?.text), .integer($0.event.keptElapsedMs)] }
        let own = rows.compactMap { row in row.content.map { values(row) + values($0) } }
        try connection.batch(
            (bare.isEmpty ? [] : Self.events.statements(shared: shared, rows: bare))
                + (own.isEmpty ? [] : Self.ownEvents.statements(shared: shared, rows: own)) + others)
    }

    private func values(_ row: Row) -> [SQLValue] {
        let event = row.event
        return [
            .text(row.id), .text(event.id), .text(event.type.rawValue), .integer(event.occurredAtMs(nowMs: nowMs)),
            .text(event.placement?.rawValue), .text(event.paywall?.rawValue), .text(event.variationId?.rawValue),
            .text(event.audience?.rawValue), .integer(event.keptRevision), .text(event.origin),
        ]
    }

    private func values(_ content: EventContent) -> [SQLValue] {
        [.integer(content.milliunits), .text(content.currency), .text(content.properties)]
    }

    private static let keys = RowsText(
        "INSERT INTO event_key (app_id, install_id, received_at_ms, event_id)", shared: 3, columns: 1,
        then: "ON CONFLICT DO NOTHING RETURNING event_id"
    )
    private static let events = RowsText(
        """
        INSERT INTO event (app_id, install_id, profile_id, received_at_ms, id, event_id, type, occurred_at_ms, placement,
          paywall, variation_id, audience, revision, origin, kept, elapsed_ms)
        """, shared: 4, columns: 12, then: "ON CONFLICT DO NOTHING"
    )
    private static let ownEvents = RowsText(
        """
        INSERT INTO event (app_id, install_id, profile_id, received_at_ms, id, event_id, type, occurred_at_ms, placement,
          paywall, variation_id, audience, revision, origin, value_milliunits, currency, properties)
        """, shared: 4, columns: 13, then: "ON CONFLICT DO NOTHING"
    )
}
