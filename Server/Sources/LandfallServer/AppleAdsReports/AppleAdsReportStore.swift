// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

/// An ad account as the store knows it.
package struct StoredAdAccount: Hashable, Sendable {
    package let account: AppleAdsAccount
    /// False: it is not among those of the file, or Apple does not list it any more.
    package let isRead: Bool
    /// Since 1970, UTC: the first day whose spend was read.
    package var oldestDay: Int?
    /// The UTC day on which spend was read last.
    package var readDay: Int?
    package var trouble: AppleAdsTrouble?
}

/// Writes what Apple Ads says. Nobody waits for it: each transaction is small, and none holds a lock.
package struct AppleAdsReportStore: Sendable {
    /// Rows of one transaction.
    static let lot = 200

    let database: any Database
    let app: AppID

    package init(_ database: any Database, app: AppID) { (self.database, self.app) = (database, app) }

    // MARK: - Accounts

    package func accounts() async throws -> [StoredAdAccount] {
        try await database.read { [app] connection in
            try connection.rows(Self.accountsText, [.text(app.rawValue)]).map { row in
                let roles = try row.text("roles").split(separator: ",").map(String.init)
                var stored = StoredAdAccount(
                    account: AppleAdsAccount(
                        id: try row.integer("account_id"), name: try row.text("name"), organisation: row.optionalInteger("organisation"),
                        roles: roles),
                    isRead: try row.flag("is_read"))
                stored.oldestDay = row.optionalInteger("oldest_day").map { Int($0) }
                stored.readDay = row.optionalInteger("read_day").map { Int($0) }
                stored.trouble = AppleAdsTrouble(stored: row)
                return stored
            }
        }
    }

    /// What Apple lists now. Others stay, and are read no more.
    /// - Parameter read: the accounts that the file wants.
    func keep(_ accounts: [AppleAdsAccount], read: Set<Int64>) async throws {
        try await database.write(.bulk, locking: []) { [app] connection in
            try connection.run("UPDATE apple_ads_account SET is_read = 0 WHERE app_id = $1", [.text(app.rawValue)])
            try connection.batch(
                accounts.map { account in
                    Statement(
                        """
                        INSERT INTO apple_ads_account (app_id, account_id, name, organisation, roles, is_read)
                        VALUES ($1, $2, $3, $4, $5, $6)
                        ON CONFLICT (app_id, account_id) DO UPDATE SET
                          name = excluded.name, organisation = excluded.organisation, roles = excluded.roles, is_read = excluded.is_read
                        """,
                        [
                            .text(app.rawValue), .integer(account.id), .text(account.name), .integer(account.organisation),
                            .text(account.roles.joined(separator: ",")), .flag(read.contains(account.id)),
                        ])
                })
        }
    }

    /// - Parameter day: the UTC day on which all spend of `days` was read; nil: only the trouble is new.
    func finished(_ account: Int64, _ trouble: AppleAdsTrouble?, readOn day: Int?, days: ClosedRange<Int>?) async throws {
        try await database.write(.bulk, locking: []) { [app] connection in
            _ = try connection.run(
                """
                UPDATE apple_ads_account SET
                  trouble = $3, detail = $4, read_day = COALESCE($5, read_day),
                  oldest_day = CASE WHEN oldest_day <= $6 THEN oldest_day ELSE COALESCE($6, oldest_day) END
                WHERE app_id = $1 AND account_id = $2
                """,
                [
                    .text(app.rawValue), .integer(account), .text(trouble?.kind.rawValue), .text(trouble?.detail), .integer(day.map { Int64($0) }),
                    .integer(days.map { Int64($0.lowerBound) }),
                ])
        }
    }

    private static let accountsText = """
        SELECT account_id, name, organisation, roles, is_read, oldest_day, read_day, trouble, detail
        FROM apple_ads_account WHERE app_id = $1 ORDER BY account_id
        """

    // MARK: - Names

    /// A name is added or changed, and never deleted.
    func keep(_ entities: [AppleAdsEntity], in account: Int64, nowMs: Int64) async throws {
        for lot in entities.lots(of: Self.lot) {
            try await database.write(.bulk, locking: []) { [app] connection in
                _ = try connection.batch(lot.map { $0.writing(app, account, nowMs: nowMs) })
            }
        }
    }

    /// The campaigns of an account that promote the app, or of which that is not known.
    /// - Parameter promoted: the app's App Store id; nil for all campaigns.
    func campaigns(of account: Int64, promoting promoted: Int64?) async throws -> [(id: Int64, isDeleted: Bool)] {
        try await database.read { [app] connection in
            try connection.rows(
                """
                SELECT id, deleted FROM apple_ads_entity
                WHERE app_id = $1 AND kind = 'campaign' AND account_id = $2 AND ($3 = '' OR promoted_id IS NULL OR promoted_id = $3)
                ORDER BY id
                """, [.text(app.rawValue), .integer(account), .text(promoted.map { String($0) } ?? "")]
            ).map { (try $0.integer("id"), try $0.flag("deleted")) }
        }
    }

    // MARK: - Spend

    /// - Parameter mark: when the read began; see ``forget(_:of:on:butNotReadAt:)``.
    func keep(_ days: [AppleAdsDay], _ kind: AppleAdsKind, of campaign: Int64, mark: Int64) async throws {
        for lot in days.lots(of: Self.lot) {
            try await database.write(.bulk, locking: []) { [app] connection in
                _ = try connection.batch(lot.map { $0.writing(app, kind, campaign, mark: mark) })
            }
        }
    }

    /// Deletes what Apple says no more of days that were read again.
    func forget(_ kind: AppleAdsKind, of campaign: Int64, on days: ClosedRange<Int>, butNotReadAt mark: Int64) async throws {
        try await database.write(.bulk, locking: []) { [app] connection in
            _ = try connection.run(
                """
                DELETE FROM apple_ads_spend
                WHERE app_id = $1 AND kind = $2 AND campaign_id = $3 AND day >= $4 AND day <= $5 AND read_at_ms <> $6
                """,
                [
                    .text(app.rawValue), .text(kind.rawValue), .integer(campaign), .integer(Int64(days.lowerBound)),
                    .integer(Int64(days.upperBound)), .integer(mark),
                ])
        }
    }
}

