// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

/// An install with the hash that authenticates its caller. One statement reads its row with its profile's and its newest
/// exchange's (open or finished), once for each of its facts, and when it was seen if that is needed. Another reads its absences if
/// link clicks count.
struct StoredInstall: Sendable {
    let secretHash: [UInt8]
    let install: Install

    init(secretHash: [UInt8], install: Install) {
        self.secretHash = secretHash
        self.install = install
    }

    /// - Parameter readsLastSeen: false saves a descent; then ``Install/lastSeenAtMs`` is nil.
    static func question(of id: InstallID, in app: AppID, readsLastSeen: Bool = true) -> Statement {
        let columns = readsLastSeen ? InstallColumns.withLastSeen : .all
        return Statement(columns.text, [.text(app.rawValue), .text(id.rawValue)])
    }

    /// - Parameter readsLastSeen: see ``question(of:in:readsLastSeen:)``.
    /// - Returns: nil if the app has no such install.
    init?(
        _ app: AppID, _ id: InstallID, storeEpoch: Int64, readsLastSeen: Bool = true, readsAssignments: Bool = false,
        from connection: any ReadConnection
    ) throws {
        let rows = try connection.rows(Self.question(of: id, in: app, readsLastSeen: readsLastSeen))
        try self.init(
            rows, app, id, storeEpoch: storeEpoch, readsLastSeen: readsLastSeen, readsAssignments: readsAssignments, from: connection)
    }

    /// - Parameters:
    ///   - rows: the answer to ``question(of:in:readsLastSeen:)``.
    ///   - absences: if they were read already. A click may be added, so they are needed even if no fact depends on them yet.
    ///   - storeEpoch: the epoch of the store's mark; an older epoch of the install counts as this.
    ///   - readsLastSeen: as in the question.
    ///   - countsClicks: the absences are needed although they were not read already.
    ///   - readsAssignments: the configuration has experiments; one more statement reads what the install has in them.
    /// - Returns: nil if the app has no such install.
    init?(
        _ rows: [Row], absences: [Absence]? = nil, _ app: AppID, _ id: InstallID, storeEpoch: Int64, readsLastSeen: Bool = true,
        countsClicks: Bool = false, readsAssignments: Bool = false, from connection: any ReadConnection
    ) throws {
        guard let row = rows.first else { return nil }
        let columns = readsLastSeen ? InstallColumns.withLastSeen : .all, own = columns.install
        // In no particular order: their meaning does not depend on it.
        let facts = try rows.compactMap { try AttributionFact($0, columns.fact) }
        let dependsOnAbsences = countsClicks || facts.contains { $0.source == .link }
        var absences = absences
        if absences == nil, dependsOnAbsences { absences = try Absence.all(connection.rows(Absence.question(of: id, in: app))) }
        // A profile without values has no row.
        let profile = try StoredProfile(id: ProfileID(try row.text(own[.profile_id])), row, columns.profile)
        secretHash = try row.blob(columns.fixed[.secret_hash])
        let first = row.optionalText(own[.first_install_id]).map { InstallID($0) }
        let createdAtMs = try row.integer(columns.fixed[.created_at_ms])
        install = Install(
            id: id,
            profileID: profile.id,
            epoch: max(try row.integer(own[.epoch]), storeEpoch),
            installVersion: try row.integer(own[.version]),
            profileVersion: profile.version,
            attributionVersion: try row.integer(own[.attribution_version]),
            customerID: profile.customerID,
            customerIsVerified: profile.isVerified,
            device: DeviceFacts(row, own),
            attributes: profile.attributes,
            access: profile.access,
            isReinstall: try row.flag(own[.is_reinstall]),
            firstInstallID: first,
            createdAtMs: createdAtMs,
            installedAtMs: try row.integer(own[.installed_at_ms]),
            lastSeenAtMs: columns.seen.map { row.optionalInteger($0[.last_seen_at_ms]) ?? createdAtMs },
            facts: facts,
            absences: absences ?? [],
            exchange: try .newest(row, finished: columns.finished, open: columns.open),
            tokenNone: row.optionalText(own[.token_none]).map { UnavailableReason($0) },
            tokenComingUntilMs: row.optionalInteger(own[.token_coming_until_ms]),
            tokenCalledOffAtMs: row.optionalInteger(own[.token_gone_at_ms]),
            purchasesComingUntilMs: row.optionalInteger(own[.purchases_coming_until_ms]),
            assignments: readsAssignments ? try UnitAssignment.all(of: id, first: first, in: app, from: connection) : nil
        )
    }
}

