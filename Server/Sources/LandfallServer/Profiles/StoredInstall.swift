// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// An install with what proves its caller. Read by two statements: its row with its profile's and its newest exchange's, then
/// its facts; its absences by a third, where clicks of links count.
struct StoredInstall: Sendable {
    let secretHash: [UInt8]
    let install: Install

    init(secretHash: [UInt8], install: Install) {
        self.secretHash = secretHash
        self.install = install
    }

    /// - Parameters:
    ///   - storeEpoch: of the store's mark; an older epoch of the install counts as this.
    ///   - countsClicks: a click may be added, so the absences are wanted even where no fact depends on them yet.
    /// - Returns: nil where the app has no such install.
    init?(
        _ app: AppID, _ id: InstallID, storeEpoch: Int64, countsClicks: Bool = false, from connection: any ReadConnection
    ) throws {
        guard let row = try connection.row(Self.text, [.text(app.rawValue), .text(id.rawValue)]) else { return nil }
        let facts = try AttributionFact.all(of: id, in: app, from: connection)
        let dependsOnAbsences = countsClicks || facts.contains { $0.source == .link }
        // A profile that has nothing to say has no row.
        let profile = try StoredProfile(id: ProfileID(try row.text("profile_id")), row)
        secretHash = try row.blob("secret_hash")
        install = Install(
            id: id,
            profileID: profile.id,
            epoch: max(try row.integer("epoch"), storeEpoch),
            installVersion: try row.integer("version"),
            profileVersion: profile.version,
            attributionVersion: try row.integer("attribution_version"),
            customerID: profile.customerID,
            customerIsVerified: profile.isVerified,
            device: DeviceFacts(row),
            attributes: profile.attributes,
            isReinstall: try row.flag("is_reinstall"),
            firstInstallID: row.optionalText("first_install_id").map { InstallID($0) },
            createdAtMs: try row.integer("created_at_ms"),
            installedAtMs: try row.integer("installed_at_ms"),
            lastSeenAtMs: try row.integer("last_seen_at_ms"),
            facts: facts,
            absences: dependsOnAbsences ? try Absence.all(of: id, in: app, from: connection) : [],
            exchange: try AppleAdsExchange(row),
            tokenNone: row.optionalText("token_none").map { UnavailableReason($0) }
        )
    }

    private static let text = """
        SELECT i.secret_hash, i.profile_id, i.epoch, i.version, i.attribution_version, i.app_version, i.os_version, i.platform,
          i.locale, i.store_country, i.time_zone, i.device_id, i.token_none, i.is_reinstall, i.first_install_id,
          i.created_at_ms, i.installed_at_ms, i.last_seen_at_ms, p.version AS profile_version, p.customer_id,
          p.customer_is_verified, p.attributes, e.token_hash, e.state, e.reason, e.due_at_ms, e.received_at_ms
        FROM install i
          LEFT JOIN profile p ON p.app_id = i.app_id AND p.profile_id = i.profile_id
          LEFT JOIN apple_ads_exchange e ON e.app_id = i.app_id AND e.install_id = i.install_id AND e.token_hash = (
            SELECT n.token_hash FROM apple_ads_exchange n WHERE n.app_id = i.app_id AND n.install_id = i.install_id
            ORDER BY n.received_at_ms DESC, n.token_hash LIMIT 1
          )
        WHERE i.app_id = $1 AND i.install_id = $2
        """
}

/// What a person's profile says, in whichever installs it is shown.
struct StoredProfile: Hashable, Sendable {
    let id: ProfileID
    var version: Int64 = 0
    var customerID: CustomerID?
    var isVerified = false
    var attributes: [String: AttributeValue] = [:]

    init(id: ProfileID, customerID: CustomerID? = nil, isVerified: Bool = false) {
        self.id = id
        self.customerID = customerID
        self.isVerified = isVerified
    }

    /// - Parameter row: with the profile's columns, all NULL where it has no row.
    init(id: ProfileID, _ row: Row) throws {
        self.id = id
        guard let version = row.optionalInteger("profile_version") else { return }
        self.version = version
        customerID = row.optionalText("customer_id").map { CustomerID($0) }
        isVerified = try row.flag("customer_is_verified")
        let text = try row.text("attributes")
        if text != "{}" { attributes = try [String: AttributeValue].stored(text) }
    }

    /// The profile that a proven customer has.
    init?(of customer: CustomerID, in app: AppID, from connection: any ReadConnection) throws {
        let row = try connection.row(
            """
            SELECT c.profile_id, p.version AS profile_version, p.customer_id, p.customer_is_verified, p.attributes
            FROM customer c LEFT JOIN profile p ON p.app_id = c.app_id AND p.profile_id = c.profile_id
            WHERE c.app_id = $1 AND c.customer_id = $2
            """,
            [.text(app.rawValue), .text(customer.rawValue)]
        )
        guard let row else { return nil }
        try self.init(id: ProfileID(try row.text("profile_id")), row)
    }
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
