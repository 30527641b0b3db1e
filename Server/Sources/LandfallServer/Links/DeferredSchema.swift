// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

enum DeferredSchema {
    /// An install that asks again is found without its token, however many links wait.
    static let byInstall = Migration(
        id: "2026-11-24 deferred links: found by their install",
        [
            """
            CREATE UNIQUE INDEX deferred_link_by_install ON deferred_link (app_id, taken_by_install)
              WHERE taken_by_install IS NOT NULL
            """
        ])
}
