// SPDX-License-Identifier: Apache-2.0
package import LandfallPurchases
package import LandfallRules
package import LandfallStore
import Synchronization

extension JobKind {
    /// The work on one notification of the App Store.
    package static let notification = JobKind(rawValue: "app_store_notification")
}

/// What identifies a notification of an app; Apple sends a repetition under the same name.
struct NotificationName: Hashable, Sendable {
    /// Empty if the notification does not say it.
    let environment: String
    let uuid: String

    init(environment: String, uuid: String) { (self.environment, self.uuid) = (environment, uuid) }

    init(_ signed: SignedNotification) { self.init(environment: signed.environment?.rawValue ?? "", uuid: signed.notification.id) }

    /// Reads a job's key; nil for another text.
    init?(key: String) {
        guard let colon = key.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        environment = String(key[..<colon])
        uuid = String(key[key.utf8.index(after: colon)...])
    }

    var key: String { "\(environment):\(uuid)" }

    func values(of app: AppID) -> [SQLValue] { [.text(app.rawValue), .text(environment), .text(uuid)] }
}

/// Notifications of the App Store as they came: stored once, and worked on by a job.
package struct NotificationStore: Sendable {
    /// A notification that waits.
    struct Waiting: Hashable, Sendable {
        /// As Apple sent it, byte for byte.
        let signedPayload: String
        let receivedAtMs: Int64
    }

    let database: any Database
    private let places: JobSlots?
    private let headers: StoredHeaders

    /// - Parameters:
    ///   - places: of this node's runner. With a free place, the work begins after the commit that stores the notification.
    ///   - headers: what this node has stored of the certificates.
    package init(_ database: any Database, places: JobSlots? = nil, headers: StoredHeaders = StoredHeaders()) {
        (self.database, self.places, self.headers) = (database, places, headers)
    }

    /// Returns after the notification is on disk, with the job that works on it.
    /// - Parameter forwarding: the body for the second receiver; nil without one.
    /// - Returns: false if it was there already.
    func add(_ signed: SignedNotification, to app: AppID, forwarding: ForwardedBody? = nil, nowMs: Int64) async throws -> Bool {
        let name = NotificationName(signed), jws = signed.jws
        let insertion = signed.insertion(name, into: app, isForwarded: forwarding != nil, nowMs: nowMs)
        let lease = places?.reserve(.notification, nowMs: nowMs)
        let jobName = JobName(app: app, kind: .notification, key: name.key)
        var isTaken = false
        defer { if lease != nil, !isTaken { places?.giveBack(.notification) } }
        let more =
            (headers.contains(jws.headerHash) ? [] : [jws.headerInsertion(into: app)])
            + [jobName.insertion(dueAtMs: nowMs, lease: lease)]
            + (try forwarding.map { body in
                [JobName(app: app, kind: .appStoreForwarding, key: name.key).insertion(payload: try body.payload(), dueAtMs: nowMs)]
            } ?? [])
        let isNew = try await database.write(.interactive, locking: []) { connection in
            guard try connection.run(insertion) > 0 else { return false }
            try connection.batch(more)
            if lease == nil || forwarding != nil { connection.tell(.job) }
            return true
        }
        guard isNew else { return false }
        headers.insert(jws.headerHash)
        if let lease {
            isTaken = true
            places?.begin(
                Job(name: jobName, install: nil, payload: "", attempts: 1, createdAtMs: nowMs, leaseUntilMs: lease.untilMs))
        }
        return true
    }

    /// Nil if it was worked on.
    func waiting(_ name: NotificationName, in app: AppID) async throws -> Waiting? {
        try await database.read { [headers] connection in
            let row = try connection.row(
                """
                SELECT n.payload, n.signature, n.received_at_ms, h.header
                FROM app_store_notification n LEFT JOIN jws_header h ON h.app_id = n.app_id AND h.header_hash = n.header_hash
                WHERE n.app_id = $1 AND n.environment = $2 AND n.notification_uuid = $3 AND n.processed_at_ms IS NULL
                """, name.values(of: app))
            return try row.map { row in
                guard let header = row.optionalText("header") else {
                    // The database has lost it, as in a failover to a standby that is behind. The next text of this leaf stores it again.
                    headers.forget()
                    throw DatabaseError.unexpectedValue(column: "header")
                }
                return Waiting(
                    signedPayload: try JWSText.joined(header, row.blob("payload"), row.blob("signature")),
                    receivedAtMs: try row.integer("received_at_ms"))
            }
        }
    }

    /// Keeps the body of a notification that cannot be worked on, and ends its job.
    func keep(_ name: NotificationName, because reason: KeptNotification, _ job: Job, nowMs: Int64) async throws {
        let statements = [name.ending(in: job.name.app, reason: reason, keepsBody: true, nowMs: nowMs), job.deletion]
        try await database.write(.bulk, locking: []) { _ = try $0.batch(statements) }
    }
}

