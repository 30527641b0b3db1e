// SPDX-License-Identifier: Apache-2.0

/// Which tables hold a person's rows, and how a batch of them is found without reading other people's rows.
enum ErasureTables {
    /// One table with rows of installs. `$1` is the app, `$2` the install, `$3` the most rows.
    struct OfInstall: Hashable, Sendable {
        let table: String
        let text: String
    }

    /// In the order in which they are emptied.
    static let ofInstall = [
        OfInstall(
            table: "event",
            text: """
                DELETE FROM event WHERE app_id = $1 AND install_id = $2 AND id IN (
                  SELECT id FROM event WHERE app_id = $1 AND install_id = $2 LIMIT $3
                )
                RETURNING type, occurred_at_ms
                """),
        OfInstall(
            table: "event_key",
            text: """
                DELETE FROM event_key WHERE app_id = $1 AND install_id = $2 AND event_id IN (
                  SELECT event_id FROM event_key WHERE app_id = $1 AND install_id = $2 LIMIT $3
                )
                """),
        OfInstall(
            table: "request_key",
            text: """
                DELETE FROM request_key WHERE app_id = $1 AND install_id = $2 AND request_key IN (
                  SELECT request_key FROM request_key WHERE app_id = $1 AND install_id = $2 LIMIT $3
                )
                """),
        OfInstall(
            table: "attribution_fact",
            text: """
                DELETE FROM attribution_fact WHERE app_id = $1 AND install_id = $2 AND fact_id IN (
                  SELECT fact_id FROM attribution_fact WHERE app_id = $1 AND install_id = $2 LIMIT $3
                )
                """),
        OfInstall(
            table: "absence",
            text: """
                DELETE FROM absence WHERE app_id = $1 AND install_id = $2 AND began_at_ms IN (
                  SELECT began_at_ms FROM absence WHERE app_id = $1 AND install_id = $2 LIMIT $3
                )
                """),
        OfInstall(
            table: "job",
            text: """
                DELETE FROM job WHERE app_id = $1 AND install_id = $2 AND (kind, job_key) IN (
                  SELECT kind, job_key FROM job WHERE app_id = $1 AND install_id = $2 LIMIT $3
                )
                """),
        OfInstall(
            table: "apple_ads_exchange",
            text: """
                DELETE FROM apple_ads_exchange WHERE app_id = $1 AND install_id = $2 AND token_hash IN (
                  SELECT token_hash FROM apple_ads_exchange WHERE app_id = $1 AND install_id = $2 LIMIT $3
                )
                """),
        // First the rows that become messages: a node that takes them just now is waited for, or takes none. Then the deliveries, with
        // ``answersOfInstall``, and the messages.
        OfInstall(
            table: "webhook_outbox",
            text: """
                DELETE FROM webhook_outbox WHERE app_id = $1 AND install_id = $2 AND outbox_id IN (
                  SELECT outbox_id FROM webhook_outbox WHERE app_id = $1 AND install_id = $2 LIMIT $3
                )
                """),
        OfInstall(
            table: "webhook_message",
            text: """
                DELETE FROM webhook_message WHERE app_id = $1 AND install_id = $2 AND message_id IN (
                  SELECT message_id FROM webhook_message WHERE app_id = $1 AND install_id = $2 LIMIT $3
                )
                """),
        // A unit is an install, or the first install of several on a device.
        OfInstall(
            table: "experiment_unit",
            text: """
                DELETE FROM experiment_unit WHERE app_id = $1 AND unit = $2 AND experiment IN (
                  SELECT experiment FROM experiment_unit WHERE app_id = $1 AND unit = $2 LIMIT $3
                )
                """),
        // The click stays and is still counted: nothing in its row identifies the person.
        OfInstall(
            table: "deferred_link",
            text: """
                DELETE FROM deferred_link WHERE app_id = $1 AND token_hash IN (
                  SELECT token_hash FROM deferred_link WHERE app_id = $1 AND taken_by_install = $2 LIMIT $3
                )
                """),
    ]

    /// What endpoints answered to messages about the install. Not in ``all``: its rows have no column of a person.
    static let answersOfInstall = OfInstall(table: "webhook_delivery", text: answersText(of: "install_id"))
    static let answersOfProfile = OfInstall(table: "webhook_delivery", text: answersText(of: "profile_id"))

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
    static let left = OfInstall(
        table: "former_profile",
        text: """
            DELETE FROM former_profile WHERE app_id = $1 AND install_id = $2 AND profile_id IN (
              SELECT profile_id FROM former_profile WHERE app_id = $1 AND install_id = $2 LIMIT $3
            )
            RETURNING profile_id, left_at_ms
            """)

    /// Events of an install that now shows another profile, sent while it showed the profile `$3`; at most `$4` rows.
    static let formerEventsText = """
        DELETE FROM event WHERE app_id = $1 AND install_id = $2 AND id IN (
          SELECT id FROM event WHERE app_id = $1 AND install_id = $2 AND profile_id = $3 LIMIT $4
        )
        RETURNING type, occurred_at_ms
        """
    /// What endpoints are to be told of a profile, as of an install.
    static let webhooksOfProfile = [
        OfInstall(
            table: "webhook_outbox",
            text: """
                DELETE FROM webhook_outbox WHERE app_id = $1 AND profile_id = $2 AND outbox_id IN (
                  SELECT outbox_id FROM webhook_outbox WHERE app_id = $1 AND profile_id = $2 LIMIT $3
                )
                """),
        answersOfProfile,
        OfInstall(
            table: "webhook_message",
            text: """
                DELETE FROM webhook_message WHERE app_id = $1 AND profile_id = $2 AND message_id IN (
                  SELECT message_id FROM webhook_message WHERE app_id = $1 AND profile_id = $2 LIMIT $3
                )
                """),
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
    static let factsText = """
        DELETE FROM purchase_fact WHERE app_id = $1 AND chain_id = $2 AND (kind, fact_id, jws_hash) IN (
          SELECT kind, fact_id, jws_hash FROM purchase_fact WHERE app_id = $1 AND chain_id = $2 LIMIT $3
        )
        """
    static let reinstallsText = "SELECT install_id FROM install WHERE app_id = $1 AND first_install_id = $2 LIMIT $3"
    /// A reinstall of a device forgets its first install.
    static let releaseText = "UPDATE install SET first_install_id = NULL WHERE app_id = $1 AND install_id = $2"

    /// All tables that an answer counts.
    static let all =
        ["install", "profile", "customer", "profile_chain", "purchase_chain", "purchase_fact", "charge", "purchase_token", "access_grant"]
        + ofInstall.map(\.table) + [left.table]
}
