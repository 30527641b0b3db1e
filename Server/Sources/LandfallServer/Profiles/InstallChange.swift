// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// One change of one install, inside one unit of the database. Each feature adds its own steps in its own folder; this
/// part admits the caller and moves the versions by what the steps changed.
struct InstallChange {
    let app: AppID
    let id: InstallID
    let storeEpoch: Int64
    let nowMs: Int64
    let connection: any WriteConnection

    /// Creates the install and its profile where they are unknown.
    /// - Throws: ``InstallError/profileMismatch`` where somebody else has the id.
    func admit(_ credential: Credential) throws {
        let profile = ProfileID.first(of: id)
        let created = try connection.run(
            Self.createInstall,
            [
                .text(app.rawValue), .text(id.rawValue), .blob(credential.secretHash), .text(profile.rawValue),
                .integer(storeEpoch), .integer(nowMs),
            ]
        )
        if created > 0 {
            try createProfile(profile)
        } else {
            let row = try connection.row(
                "SELECT secret_hash FROM install WHERE app_id = $1 AND install_id = $2",
                [.text(app.rawValue), .text(id.rawValue)]
            )
            guard let row, credential.matches(try row.blob("secret_hash")) else { throw InstallError.profileMismatch }
        }
    }

    /// - Throws: where a profile has the id already: a new one never joins what is there.
    func createProfile(_ profile: ProfileID, customerID: CustomerID? = nil, isVerified: Bool = false) throws {
        try connection.run(
            Self.createProfile,
            [.text(app.rawValue), .text(profile.rawValue), .text(customerID?.rawValue), .flag(isVerified), .integer(nowMs)]
        )
    }

    /// The install as this unit sees it now.
    func install() throws -> Install {
        guard let stored = try StoredInstall(app, id, storeEpoch: storeEpoch, from: connection) else {
            throw DatabaseError.failed("an install is gone in the middle of its own change")
        }
        return stored.install
    }

    /// Runs the steps, then compares: a version grows when, and only when, something that it covers has changed.
    /// - Returns: the install after the steps, and what they returned.
    func apply<Value>(_ steps: (Install) throws -> Value) throws -> (install: Install, value: Value) {
        let before = try install()
        let value = try steps(before)
        let after = try install()
        let growth = VersionGrowth(from: before, to: after, nowMs: nowMs)
        guard growth.isAny else { return (after, value) }
        try connection.run(
            Self.growInstall,
            [.text(app.rawValue), .text(id.rawValue), .flag(growth.install), .flag(growth.attribution)]
        )
        if growth.profile { try connection.run(Self.growProfile, [.text(app.rawValue), .text(after.profileID.rawValue)]) }
        return (try install(), value)
    }

    private static let createInstall = """
        INSERT INTO install (app_id, install_id, secret_hash, profile_id, epoch, version, attribution_version, is_reinstall,
          created_at_ms, installed_at_ms, last_seen_at_ms)
        VALUES ($1, $2, $3, $4, $5, 1, 0, 0, $6, $6, $6)
        ON CONFLICT DO NOTHING
        """
    private static let createProfile = """
        INSERT INTO profile (app_id, profile_id, version, customer_id, customer_is_verified, attributes, created_at_ms)
        VALUES ($1, $2, 0, $3, $4, '{}', $5)
        """
    private static let growInstall = """
        UPDATE install SET version = version + $3, attribution_version = attribution_version + $4
        WHERE app_id = $1 AND install_id = $2
        """
    private static let growProfile = "UPDATE profile SET version = version + 1 WHERE app_id = $1 AND profile_id = $2"
}
