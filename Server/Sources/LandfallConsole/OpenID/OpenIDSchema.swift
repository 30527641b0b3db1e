// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum OpenIDSchema {
    package static let created = Migration(
        id: "2026-12-05 console: create member_identity",
        [
            """
            CREATE TABLE member_identity (
              app_id       TEXT   NOT NULL,
              issuer       TEXT   NOT NULL,
              subject      TEXT   NOT NULL,  -- the issuer's id of the person
              member_id    TEXT   NOT NULL,
              linked_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, issuer, subject)
            )
            """,
            "CREATE UNIQUE INDEX member_identity_by_member ON member_identity (app_id, member_id)",
        ])
}
