// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallDatabase
import LandfallWire

/// The live store, on either engine. A click is an append, so that many share a commit.
struct SQLClickStore: ClickStore {
    private let database: any Database

    init(_ database: any Database) { self.database = database }

    func record(
        _ clicks: @escaping @Sendable () -> [ClickEntry], of app: AppID,
        then: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        database.write(
            { connection in
                for entry in clicks() {
                    try connection.add(entry.click, app)
                    for one in entry.deferred { try connection.add(one, of: entry.click, app) }
                    if let waiting = entry.waiting { try connection.add(waiting, of: entry.click, app) }
                }
            }, then: then)
    }

    func counts(of app: AppID, fromMs: Int64, toMs: Int64) async throws -> [ClickCount] {
        try await database.read { connection in
            // Ids begin with their time, so the key is the index.
            let rows = try connection.rows(
                """
                SELECT link_host, link_path, clicked_at_ms / 86400000 AS day, COUNT(*) AS clicks,
                  COUNT(DISTINCT visitor) AS visitors
                FROM click
                WHERE app_id = $1 AND click_id >= $2 AND click_id < $3 AND kind = 'person' AND outcome <> 'expired'
                GROUP BY link_host, link_path, clicked_at_ms / 86400000
                """,
                [.text(app.rawValue), .text(UUIDv7.earliest(atMs: fromMs)), .text(UUIDv7.earliest(atMs: toMs))]
            )
            return try rows.map { row in
                ClickCount(
                    host: try row.text("link_host"), path: LinkPath(stored: try row.text("link_path")),
                    day: try row.integer("day"), all: try row.integer("clicks"), unique: try row.integer("visitors")
                )
            }
        }
    }
}

extension WriteConnection {
    fileprivate func add(_ click: Click, _ app: AppID) throws {
        let parameters =
            click.parameters.isEmpty ? nil : String(decoding: try WireCoding.encode(click.parameters), as: UTF8.self)
        try run(
            """
            INSERT INTO click (app_id, click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome, visitor,
              country, tracker, campaign, ad_group, creative, label, channel, parameters)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
            """,
            [
                .text(app.rawValue), .text(click.id), .integer(click.atMs), .text(click.kind.rawValue),
                .text(click.platform.rawValue), .text(click.host), .text(click.path.text), .text(click.outcome.rawValue),
                .integer(click.visitor), .text(click.country), .text(click.labels.tracker), .text(click.labels.campaign),
                .text(click.labels.adGroup), .text(click.labels.creative), .text(click.labels.label),
                .text(click.labels.channel), .text(parameters),
            ]
        )
    }

    fileprivate func add(_ deferred: DeferredClick, of click: Click, _ app: AppID) throws {
        try run(
            """
            INSERT INTO deferred_link (app_id, token_hash, kind, click_id, original, resolved, campaign, ad_group, creative,
              label, channel, link_host, link_path, created_at_ms, expires_at_ms)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
            """,
            [
                .text(app.rawValue), .blob(deferred.token.hash), .text(deferred.token.kind.rawValue), .text(click.id),
                .text(deferred.original), .text(deferred.resolved), .text(click.labels.campaign),
                .text(click.labels.adGroup), .text(click.labels.creative), .text(click.labels.label),
                .text(click.labels.channel), .text(click.host), .text(click.path.text), .integer(click.atMs),
                .integer(click.atMs + deferred.token.lifeMs),
            ]
        )
    }
}

extension UUIDv7 {
    /// Less than every id made at this instant or later.
    static func earliest(atMs: Int64) -> String {
        let digits = String(UInt64(clamping: atMs), radix: 16)
        let stamp = String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        return "\(stamp.prefix(8))-\(stamp.dropFirst(8))-"
    }
}
