// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// The live store, on either engine. A batch is one unit: all of it is on disk, or none.
struct SQLEventStore: EventStore {
    private let database: any Database
    private let storeEpoch: Int64

    init(_ database: any Database, _ mark: StoreMark) {
        self.database = database
        self.storeEpoch = mark.epoch
    }

    func record(
        _ batch: EventBatch, _ app: AppID, _ credential: Credential, nowMs: Int64
    ) async throws -> [EventBatchAnswer.Result] {
        try await database.write { [storeEpoch] connection in
            let change = InstallChange(
                app: app, id: credential.installID, storeEpoch: storeEpoch, nowMs: nowMs, connection: connection
            )
            try change.admit(credential)
            let profile = try change.profileID()
            return try batch.events.map { event in
                if let code = event.refusal { return EventBatchAnswer.Result(id: event.id, status: .rejected, code: code) }
                let isNew = try change.append(event, of: profile)
                return EventBatchAnswer.Result(id: event.id, status: isNew ? .accepted : .duplicate)
            }
        }
    }
}

extension InstallChange {
    fileprivate func profileID() throws -> ProfileID {
        let row = try connection.row(
            "SELECT profile_id FROM install WHERE app_id = $1 AND install_id = $2", [.text(app.rawValue), .text(id.rawValue)]
        )
        guard let row else { throw DatabaseError.failed("an install is gone in the middle of its own change") }
        return ProfileID(try row.text("profile_id"))
    }

    /// - Returns: false where the install has sent an event of this id before.
    fileprivate func append(_ event: Event, of profile: ProfileID) throws -> Bool {
        try connection.run(
            """
            INSERT INTO event (app_id, event_id, install_id, profile_id, type, occurred_at_ms, received_at_ms, placement,
              paywall, variation_id, audience, revision, origin)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(event.id), .text(id.rawValue), .text(profile.rawValue), .text(event.type.rawValue),
                .integer(event.occurredAtMs(nowMs: nowMs)), .integer(nowMs), .text(event.placement?.rawValue),
                .text(event.paywall?.rawValue), .text(event.variationId?.rawValue), .text(event.audience?.rawValue),
                .integer(event.revision), .text(event.origin),
            ]
        ) > 0
    }
}
