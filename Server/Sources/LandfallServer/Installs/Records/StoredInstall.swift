// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// An install with the hash that authenticates its caller. One statement reads its row with its profile's and its newest
/// exchange's (open or finished), once for each of its facts. Another reads its absences if link clicks count.
struct StoredInstall: Sendable {
    let secretHash: [UInt8]
    let install: Install

    init(secretHash: [UInt8], install: Install) {
        self.secretHash = secretHash
        self.install = install
    }

    /// - Parameters:
    ///   - storeEpoch: the epoch of the store's mark; an older epoch of the install counts as this.
    ///   - countsClicks: a click may be added, so the absences are needed even if no fact depends on them yet.
    ///   - readsAssignments: the configuration has experiments; one more statement reads what the install has in them.
    /// - Returns: nil if the app has no such install.
    init?(
        _ app: AppID, _ id: InstallID, storeEpoch: Int64, countsClicks: Bool = false, readsAssignments: Bool = false,
        from connection: any ReadConnection
    ) throws {
        let rows = try connection.rows(Self.text, [.text(app.rawValue), .text(id.rawValue)])
        guard let row = rows.first else { return nil }
        // In no particular order: their meaning does not depend on it.
        let facts = try rows.compactMap { try AttributionFact($0, from: 30) }
        let dependsOnAbsences = countsClicks || facts.contains { $0.source == .link }
        // A profile without values has no row.
        let profile = try StoredProfile(id: ProfileID(try row.text(1)), row, from: 18)
        secretHash = try row.blob(0)
        let first = row.optionalText(14).map { InstallID($0) }
        install = Install(
            id: id,
            profileID: profile.id,
            epoch: max(try row.integer(2), storeEpoch),
            installVersion: try row.integer(3),
            profileVersion: profile.version,
            attributionVersion: try row.integer(4),
            customerID: profile.customerID,
            customerIsVerified: profile.isVerified,
            device: DeviceFacts(row, from: 5, model: row.optionalText(29)),
            attributes: profile.attributes,
            isReinstall: try row.flag(13),
            firstInstallID: first,
            createdAtMs: try row.integer(15),
            installedAtMs: try row.integer(16),
            lastSeenAtMs: try row.integer(17),
            facts: facts,
            absences: dependsOnAbsences ? try Absence.all(of: id, in: app, from: connection) : [],
            exchange: try .newest(row, from: 22),
            tokenNone: row.optionalText(12).map { UnavailableReason($0) },
            assignments: readsAssignments ? try UnitAssignment.all(of: id, first: first, in: app, from: connection) : nil
        )
    }

    /// Columns are read by position: every install that is not cached is read here, and a lookup by name hashes the name. The
    /// newest exchange is found with NOT EXISTS: to sort the exchanges, the engine made a table in memory at each read, even
    /// for none.
    private static let text = """
        SELECT i.secret_hash, i.profile_id, i.epoch, i.version, i.attribution_version, i.app_version, i.os_version, i.platform,
          i.locale, i.store_country, i.time_zone, i.device_id, i.token_none, i.is_reinstall, i.first_install_id,
          i.created_at_ms, i.installed_at_ms, i.last_seen_at_ms, p.version AS profile_version, p.customer_id,
          p.customer_is_verified, p.attributes, e.token_hash, e.state, e.reason, e.received_at_ms,
          j.job_key, j.due_at_ms, j.created_at_ms,
          i.device_model, f.fact_id, f.source, f.status, f.is_verified, f.is_test, f.said_at_ms, f.recorded_at_ms, f.channel, f.campaign,
          f.ad_group, f.ad_set, f.creative, f.apple_ads, f.link
        FROM install i
          LEFT JOIN profile p ON p.app_id = i.app_id AND p.profile_id = i.profile_id
          LEFT JOIN apple_ads_exchange e ON e.app_id = i.app_id AND e.install_id = i.install_id AND NOT EXISTS (
            SELECT 1 FROM apple_ads_exchange n WHERE n.app_id = i.app_id AND n.install_id = i.install_id
              AND (n.received_at_ms, e.token_hash) > (e.received_at_ms, n.token_hash)
          )
          LEFT JOIN job j ON j.app_id = i.app_id AND j.install_id = i.install_id AND j.kind = 'apple_ads' AND NOT EXISTS (
            SELECT 1 FROM job n WHERE n.app_id = i.app_id AND n.install_id = i.install_id AND n.kind = 'apple_ads'
              AND (n.created_at_ms, j.job_key) > (j.created_at_ms, n.job_key)
          )
          LEFT JOIN attribution_fact f ON f.app_id = i.app_id AND f.install_id = i.install_id
        WHERE i.app_id = $1 AND i.install_id = $2
        """
}

/// A person's profile, the same in every install that shows it.
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

    /// - Parameter place: the position of `version, customer_id, customer_is_verified, attributes`, all NULL if the profile has
    ///   no row.
    init(id: ProfileID, _ row: Row, from place: Int) throws {
        self.id = id
        guard let version = row.optionalInteger(place) else { return }
        self.version = version
        customerID = row.optionalText(place + 1).map { CustomerID($0) }
        isVerified = try row.flag(place + 2)
        let text = try row.text(place + 3)
        if text != "{}" { attributes = try [String: AttributeValue].stored(text) }
    }

    /// The profile of a verified customer.
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
        try self.init(id: ProfileID(try row.text(0)), row, from: 1)
    }
}

extension DeviceFacts {
    /// - Parameter place: the position of `app_version, os_version, platform, locale, store_country, time_zone, device_id`.
    fileprivate init(_ row: Row, from place: Int, model: String?) {
        self.init()
        self.model = model
        appVersion = row.optionalText(place)
        osVersion = row.optionalText(place + 1)
        platform = row.optionalText(place + 2)
        locale = row.optionalText(place + 3)
        storeCountry = row.optionalText(place + 4)
        timeZone = row.optionalText(place + 5)
        deviceId = row.optionalText(place + 6)
    }
}
