// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// A profile that an install showed before it moved to another one.
enum FormerProfile {
    static func insertion(of profile: ProfileID, _ install: InstallID, in app: AppID, nowMs: Int64) -> Statement {
        Statement(
            """
            INSERT INTO former_profile (app_id, profile_id, install_id, left_at_ms) VALUES ($1, $2, $3, $4)
            ON CONFLICT (app_id, profile_id, install_id) DO UPDATE SET left_at_ms = excluded.left_at_ms
            """, [.text(app.rawValue), .text(profile.rawValue), .text(install.rawValue), .integer(nowMs)])
    }

    /// Keeps when a profile was left last by an install that is gone. Retention finds the profile by this row. In place of the
    /// install it has the profile's own id, which no install has, so that a reader of one install's rows finds no other profile's.
    static func keeping(_ profile: ProfileID, in app: AppID, leftAtMs: Int64) -> Statement {
        Statement(
            """
            INSERT INTO former_profile (app_id, profile_id, install_id, left_at_ms) VALUES ($1, $2, $2, $3)
            ON CONFLICT (app_id, profile_id, install_id) DO UPDATE SET left_at_ms =
              CASE WHEN former_profile.left_at_ms < excluded.left_at_ms THEN excluded.left_at_ms ELSE former_profile.left_at_ms END
            """, [.text(app.rawValue), .text(profile.rawValue), .integer(leftAtMs)])
    }
}
