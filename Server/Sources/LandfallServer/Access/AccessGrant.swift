// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

/// A level that the app's own backend gives to a person, without a purchase.
struct AccessGrant: Hashable, Sendable {
    /// In bytes, of one line.
    static let longestReason = 200
    /// That a profile has at one time.
    static let most = 100

    let id: String
    let level: AccessLevel
    let startsAtMs: Int64
    /// Nil: never.
    let endsAtMs: Int64?
    let reason: String
    /// The key that gave it.
    let by: String

    func insertion(for profile: ProfileID, in app: AppID) -> Statement {
        Statement(
            """
            INSERT INTO access_grant (app_id, profile_id, grant_id, level, starts_at_ms, ends_at_ms, reason, made_by)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT DO NOTHING
            """,
            [
                .text(app.rawValue), .text(profile.rawValue), .text(id), .text(level.rawValue), .integer(startsAtMs), .integer(endsAtMs),
                .text(reason), .text(by),
            ])
    }

    /// The same by the same key for the same reason, which is still open: the call is repeated because its answer was lost.
    func repeated(of profile: ProfileID, in app: AppID) -> Statement {
        Statement(
            """
            SELECT grant_id FROM access_grant
            WHERE app_id = $1 AND profile_id = $2 AND level = $3 AND COALESCE(ends_at_ms, 0) = $4 AND reason = $5 AND made_by = $6
              AND taken_back_at_ms IS NULL
            LIMIT 1
            """,
            [
                .text(app.rawValue), .text(profile.rawValue), .text(level.rawValue), .integer(endsAtMs ?? 0), .text(reason), .text(by),
            ])
    }

    /// How many of a profile are open.
    static func openCount(of profile: ProfileID, in app: AppID, nowMs: Int64) -> Statement {
        Statement(
            """
            SELECT COUNT(*) AS grants FROM access_grant
            WHERE app_id = $1 AND profile_id = $2 AND taken_back_at_ms IS NULL AND (ends_at_ms IS NULL OR ends_at_ms > $3)
            """, [.text(app.rawValue), .text(profile.rawValue), .integer(nowMs)])
    }

    /// A grant that was taken back ends then; it stays, so that it can be looked up.
    static func ending(_ id: String, of profile: ProfileID, in app: AppID, because reason: String, by: String, nowMs: Int64) -> Statement {
        Statement(
            """
            UPDATE access_grant SET taken_back_at_ms = $4, taken_back_by = $5, taken_back_reason = $6
            WHERE app_id = $1 AND profile_id = $2 AND grant_id = $3 AND taken_back_at_ms IS NULL
            """,
            [.text(app.rawValue), .text(profile.rawValue), .text(id), .integer(nowMs), .text(by), .text(reason)])
    }

    /// Of a profile: all that are open, and of the others those that ended last.
    static let question = """
        SELECT grant_id, level, starts_at_ms, ends_at_ms, taken_back_at_ms FROM access_grant
        WHERE app_id = $1 AND profile_id = $2
        ORDER BY COALESCE(taken_back_at_ms, ends_at_ms, 9223372036854775807) DESC, grant_id DESC LIMIT \(most)
        """
    static let holderText = "SELECT profile_id FROM access_grant WHERE app_id = $1 AND grant_id = $2"
}

extension ProfileAccess.Grant {
    /// - Parameter row: of ``AccessGrant/question``.
    init(_ row: Row) throws {
        let start = try row.integer("starts_at_ms")
        let ends = [row.optionalInteger("ends_at_ms"), row.optionalInteger("taken_back_at_ms").map { max($0, start) }]
        self.init(
            id: try row.text("grant_id"), level: AccessLevel(rawValue: try row.text("level")), startsAtMs: start,
            endsAtMs: ends.compactMap(\.self).min())
    }
}
