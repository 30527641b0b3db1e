// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// An exposure with the values of its row.
package struct StoredExposure: Hashable, Sendable {
    let eventID: String
    let occurredAtMs: Int64
    let receivedAtMs: Int64
    package let placement: String?
    let paywall: String?
    let audience: String?
    /// The version of the configuration that decided, as the phone reported it.
    let revision: Int64?
    let origin: String?
    /// Nil for an exposure from before values were stored.
    let kept: KeptFacts?
}

/// Reads what an explanation needs in addition to the install.
package struct ExplanationStore: Sendable {
    package let database: any Database

    package init(database: any Database) {
        self.database = database
    }

    func lastSeenInstall(of profile: ProfileID, in app: AppID) async throws -> InstallID? {
        try await database.read { connection in
            try connection.row(Self.lastSeenText, [.text(app.rawValue), .text(profile.rawValue)]).map { InstallID(try $0.text(0)) }
        }
    }

    private static let lastSeenText = """
        SELECT i.install_id
        FROM install i LEFT JOIN install_seen s ON s.app_id = i.app_id AND s.install_id = i.install_id
        WHERE i.app_id = $1 AND i.profile_id = $2 ORDER BY COALESCE(s.last_seen_at_ms, i.created_at_ms) DESC LIMIT 1
        """

    package func exposure(_ event: String, of install: InstallID, in app: AppID) async throws -> StoredExposure? {
        try await database.read { connection in
            let row = try connection.row(Self.exposureText, [.text(app.rawValue), .text(install.rawValue), .text(event)])
            return try row.map { row in
                StoredExposure(
                    eventID: event, occurredAtMs: try row.integer("occurred_at_ms"), receivedAtMs: try row.integer("received_at_ms"),
                    placement: row.optionalText("placement"), paywall: row.optionalText("paywall"),
                    audience: row.optionalText("audience"), revision: row.optionalInteger("revision"),
                    origin: row.optionalText("origin"), kept: KeptFacts(text: row.optionalText("kept")))
            }
        }
    }

    private static let exposureText = """
        SELECT occurred_at_ms, received_at_ms, placement, paywall, audience, revision, origin, kept
        FROM event WHERE app_id = $1 AND install_id = $2 AND event_id = $3 LIMIT 1
        """

    /// The version of the configuration that decided. If it does not exist, the last version before it.
    /// - Throws: ``ExplanationError/unreadableVersion(_:_:)`` if this process can no longer build that version.
    func snapshot(_ revision: Int64, served: Snapshot) async throws -> Snapshot {
        if revision == served.revision { return served }
        guard let version = try await ConfigurationStore(database).version(upTo: revision) else { return served }
        do {
            let name = "configuration version \(version.number)"
            // An explanation serves nothing, so any text may stand for the secrets.
            let configuration = try Configuration(
                yaml: version.text, file: name, environment: { ProcessEnvironment.anySecret(of: $0) })
            return try await ConfigurationStore(database).snapshot(configuration, version.number)
        } catch let error as ConfigurationError {
            throw ExplanationError.unreadableVersion(version.number, "\(error)")
        }
    }
}
