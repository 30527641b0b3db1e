// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

enum RequestKeySchema {
    static let created = Migration(
        id: "2026-11-21 requests: create request_key",
        [
            """
            CREATE TABLE request_key (
              app_id        TEXT   NOT NULL,
              install_id    TEXT   NOT NULL,
              request_key   TEXT   NOT NULL,
              body_hash     BYTEA  NOT NULL,  -- SHA-256 over the kind of request and its body
              created_at_ms BIGINT NOT NULL,
              PRIMARY KEY (app_id, install_id, request_key)
            )
            """
        ])
}
