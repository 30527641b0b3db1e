// SPDX-License-Identifier: Apache-2.0
package import LandfallStore

package enum ButtonTapSchema {
    /// A button of a page counts once: the browser may repeat a request, and a person who comes back means the same. The tap itself is a row of
    /// `click`.
    package static let created = Migration(
        id: "2026-11-29 links: create button_tap",
        [
            """
            CREATE TABLE button_tap (
              app_id   TEXT NOT NULL,
              click_id TEXT NOT NULL,  -- the click that the page answered
              button   TEXT NOT NULL,  -- app, store, web
              PRIMARY KEY (app_id, click_id, button)
            )
            """
        ])
}
