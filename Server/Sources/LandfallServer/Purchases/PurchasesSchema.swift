// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum PurchasesSchema {
    /// What Apple signed is added and never changed. What follows from it, `profile_chain.access` and `charge`, is written anew by each
    /// fold. Whose a chain is depends on who came first, so `purchase_chain` says it.
    package static let created = Migration(
        id: "2026-11-29 purchases: create jws_header, app_store_notification, purchase_fact, purchase_chain, profile_chain, purchase_token, access_grant, purchase_rules, charge, erased_chain, erased_charge, erased_revenue, app_store_progress",
        [
            // The certificates in the header are four fifths of a JWS, and the same in all that one leaf signs.
            """
            CREATE TABLE jws_header (
              app_id      TEXT  NOT NULL,
              header_hash BYTEA NOT NULL,  -- SHA-256 of the header
              header      TEXT  NOT NULL,  -- as it came: JSON with x5c, in base64url
              PRIMARY KEY (app_id, header_hash)
            )
            """,
            // The only thing that recognises a repeated notification.
            """
            CREATE TABLE app_store_notification (
              app_id            TEXT   NOT NULL,
              environment       TEXT   NOT NULL,  -- empty if the notification does not say it
              notification_uuid TEXT   NOT NULL,
              type              TEXT   NOT NULL,
              subtype           TEXT,
              signed_at_ms      BIGINT NOT NULL,
              received_at_ms    BIGINT NOT NULL,
              header_hash       BYTEA  NOT NULL,
              payload           BYTEA,            -- JSON as Apple signed it; NULL once all that it says is in facts
              signature         BYTEA,            -- with the payload
              processed_at_ms   BIGINT,           -- NULL while it waits
              reason            TEXT,             -- why the payload stays although nothing waits for it
              expires_at_ms     BIGINT,           -- NULL while it waits
              is_in_facts       BIGINT NOT NULL DEFAULT 0,  -- facts say all that the payload says
              forwarding        TEXT,             -- to a second receiver: waiting, done, givenUp; NULL: to nobody
              PRIMARY KEY (app_id, environment, notification_uuid)
            )
            """,
            // Those that the second receiver did not take.
            """
            CREATE INDEX app_store_notification_lost ON app_store_notification (app_id, received_at_ms) WHERE forwarding = 'givenUp'
            """,
            // Retention finds expired rows without reading those that stay.
            """
            CREATE INDEX app_store_notification_expiring ON app_store_notification (app_id, expires_at_ms)
              WHERE expires_at_ms IS NOT NULL
            """,
            """
            CREATE TABLE purchase_fact (
              app_id         TEXT   NOT NULL,
              chain_id       TEXT   NOT NULL,  -- environment and original transaction: Production:2000000123456789
              kind           TEXT   NOT NULL,  -- transaction, renewal, notice
              fact_id        TEXT   NOT NULL,  -- the transaction, or the original one that renews
              jws_hash       BYTEA  NOT NULL,  -- SHA-256 of the signed text
              signed_at_ms   BIGINT NOT NULL,
              received_at_ms BIGINT NOT NULL,
              header_hash    BYTEA,            -- NULL for a notice: what a notification said of the status
              payload        BYTEA  NOT NULL,  -- JSON as Apple signed it
              signature      BYTEA,            -- NULL for a notice
              PRIMARY KEY (app_id, chain_id, kind, fact_id, jws_hash)
            )
            """,
            """
            CREATE TABLE purchase_chain (
              app_id         TEXT   NOT NULL,
              chain_id       TEXT   NOT NULL,
              version        BIGINT NOT NULL,  -- grows with each fact
              facts          BIGINT NOT NULL,  -- from how many it was folded
              first_seen_at_ms BIGINT NOT NULL,
              changed_at_ms  BIGINT NOT NULL,
              owner_profile  TEXT,             -- NULL: nobody that is known
              users          TEXT   NOT NULL,  -- profiles that may use it besides the owner: a list in JSON
              moves          TEXT   NOT NULL,  -- when it changed hands last, Unix milliseconds: a list in JSON
              brought_by_install TEXT,         -- by which its first owner brought it; money is its source's
              brought_at_ms  BIGINT,
              began_at_ms    BIGINT,           -- the first purchase, as far as facts say
              origin         TEXT,             -- what was known of that install when it was deleted: JSON
              exposure_id    TEXT,             -- the event of the paywall that sold it, as the phone says
              sold_by        TEXT,             -- what that event says of the paywall: JSON; NULL until it has come
              news_due_at_ms BIGINT,           -- the App Store has to have said more by then; NULL: it is over
              history_revision TEXT,           -- up to where the App Store's history of the customer is in facts
              PRIMARY KEY (app_id, chain_id)
            )
            """,
            // What an erased or expired install has brought names it no more.
            "CREATE INDEX purchase_chain_by_install ON purchase_chain (app_id, brought_by_install) WHERE brought_by_install IS NOT NULL",
            // Exposures that are still to be found are copied before retention deletes their events.
            """
            CREATE INDEX purchase_chain_unsold ON purchase_chain (app_id, chain_id) WHERE exposure_id IS NOT NULL AND sold_by IS NULL
            """,
            // Subscriptions that have not ended: of those about which nothing came, the App Store is asked.
            """
            CREATE INDEX purchase_chain_due ON purchase_chain (app_id, news_due_at_ms, chain_id) WHERE news_due_at_ms IS NOT NULL
            """,
            // The other direction, beside the profile, with what the chain opens.
            """
            CREATE TABLE profile_chain (
              app_id     TEXT NOT NULL,
              profile_id TEXT NOT NULL,
              chain_id   TEXT NOT NULL,
              access     TEXT NOT NULL,  -- folded from the chain's facts, JSON
              PRIMARY KEY (app_id, profile_id, chain_id)
            )
            """,
            // Tokens that the app gave to StoreKit before it had Landfall's.
            """
            CREATE TABLE purchase_token (
              app_id     TEXT NOT NULL,
              token      TEXT NOT NULL,  -- in lower case
              profile_id TEXT NOT NULL,
              PRIMARY KEY (app_id, token)
            )
            """,
            "CREATE INDEX purchase_token_by_profile ON purchase_token (app_id, profile_id)",
            // By which rules of the configuration chains are folded; a hash for each.
            """
            CREATE TABLE purchase_rules (
              app_id      TEXT NOT NULL PRIMARY KEY,
              folded      TEXT NOT NULL,  -- every chain; empty during a walk
              walking     TEXT NOT NULL,  -- those up to after_chain; both are empty if some chain was folded by others
              after_chain TEXT NOT NULL
            )
            """,
            // What the app's backend gives. A grant that was taken back stays: who asks later sees by whom and why.
            """
            CREATE TABLE access_grant (
              app_id            TEXT   NOT NULL,
              profile_id        TEXT   NOT NULL,
              grant_id          TEXT   NOT NULL,
              level             TEXT   NOT NULL,
              starts_at_ms      BIGINT NOT NULL,
              ends_at_ms        BIGINT,           -- NULL: never
              reason            TEXT   NOT NULL,
              made_by           TEXT   NOT NULL,  -- the key's name
              taken_back_at_ms  BIGINT,
              taken_back_by     TEXT,
              taken_back_reason TEXT,
              PRIMARY KEY (app_id, profile_id, grant_id)
            )
            """,
            "CREATE INDEX access_grant_by_id ON access_grant (app_id, grant_id, profile_id)",
            // A purchase, each refund and each free trial. Nothing is converted, taxed or rounded.
            """
            CREATE TABLE charge (
              app_id             TEXT   NOT NULL,
              booking_day        BIGINT NOT NULL,  -- since 1970, UTC: when the money moved
              chain_id           TEXT   NOT NULL,
              transaction_id     TEXT   NOT NULL,
              kind               TEXT   NOT NULL,  -- purchase, refund, seatRefund, trial
              number             BIGINT NOT NULL,  -- of several refunds of seats
              product_id         TEXT   NOT NULL,
              type               TEXT,
              booked_at_ms       BIGINT NOT NULL,
              purchase_day       BIGINT NOT NULL,  -- since 1970, UTC
              purchased_at_ms    BIGINT NOT NULL,
              currency           TEXT   NOT NULL,
              milliunits         BIGINT NOT NULL,
              part_numerator     BIGINT NOT NULL,  -- how much of them moved
              part_denominator   BIGINT NOT NULL,
              quantity           BIGINT NOT NULL,
              storefront         TEXT,
              offer_type         BIGINT,
              offer_discount     TEXT,
              offer_id           TEXT,
              reason             TEXT,
              billing_plan       TEXT,
              group_id           TEXT,
              period_ends_at_ms  BIGINT,
              service_ends_at_ms BIGINT,           -- with grace, or earlier by a revocation or the next transaction
              credit_numerator   BIGINT,           -- the unused part that an upgrade gives back
              credit_denominator BIGINT,
              paid_before_ms     BIGINT NOT NULL,  -- paid service of the chain before
              is_paid_before_estimated BIGINT NOT NULL,
              follows_trial      BIGINT NOT NULL,  -- the first purchase after a free trial
              PRIMARY KEY (app_id, booking_day, chain_id, transaction_id, kind, number)
            )
            """,
            "CREATE INDEX charge_by_purchase ON charge (app_id, purchase_day, chain_id)",
            "CREATE INDEX charge_by_chain ON charge (app_id, chain_id)",
            // Chains of erased people, so that the App Store's next renewal does not come back as somebody.
            """
            CREATE TABLE erased_chain (
              app_id     TEXT  NOT NULL,
              chain_hash BYTEA NOT NULL,  -- keyed: nobody can try ids without the store's key
              source     TEXT,            -- that its money counts for; NULL since somebody has the chain again
              PRIMARY KEY (app_id, chain_hash)
            )
            """,
            // Which charges are in erased_revenue: none is counted twice.
            """
            CREATE TABLE erased_charge (
              app_id      TEXT  NOT NULL,
              charge_hash BYTEA NOT NULL,  -- keyed, of chain, transaction, kind and number
              PRIMARY KEY (app_id, charge_hash)
            )
            """,
            // Equal charges of erased people, counted: no id, no time but the days.
            """
            CREATE TABLE erased_revenue (
              app_id             TEXT   NOT NULL,
              purchase_day       BIGINT NOT NULL,
              booking_day        BIGINT NOT NULL,
              kind               TEXT   NOT NULL,
              product_id         TEXT   NOT NULL,
              source             TEXT   NOT NULL,
              storefront         TEXT   NOT NULL,  -- empty if it is not known
              currency           TEXT   NOT NULL,
              milliunits         BIGINT NOT NULL,
              part_numerator     BIGINT NOT NULL,
              part_denominator   BIGINT NOT NULL,
              credit_numerator   BIGINT NOT NULL,
              credit_denominator BIGINT NOT NULL,
              is_after_year      BIGINT NOT NULL,
              follows_trial      BIGINT NOT NULL,
              charges            BIGINT NOT NULL,
              PRIMARY KEY (
                app_id, purchase_day, booking_day, kind, product_id, source, storefront, currency, milliunits, part_numerator,
                part_denominator, credit_numerator, credit_denominator, is_after_year, follows_trial
              )
            )
            """,
            // How far the App Store was asked, and how the last test notification went.
            """
            CREATE TABLE app_store_progress (
              app_id  TEXT NOT NULL,
              subject TEXT NOT NULL,  -- reconcile, test
              state   TEXT NOT NULL,  -- JSON
              PRIMARY KEY (app_id, subject)
            )
            """,
        ])
}