extension NotificationName {
    /// For as long Apple can be asked about a notification.
    static let keptMs: Int64 = 180 * Retention.dayMs
    /// Somebody may look at what was not understood.
    private static let keptUnclearMs: Int64 = 400 * Retention.dayMs

    /// Nothing waits for the notification any more.
    func ending(in app: AppID, reason: KeptNotification?, keepsBody: Bool, nowMs: Int64) -> Statement {
        Statement(
            """
            UPDATE app_store_notification SET processed_at_ms = $4, reason = $5, expires_at_ms = $6, is_in_facts = CASE WHEN $7 = 0 THEN 0 ELSE 1 END,
              payload = CASE WHEN $7 = 0 OR forwarding = 'waiting' THEN payload END,
              signature = CASE WHEN $7 = 0 OR forwarding = 'waiting' THEN signature END
            WHERE app_id = $1 AND environment = $2 AND notification_uuid = $3
            """,
            values(of: app) + [
                .integer(nowMs), .text(reason?.rawValue), .integer(nowMs + (reason == nil ? Self.keptMs : Self.keptUnclearMs)),
                .flag(!keepsBody),
            ])
    }
}

extension SignedNotification {
    fileprivate func insertion(_ name: NotificationName, into app: AppID, isForwarded: Bool, nowMs: Int64) -> Statement {
        Statement(
            """
            INSERT INTO app_store_notification (
              app_id, environment, notification_uuid, type, subtype, signed_at_ms, received_at_ms, header_hash, payload, signature,
              forwarding
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT DO NOTHING
            """,
            name.values(of: app) + [
                .text(notification.kind.rawValue), .text(notification.subkind?.rawValue), .integer(jws.signedAtMs), .integer(nowMs),
                .blob(jws.headerHash), .blob(jws.payloadBytes), .blob(jws.signatureBytes), .text(isForwarded ? Forwarding.waiting.rawValue : nil),
            ])
    }
}

extension VerifiedJWS {
    /// The header of all that the same leaf has signed.
    package func headerInsertion(into app: AppID) -> Statement {
        Statement(
            "INSERT INTO jws_header (app_id, header_hash, header) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            [.text(app.rawValue), .blob(headerHash), .text(header)])
    }
}

extension Collection<VerifiedJWS> {
    /// In which their headers are stored: two nodes with the same new headers do not wait for each other.
    var inOneOrder: [VerifiedJWS] { sorted { $0.headerHash.lexicographicallyPrecedes($1.headerHash) } }
}

/// Headers that this node has stored. A few hashes: one leaf signs for years.
package final class StoredHeaders: Sendable {
    private static let most = 256
    private let hashes = Mutex<Set<[UInt8]>>([])

    package init() {}

    func contains(_ hash: [UInt8]) -> Bool { hashes.withLock { $0.contains(hash) } }

    func forget() { hashes.withLock { $0 = [] } }

    func insert(_ hash: [UInt8]) {
        hashes.withLock { hashes in
            if hashes.count >= Self.most { hashes = [] }
            hashes.insert(hash)
        }
    }
}
