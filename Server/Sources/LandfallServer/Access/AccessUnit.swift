// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

/// Writes into profiles what their chains and grants open, inside a transaction. Readers of an install find it in the profile's row, which they read
/// anyway.
struct AccessUnit: Sendable {
    let app: AppID
    let nowMs: Int64

    /// The profiles are locked, in the order of their ids, so that no two units wait for each other. A profile whose access is as before
    /// is not written; of another its version grows, and every install that shows it hears.
    /// - Parameter complete: a profile whose phone has told its whole history.
    /// - Returns: those that may use something else than before.
    @discardableResult
    func fold(_ profiles: Set<ProfileID>, complete: ProfileID? = nil, _ connection: any WriteConnection) throws -> [ChangedAccess] {
        let profiles = profiles.union(complete.map { [$0] } ?? []).sorted { $0.rawValue < $1.rawValue }
        guard !profiles.isEmpty else { return [] }
        try connection.lock(profiles.map { .profile($0, in: app) })
        return try profiles.compactMap { try fold($0, isComplete: $0 == complete, connection) }
    }

    private func fold(_ profile: ProfileID, isComplete: Bool, _ connection: any WriteConnection) throws -> ChangedAccess? {
        let key: [SQLValue] = [.text(app.rawValue), .text(profile.rawValue)]
        let answers = try connection.rows([Statement(Self.accessText, key), Statement(Self.chainsText, key), Statement(AccessGrant.question, key)])
        let before = answers[0].first?.optionalText("access")
        let old = before.flatMap { ProfileAccess(text: $0) }, wasComplete = old?.isComplete ?? false
        let chains = try answers[1].map { row in
            guard let access = ProfileAccess(text: try row.text("access")) else { throw DatabaseError.unexpectedValue(column: "access") }
            return access
        }
        let grants = try answers[2].map { try ProfileAccess.Grant($0) }
        let new = ProfileAccess(joining: chains, grants: grants, isComplete: isComplete || wasComplete), access = new.text
        // A profile with a chain has a row, whatever the chain opens: so an erasure finds it.
        guard before.map({ $0 != access }) ?? (!chains.isEmpty || access != ProfileAccess.none) else { return nil }
        try connection.run(Self.writingText, key + [.integer(nowMs), .text(access)])
        connection.tell(.profile(profile, in: app))
        let installs = try connection.rows(Self.installsText, key).map { InstallID(try $0.text("install_id")) }
        for install in installs { connection.tell(.install(install, in: app)) }
        return new.opensSame(as: old) ? nil : ChangedAccess(profile: profile, access: new, installs: installs.sorted { $0.rawValue < $1.rawValue })
    }

    private static let accessText = "SELECT access FROM profile WHERE app_id = $1 AND profile_id = $2"
    private static let chainsText = "SELECT access FROM profile_chain WHERE app_id = $1 AND profile_id = $2 ORDER BY chain_id"
    private static let installsText = "SELECT install_id FROM install WHERE app_id = $1 AND profile_id = $2"
    private static let writingText = """
        INSERT INTO profile (app_id, profile_id, version, customer_is_verified, attributes, created_at_ms, access)
        VALUES ($1, $2, 1, 0, '{}', $3, $4)
        ON CONFLICT (app_id, profile_id) DO UPDATE SET version = profile.version + 1, access = excluded.access
        """
}

/// What a profile may use from now on.
struct ChangedAccess: Sendable {
    let profile: ProfileID
    let access: ProfileAccess
    /// Those that show the profile, in the order of their ids.
    let installs: [InstallID]
}

extension ProfileAccess {
    /// That a phone has told its whole history opens nothing.
    fileprivate func opensSame(as other: ProfileAccess?) -> Bool {
        guard let other else { return entries.isEmpty && subscriptions.isEmpty && singles.isEmpty }
        return entries == other.entries && subscriptions == other.subscriptions && singles == other.singles
    }
}