extension AppleAdsEntity {
    /// Writes nothing if the same was seen less than a day ago.
    fileprivate func writing(_ app: AppID, _ account: Int64, nowMs: Int64) -> Statement {
        let page: AppleAdsProductPage? = if case .page(let page) = landing { page } else { nil }
        return Statement(
            """
            INSERT INTO apple_ads_entity (
              app_id, kind, id, name, account_id, parent_id, campaign_id, match_type, promoted_id, deleted, seen_at_ms, page_id, page_name
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            ON CONFLICT (app_id, kind, id) DO UPDATE SET
              name = excluded.name, account_id = excluded.account_id, parent_id = excluded.parent_id, campaign_id = excluded.campaign_id,
              match_type = excluded.match_type, promoted_id = excluded.promoted_id, deleted = excluded.deleted, seen_at_ms = excluded.seen_at_ms,
              page_id = CASE WHEN $14 = 1 THEN excluded.page_id ELSE apple_ads_entity.page_id END,
              page_name = CASE WHEN $14 = 1 THEN excluded.page_name ELSE apple_ads_entity.page_name END
            WHERE apple_ads_entity.name <> excluded.name OR apple_ads_entity.deleted <> excluded.deleted
              OR apple_ads_entity.seen_at_ms <= excluded.seen_at_ms - 86400000
              OR ($14 = 1 AND (
                COALESCE(apple_ads_entity.page_id, '') <> COALESCE(excluded.page_id, '')
                OR COALESCE(apple_ads_entity.page_name, '') <> COALESCE(excluded.page_name, '')))
            """,
            [
                .text(app.rawValue), .text(kind.rawValue), .integer(id), .text(name), .integer(account), .integer(parent), .integer(campaign),
                .text(matchType), .text(promotedID), .flag(isDeleted), .integer(nowMs), .text(page?.ppid), .text(page?.name),
                .flag(landing != .unknown),
            ])
    }
}

extension AppleAdsDay {
    fileprivate func writing(_ app: AppID, _ kind: AppleAdsKind, _ campaign: Int64, mark: Int64) -> Statement {
        Statement(
            """
            INSERT INTO apple_ads_spend (
              app_id, kind, campaign_id, day, id, country, currency, milliunits, impressions, taps, installs, read_at_ms
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (app_id, kind, campaign_id, day, id, country) DO UPDATE SET
              currency = excluded.currency, milliunits = excluded.milliunits, impressions = excluded.impressions, taps = excluded.taps,
              installs = excluded.installs, read_at_ms = excluded.read_at_ms
            """,
            [
                .text(app.rawValue), .text(kind.rawValue), .integer(campaign), .integer(Int64(day)), .integer(id), .text(country),
                .text(currency), .integer(milliunits), .integer(impressions), .integer(taps), .integer(installs), .integer(mark),
            ])
    }
}

extension Array {
    fileprivate func lots(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
