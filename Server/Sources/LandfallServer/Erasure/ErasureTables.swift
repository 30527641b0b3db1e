// SPDX-License-Identifier: Apache-2.0

/// Which tables hold a person's rows, and how a batch of them is found without reading other people's rows.
enum ErasureTables {
    /// One table with rows of an install, or of another owner. `$1` is the app, `$2` the owner, `$3` the most rows.
    struct Owned: Hashable, Sendable {
        let table: String
        let text: String

        init(table: String, text: String) { (self.table, self.text) = (table, text) }

        /// - Parameters:
        ///   - key: the columns that tell the owner's rows apart.
        ///   - owner: the column of the owner.
        ///   - returned: columns of each deleted row.
        init(_ table: StaticString, _ key: StaticString, of owner: StaticString = "install_id", returning returned: StaticString? = nil) {
            self.init(
                table: "\(table)",
                text: """
                    DELETE FROM \(table) WHERE app_id = $1 AND \(owner) = $2 AND (\(key)) IN (
                      SELECT \(key) FROM \(table) WHERE app_id = $1 AND \(owner) = $2 LIMIT $3
                    )
                    """ + (returned.map { "\nRETURNING \($0)" } ?? ""))
        }
    }

    /// In the order in which they are emptied.
    static let ofInstall = [
        Owned("event", "id", returning: "type, occurred_at_ms"),
        Owned("event_key", "event_id"),
        Owned("request_key", "request_key"),
        Owned("attribution_fact", "fact_id"),
        Owned("absence", "began_at_ms"),
        Owned("job", "kind, job_key"),
        Owned("apple_ads_exchange", "token_hash"),
        // First the rows that become messages: a node that takes them just now is waited for, or takes none. Then the deliveries, with
        // ``answersOfInstall``, and the messages.
        Owned("webhook_outbox", "outbox_id"),
        Owned("webhook_message", "message_id"),
        // A unit is an install, or the first install of several on a device.
        Owned("experiment_unit", "experiment", of: "unit"),
        // The click stays and is still counted: nothing in its row identifies the person.
        Owned(
            table: "deferred_link",
            text: """
                DELETE FROM deferred_link WHERE app_id = $1 AND token_hash IN (
                  SELECT token_hash FROM deferred_link WHERE app_id = $1 AND taken_by_install = $2 LIMIT $3
                )
                """),
    ]

    /// What endpoints answered to messages about the install. Not in ``all``: its rows have no column of a person.
    static let answersOfInstall = Owned(table: "webhook_delivery", text: answersText(of: "install_id"))
    static let answersOfProfile = Owned(table: "webhook_delivery", text: answersText(of: "profile_id"))

    /// The messages come first: there are few of one person.
    private static func answersText(of column: StaticString) -> String {
        """
        DELETE FROM webhook_delivery WHERE app_id = $1 AND (message_id, endpoint) IN (
          SELECT d.message_id, d.endpoint
          FROM webhook_message m CROSS JOIN webhook_delivery d
          WHERE m.app_id = $1 AND m.\(column) = $2 AND d.app_id = $1 AND d.message_id = m.message_id LIMIT $3
        )
        """
    }

    /// The profiles that the install has left.
    static let left = Owned("former_profile", "profile_id", returning: "profile_id, left_at_ms")

    /// Events of an install that now shows another profile, sent while it showed the profile `$3`; at most `$4` rows.
    static let formerEventsText = """
        DELETE FROM event WHERE app_id = $1 AND install_id = $2 AND id IN (
          SELECT id FROM event WHERE app_id = $1 AND install_id = $2 AND profile_id = $3 LIMIT $4
        )
        RETURNING type, occurred_at_ms
        """
    /// What endpoints are to be told of a profile, as of an install.
    static let webhooksOfProfile = [
        Owned("webhook_outbox", "outbox_id", of: "profile_id"),
        answersOfProfile,
        Owned("webhook_message", "message_id", of: "profile_id"),
    ]
    static let installsText = "SELECT install_id FROM install WHERE app_id = $1 AND profile_id = $2 LIMIT $3"
    static let installCountText = "SELECT COUNT(*) AS installs FROM install WHERE app_id = $1 AND install_id = $2"
    static let profileCountText = "SELECT COUNT(*) AS installs FROM install WHERE app_id = $1 AND profile_id = $2"
    static let customerCountText = """
        SELECT COUNT(*) AS installs FROM profile p JOIN install i ON i.app_id = p.app_id AND i.profile_id = p.profile_id
        WHERE p.app_id = $1 AND p.customer_id = $2
        """
    static let customersText = "SELECT profile_id FROM profile WHERE app_id = $1 AND customer_id = $2 LIMIT 1"
    static let formerText = "SELECT install_id FROM former_profile WHERE app_id = $1 AND profile_id = $2 LIMIT $3"
    static let wasShownText = "SELECT 1 AS found FROM former_profile WHERE app_id = $1 AND profile_id = $2 LIMIT 1"
    static let chainsText = "SELECT chain_id FROM profile_chain WHERE app_id = $1 AND profile_id = $2 LIMIT $3"
    static let broughtText = "SELECT chain_id FROM purchase_chain WHERE app_id = $1 AND brought_by_install = $2 LIMIT $3"
    static let originText = """
        UPDATE purchase_chain SET
          brought_by_install = NULL, origin = COALESCE(origin, $4), exposure_id = CASE WHEN $3 = 0 THEN exposure_id END
        WHERE app_id = $1 AND chain_id = $2
        """
    /// The chain's money; at most `$3` rows.
    static let chargesText = ChargeRow.question + " LIMIT $3"
    static let facts = Owned("purchase_fact", "kind, fact_id, jws_hash", of: "chain_id")
    static let reinstallsText = "SELECT install_id FROM install WHERE app_id = $1 AND first_install_id = $2 LIMIT $3"
    /// A reinstall of a device forgets its first install.
    static let releaseText = "UPDATE install SET first_install_id = NULL WHERE app_id = $1 AND install_id = $2"

    /// All tables that an answer counts.
    static let all =
        ["install", "profile", "customer", "profile_chain", "purchase_chain", "purchase_fact", "charge", "purchase_token", "access_grant"]
        + ofInstall.map(\.table) + [left.table]
}