/// What may change of `install`: its rows are read and written by this list.
enum InstallColumn: Int, TableColumn {
    case profile_id, epoch, version, attribution_version
    case app_version, os_version, platform, locale, store_country, time_zone, device_id, device_model
    case token_none, token_coming_until_ms, token_gone_at_ms, purchases_coming_until_ms, is_reinstall, first_install_id, installed_at_ms
}

/// What the first call fixes of it.
enum FixedInstallColumn: Int, TableColumn { case secret_hash, created_at_ms }

/// Every column that an install is read from.
private struct InstallColumns {
    static let all = InstallColumns(readsLastSeen: false)
    static let withLastSeen = InstallColumns(readsLastSeen: true)

    let install: ColumnIndexes<InstallColumn>
    let fixed: ColumnIndexes<FixedInstallColumn>
    let profile: ColumnIndexes<StoredProfile.Column>
    let finished: ColumnIndexes<AppleAdsExchange.FinishedColumn>
    let open: ColumnIndexes<AppleAdsExchange.OpenColumn>
    let fact: ColumnIndexes<AttributionFact.Column>
    let seen: ColumnIndexes<InstallSeen.Column>?
    let text: String

    private init(readsLastSeen: Bool) {
        var list = SelectList()
        install = list.add(of: "i")
        fixed = list.add(of: "i")
        profile = list.add(of: "p")
        finished = list.add(of: "e")
        open = list.add(of: "j")
        fact = list.add(of: "f")
        seen = readsLastSeen ? list.add(of: "s") : nil
        let seenRow = readsLastSeen ? "LEFT JOIN install_seen s ON s.app_id = i.app_id AND s.install_id = i.install_id" : ""
        // The newest exchange is found with NOT EXISTS: to sort the exchanges, the engine made a table in memory at each read, even
        // for none.
        text = """
            SELECT \(list.text)
            FROM install i \(seenRow)
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
}

/// A person's profile, the same in every install that shows it.
struct StoredProfile: Hashable, Sendable {
    let id: ProfileID
    var version: Int64 = 0
    var customerID: CustomerID?
    var isVerified = false
    var attributes: [String: AttributeValue] = [:]
    /// Nil if it never bought anything.
    var access: ProfileAccess?

    init(id: ProfileID, customerID: CustomerID? = nil, isVerified: Bool = false) {
        self.id = id
        self.customerID = customerID
        self.isVerified = isVerified
    }

    /// What is read of `profile`, besides whose it is.
    enum Column: Int, TableColumn { case version, customer_id, customer_is_verified, attributes, access }

    /// - Parameter profile: all NULL if the profile has no row.
    init(id: ProfileID, _ row: Row, _ profile: ColumnIndexes<Column>) throws {
        self.id = id
        guard let version = row.optionalInteger(profile[.version]) else { return }
        self.version = version
        customerID = row.optionalText(profile[.customer_id]).map { CustomerID($0) }
        isVerified = try row.flag(profile[.customer_is_verified])
        let text = try row.text(profile[.attributes])
        if text != "{}" { attributes = try [String: AttributeValue].stored(text) }
        if let text = row.optionalText(profile[.access]) {
            guard let access = ProfileAccess(text: text) else { throw DatabaseError.unexpectedValue(column: "access") }
            self.access = access
        }
    }

    /// The profile of a verified customer.
    init?(of customer: CustomerID, in app: AppID, from connection: any ReadConnection) throws {
        guard let row = try connection.row(Self.customersText, [.text(app.rawValue), .text(customer.rawValue)]) else { return nil }
        try self.init(id: ProfileID(try row.text("profile_id")), row, ColumnIndexes())
    }

    private static let customersText = """
        SELECT \(Column.names(of: "p")), c.profile_id
        FROM customer c LEFT JOIN profile p ON p.app_id = c.app_id AND p.profile_id = c.profile_id
        WHERE c.app_id = $1 AND c.customer_id = $2
        """
}

extension DeviceFacts {
    fileprivate init(_ row: Row, _ install: ColumnIndexes<InstallColumn>) {
        self.init()
        appVersion = row.optionalText(install[.app_version])
        osVersion = row.optionalText(install[.os_version])
        platform = row.optionalText(install[.platform])
        locale = row.optionalText(install[.locale])
        storeCountry = row.optionalText(install[.store_country])
        timeZone = row.optionalText(install[.time_zone])
        deviceId = row.optionalText(install[.device_id])
        model = row.optionalText(install[.device_model])
    }
}
