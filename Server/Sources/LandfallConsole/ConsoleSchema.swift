// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum ConsoleSchema {
    package static let created = Migration(
        id: "2026-11-28 console: create member, console_invitation, console_session, sign_in_failure, audit_entry, console_choice",
        [
            """
            CREATE TABLE member (
              app_id        TEXT   NOT NULL,
              member_id     TEXT   NOT NULL,
              email         TEXT   NOT NULL,  -- lower case
              name          TEXT   NOT NULL,
              role          TEXT   NOT NULL,
              password      TEXT   NOT NULL,  -- scrypt with its parameters
              created_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, member_id)
            )
            """,
            "CREATE UNIQUE INDEX member_by_email ON member (app_id, email)",
            """
            CREATE TABLE console_invitation (
              app_id        TEXT   NOT NULL,
              token_hash    BYTEA  NOT NULL,  -- SHA-256
              email         TEXT,             -- null: the first owner's, who chooses the address
              role          TEXT   NOT NULL,
              invited_by    TEXT,             -- null: the operator of the server
              expires_at_ms BIGINT NOT NULL,
              made_by       TEXT,             -- the first owner's: the node that has shown it; null without other nodes
              PRIMARY KEY (app_id, token_hash)
            )
            """,
            "CREATE INDEX console_invitation_by_time ON console_invitation (app_id, expires_at_ms)",
            """
            CREATE TABLE console_session (
              app_id        TEXT   NOT NULL,
              token_hash    BYTEA  NOT NULL,  -- SHA-256 of the cookie
              session_id    TEXT   NOT NULL,  -- names it on pages, opens nothing
              member_id     TEXT   NOT NULL,
              agent         TEXT   NOT NULL,
              network       TEXT,
              created_at_ms BIGINT NOT NULL,
              seen_at_ms    BIGINT NOT NULL,  -- precise to the minute
              proven_at_ms  BIGINT NOT NULL,  -- when the password was last given
              form_token    TEXT,             -- what its forms carry
              PRIMARY KEY (app_id, token_hash)
            )
            """,
            "CREATE INDEX console_session_by_member ON console_session (app_id, member_id)",
            "CREATE INDEX console_session_by_time ON console_session (app_id, seen_at_ms)",
            // Wrong passwords of the last minutes: at most 16,385 rows an app, and no address.
            """
            CREATE TABLE sign_in_failure (
              app_id     TEXT   NOT NULL,
              place      BIGINT NOT NULL,  -- by an HMAC of an account, or of a network; -1: all that the audit log tells
              failures   BIGINT NOT NULL,
              ends_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, place)
            )
            """,
            "CREATE INDEX sign_in_failure_by_time ON sign_in_failure (app_id, ends_at_ms)",
            """
            CREATE TABLE audit_entry (
              app_id  TEXT   NOT NULL,
              id      TEXT   NOT NULL,  -- UUIDv7, by time
              at_ms   BIGINT NOT NULL,
              member  TEXT,             -- their address; null: nobody was signed in
              action  TEXT   NOT NULL,
              subject TEXT   NOT NULL,
              network TEXT,
              PRIMARY KEY (app_id, id)
            )
            """,
            """
            CREATE TABLE console_choice (
              app_id       TEXT   NOT NULL,
              name         TEXT   NOT NULL,
              chosen_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, name)
            )
            """,
        ])
}
