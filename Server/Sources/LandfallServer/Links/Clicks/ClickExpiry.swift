// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore

/// Deletes expired clicks, taps on buttons and deferred links: an untaken link once it leads nowhere any more, a taken one together with clicks
/// of that age. Attribution facts stay with their install.
package struct ClickExpiry: Sendable {
    package let database: any Database
    package let app: AppID
    package let retention: Retention

    package init(database: any Database, app: AppID, retention: Retention) {
        (self.database, self.app, self.retention) = (database, app, retention)
    }

    private func firstClick(nowMs: Int64) -> String { UUIDv7.earliest(atMs: nowMs - retention.clickMs) }

    func dropMonths(nowMs: Int64) async throws -> [String] {
        try await database.dropMonths(of: "click", of: app.rawValue, before: firstClick(nowMs: nowMs))
    }

    /// Deletes one batch of each table, each in its own transaction.
    func forgetSome(nowMs: Int64) async throws -> RetentionLot {
        let firstMs = nowMs - retention.clickMs
        var lot = RetentionLot()
        for (table, text, first) in [
            // Ids begin with their time, so the key is the index.
            ("click", Self.clicksText, SQLValue.text(firstClick(nowMs: nowMs))), ("deferred_link", Self.untakenText, .integer(nowMs)),
            ("deferred_link", Self.takenText, .integer(firstMs)), ("button_tap", Self.tapsText, .text(firstClick(nowMs: nowMs))),
        ] {
            lot.add(try await RetentionRule.deleteLot(table, text, of: app, before: first, in: database))
        }
        return lot
    }

    /// The outer condition on the id: see ``RetentionTexts/events``.
    static let clicksText = """
        DELETE FROM click WHERE app_id = $1 AND NOT click_id >= $2 AND click_id IN (
          SELECT click_id FROM click WHERE app_id = $1 AND click_id < $2 LIMIT $3
        )
        """
    static let tapsText = """
        DELETE FROM button_tap WHERE app_id = $1 AND (click_id, button) IN (
          SELECT click_id, button FROM button_tap WHERE app_id = $1 AND click_id < $2 LIMIT $3
        )
        """
    /// An install that sends such a token gets `none`, before and after the deletion.
    static let untakenText = """
        DELETE FROM deferred_link WHERE app_id = $1 AND token_hash IN (
          SELECT token_hash FROM deferred_link WHERE app_id = $1 AND taken_by_install IS NULL AND expires_at_ms <= $2 LIMIT $3
        )
        """
    static let takenText = """
        DELETE FROM deferred_link WHERE app_id = $1 AND token_hash IN (
          SELECT token_hash FROM deferred_link WHERE app_id = $1 AND taken_by_install IS NOT NULL AND created_at_ms < $2
          LIMIT $3
        )
        """
}

extension RetentionRule {
    /// - Parameter forgetting: called for every batch, because the retention may have changed.
    package static func clicks(_ forgetting: @escaping @Sendable () -> ClickExpiry) -> RetentionRule {
        RetentionRule(name: "click", dropMonths: { try await forgetting().dropMonths(nowMs: $0) }) { nowMs in
            try await forgetting().forgetSome(nowMs: nowMs)
        }
    }
}
