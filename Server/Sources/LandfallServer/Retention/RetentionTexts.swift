// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

/// How one batch of a table is found and deleted. `$1` is the app, `$2` the limit that the rows are older than, `$3` the most
/// rows.
enum RetentionTexts {
    /// Ids begin with the time of receipt, so the key is the index. The outer condition lets an engine leave out the months that are
    /// kept; it is written so that SQLite still seeks the ids, and not everything that is older.
    static let events = """
        DELETE FROM event WHERE app_id = $1 AND NOT id >= $2 AND id IN (SELECT id FROM event WHERE app_id = $1 AND id < $2 LIMIT $3)
        """
    static let eventKeys = """
        DELETE FROM event_key WHERE app_id = $1 AND (install_id, event_id) IN (
          SELECT install_id, event_id FROM event_key WHERE app_id = $1 AND received_at_ms < $2 LIMIT $3
        )
        """
    static let requestKeys = """
        DELETE FROM request_key WHERE app_id = $1 AND (install_id, request_key) IN (
          SELECT install_id, request_key FROM request_key WHERE app_id = $1 AND created_at_ms < $2 LIMIT $3
        )
        """
    /// Apple's answer is a fact of the install by then. The reason for a missing answer stays with the install: it is stored
    /// nowhere else, and a phone that got no reason would send another token.
    static let exchanges = """
        DELETE FROM apple_ads_exchange WHERE app_id = $1 AND (install_id, token_hash) IN (
          SELECT install_id, token_hash FROM apple_ads_exchange
          WHERE app_id = $1 AND state IN ('attributed', 'organic') AND finished_at_ms < $2 LIMIT $3
        )
        """
    static let absences = """
        DELETE FROM absence WHERE app_id = $1 AND (install_id, began_at_ms) IN (
          SELECT install_id, began_at_ms FROM absence WHERE app_id = $1 AND ended_at_ms < $2 LIMIT $3
        )
        """
    static let erasedInstalls = """
        DELETE FROM erased_install WHERE app_id = $1 AND install_hash IN (
          SELECT install_hash FROM erased_install WHERE app_id = $1 AND erased_at_ms < $2 LIMIT $3
        )
        """
    /// Ids begin with the time, so the key is the index.
    static let auditEntries = """
        DELETE FROM audit_entry WHERE app_id = $1 AND id IN (SELECT id FROM audit_entry WHERE app_id = $1 AND id < $2 LIMIT $3)
        """
    static let keptInstalls = """
        DELETE FROM install_kept WHERE app_id = $1 AND (first_open_at_ms, facts) IN (
          SELECT first_open_at_ms, facts FROM install_kept WHERE app_id = $1 AND first_open_at_ms < $2 LIMIT $3
        )
        """
    /// What has an end was worked on; what waits has none.
    static let notifications = """
        DELETE FROM app_store_notification WHERE app_id = $1 AND (environment, notification_uuid) IN (
          SELECT environment, notification_uuid FROM app_store_notification WHERE app_id = $1 AND expires_at_ms < $2 LIMIT $3
        )
        """
    /// When installs were seen last whose first open is older than `$2` and comes after the one of `$3` and `$4`; at most `$5`.
    static let oldInstalls = """
        SELECT i.install_id, i.created_at_ms, COALESCE(s.last_seen_at_ms, i.created_at_ms) AS last_seen_at_ms
        FROM install i LEFT JOIN install_seen s ON s.app_id = i.app_id AND s.install_id = i.install_id
        WHERE i.app_id = $1 AND i.created_at_ms < $2 AND (i.created_at_ms, i.install_id) > ($3, $4)
        ORDER BY i.created_at_ms, i.install_id LIMIT $5
        """
    static let leftProfiles = """
        SELECT profile_id, install_id FROM former_profile WHERE app_id = $1 AND left_at_ms < $2 ORDER BY left_at_ms LIMIT $3
        """
    /// Whether such an install is still unseen.
    static let silentInstall = """
        SELECT 1 AS found FROM install i LEFT JOIN install_seen s ON s.app_id = i.app_id AND s.install_id = i.install_id
        WHERE i.app_id = $1 AND i.install_id = $2 AND COALESCE(s.last_seen_at_ms, i.created_at_ms) < $3
        """
    static let leftProfile = """
        SELECT 1 AS found FROM former_profile WHERE app_id = $1 AND profile_id = $2 AND install_id = $3 AND left_at_ms < $4
        """
}

extension RetentionRule {
    /// Every table whose rows are deleted one by one when they reach the same age. Rows of other tables are deleted with
    /// something else, or stay: RetentionTests lists them. Events have a rule of their own.
    package static func rows(_ database: any Database, _ configuration: LiveConfiguration) -> [RetentionRule] {
        let app = configuration.snapshot.app.id
        func rows(
            _ table: String, _ text: String, olderThan limit: @escaping @Sendable (_ nowMs: Int64) -> SQLValue
        ) -> RetentionRule {
            .rows(of: table, text, in: database, app, olderThan: limit)
        }
        let keys: @Sendable (Int64) -> SQLValue = { .integer($0 - Retention.keyMs) }
        return [
            rows("event_key", RetentionTexts.eventKeys, olderThan: keys),
            rows("request_key", RetentionTexts.requestKeys, olderThan: keys),
            rows("apple_ads_exchange", RetentionTexts.exchanges) { .integer($0 - Retention.exchangeMs) },
            rows("absence", RetentionTexts.absences) { .integer($0 - Retention.absenceMs) },
            rows("erased_install", RetentionTexts.erasedInstalls) { .integer($0 - ErasedInstall.keptMs) },
            rows("install_kept", RetentionTexts.keptInstalls) {
                .integer($0 - configuration.snapshot.retention.installMs - Retention.keptDayMs)
            },
            rows("app_store_notification", RetentionTexts.notifications) { .integer($0) },
            rows("audit_entry", RetentionTexts.auditEntries) { .text(UUIDv7.earliest(atMs: $0 - AuditLine.keptMs)) },
        ]
    }

    /// The rows of one table that have reached an age.
    /// - Parameter text: deletes one batch, as ``RetentionTexts`` describes.
    package static func rows(
        of table: String, _ text: String, in database: any Database, _ app: AppID,
        olderThan limit: @escaping @Sendable (_ nowMs: Int64) -> SQLValue
    ) -> RetentionRule {
        RetentionRule(name: table) { nowMs in try await deleteLot(table, text, of: app, before: limit(nowMs), in: database) }
    }
}
