// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallDatabase
import LandfallWire

/// An install with what proves its caller. Only keyed rows are read: the install's, its profile's, its facts and its
/// newest exchange.
struct StoredInstall: Sendable {
    let secretHash: [UInt8]
    let install: Install

    init(secretHash: [UInt8], install: Install) {
        self.secretHash = secretHash
        self.install = install
    }

    /// - Parameter storeEpoch: of the store's mark; an older epoch of the install counts as this.
    /// - Returns: nil where the app has no such install.
    init?(_ app: AppID, _ id: InstallID, storeEpoch: Int64, from connection: any ReadConnection) throws {
        guard let row = try connection.row(Self.installText, [.text(app.rawValue), .text(id.rawValue)]) else { return nil }
        let profileID = ProfileID(try row.text("profile_id"))
        let profile = try connection.row(Self.profileText, [.text(app.rawValue), .text(profileID.rawValue)])
        guard let profile else { throw DatabaseError.failed("an install names a profile that is not there") }
        secretHash = try row.blob("secret_hash")
        let facts = try AttributionFact.all(of: id, in: app, from: connection)
        install = Install(
            id: id,
            profileID: profileID,
            epoch: max(try row.integer("epoch"), storeEpoch),
            installVersion: try row.integer("version"),
            profileVersion: try profile.integer("version"),
            attributionVersion: try row.integer("attribution_version"),
            customerID: profile.optionalText("customer_id").map { CustomerID($0) },
            customerIsVerified: try profile.flag("customer_is_verified"),
            device: DeviceFacts(row),
            attributes: try WireCoding.decode(
                [String: AttributeValue].self, from: Data(try profile.text("attributes").utf8)
            ),
            isReinstall: try row.flag("is_reinstall"),
            firstInstallID: row.optionalText("first_install_id").map { InstallID($0) },
            createdAtMs: try row.integer("created_at_ms"),
            installedAtMs: try row.integer("installed_at_ms"),
            lastSeenAtMs: try row.integer("last_seen_at_ms"),
            facts: facts,
            absences: facts.contains { $0.source == .link } ? try Absence.all(of: id, in: app, from: connection) : [],
            exchange: try AppleAdsExchange.newest(of: id, in: app, from: connection),
            tokenNone: row.optionalText("token_none").map { UnavailableReason($0) }
        )
    }

    private static let installText = """
        SELECT secret_hash, profile_id, epoch, version, attribution_version, app_version, os_version, platform, locale,
          store_country, time_zone, device_id, token_none, is_reinstall, first_install_id, created_at_ms, installed_at_ms,
          last_seen_at_ms
        FROM install WHERE app_id = $1 AND install_id = $2
        """
    private static let profileText = """
        SELECT version, customer_id, customer_is_verified, attributes FROM profile WHERE app_id = $1 AND profile_id = $2
        """
}

extension DeviceFacts {
    fileprivate init(_ row: Row) {
        self.init()
        appVersion = row.optionalText("app_version")
        osVersion = row.optionalText("os_version")
        platform = row.optionalText("platform")
        locale = row.optionalText("locale")
        storeCountry = row.optionalText("store_country")
        timeZone = row.optionalText("time_zone")
        deviceId = row.optionalText("device_id")
    }
}
