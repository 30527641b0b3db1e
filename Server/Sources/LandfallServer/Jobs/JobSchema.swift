// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum JobSchema {
    package static let created = Migration(
        id: "2026-11-28 jobs: create job",
        [
            """
            CREATE TABLE job (
              app_id         TEXT   NOT NULL,
              kind           TEXT   NOT NULL,
              job_key        TEXT   NOT NULL,  -- what it is about
              payload        TEXT   NOT NULL,
              attempts       BIGINT NOT NULL,  -- since the last one that succeeded
              due_at_ms      BIGINT NOT NULL,
              lease_until_ms BIGINT NOT NULL,  -- nobody takes the row before this; never before due_at_ms
              created_at_ms  BIGINT NOT NULL,
              install_id     TEXT,             -- the job is deleted with it
              is_retry       BIGINT NOT NULL DEFAULT 0,
              leased_by      TEXT,             -- the node that has the lease, if nodes share the store
              PRIMARY KEY (app_id, kind, job_key)
            )
            """,
            // The queue: the jobs of each kind by the time at which they may be taken, fresh ones before retries.
            "CREATE INDEX job_queue ON job (kind, is_retry, lease_until_ms)",
            "CREATE INDEX job_by_install ON job (app_id, install_id, kind) WHERE install_id IS NOT NULL",
            "CREATE INDEX job_by_node ON job (leased_by) WHERE leased_by IS NOT NULL",
        ])
}
