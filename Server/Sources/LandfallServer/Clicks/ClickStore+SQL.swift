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
                    try connection.run(entry.click.row.insertion(into: app))
                    for one in entry.deferred { try connection.add(one, of: entry.click, app) }
                    if let waiting = entry.waiting { try connection.add(waiting, of: entry.click, app) }
                }
            }, then: then)
    }
}

extension WriteConnection {
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

extension Click {
    fileprivate var row: ClickRow {
        ClickRow(
            id: id, atMs: atMs, kind: kind.rawValue, platform: platform.rawValue, host: host, path: path.text,
            outcome: outcome.rawValue, visitor: visitor, country: country, labels: labels, parameters: parameters
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
