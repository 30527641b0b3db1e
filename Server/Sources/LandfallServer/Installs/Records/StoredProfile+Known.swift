// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// Single answers about a profile, without an install.
extension StoredProfile {
    /// The profile is known if one of them has a row. One without values has none itself: then an install shows it.
    static func questions(of profile: ProfileID, in app: AppID) -> [Statement] {
        [
            "SELECT profile_id FROM profile WHERE app_id = $1 AND profile_id = $2",
            "SELECT profile_id FROM install WHERE app_id = $1 AND profile_id = $2 LIMIT 1",
        ].map { Statement($0, key(profile, app)) }
    }

    /// Nil for a profile without one.
    static func customerID(of profile: ProfileID, in app: AppID, from connection: any ReadConnection) throws -> String? {
        try connection.row("SELECT customer_id FROM profile WHERE app_id = $1 AND profile_id = $2", key(profile, app))?
            .optionalText("customer_id")
    }

    /// Whether the profile has a verified customer; nil if it has no row.
    static func isVerified(_ profile: ProfileID, in app: AppID, from connection: any ReadConnection) throws -> Bool? {
        try connection.row("SELECT customer_is_verified FROM profile WHERE app_id = $1 AND profile_id = $2", key(profile, app))?
            .flag("customer_is_verified")
    }

    private static func key(_ profile: ProfileID, _ app: AppID) -> [SQLValue] { [.text(app.rawValue), .text(profile.rawValue)] }
}
