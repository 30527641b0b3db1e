// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Finds people by what support gets from them. Every read is by a key or a range of one.
struct ProfileSearch: Sendable {
    /// The rows of an answer.
    static let most = 20
    /// Fewer characters would match too many people.
    static let shortestPrefix = 4

    let database: any Database
    let app: AppID

    /// The newest first opens.
    func newest(_ snapshot: Snapshot) async throws -> FoundProfiles {
        try await database.read { [app] connection in
            let rows = try connection.rows(Self.newestText, [.text(app.rawValue), .integer(Int64(Self.most))])
            return FoundProfiles(profiles: try rows.map { try ProfileRow(install: $0, snapshot.testDevices) }, isCut: false)
        }
    }

    /// The installs that the configuration names, and their reinstalls.
    func testDevices(_ snapshot: Snapshot) async throws -> FoundProfiles {
        let devices = snapshot.configuration.testDevices
        return try await database.read { [app] connection in
            var found = FoundRows(app: app, snapshot: snapshot, connection: connection)
            for device in devices where !found.isFull { try found.add(device) }
            return found.answer
        }
    }

    /// - Parameter query: an install, profile or customer id, a code or token of a link's page, or a test device's name; if nobody
    ///   has it, the beginning of an id.
    func find(_ query: String, _ snapshot: Snapshot) async throws -> FoundProfiles {
        guard (1...Limits.customerID).contains(query.utf8.count), !query.utf8.contains(0) else {
            return FoundProfiles(profiles: [], isCut: false)
        }
        let token = DeferredToken(presented: query)?.hash
        return try await database.read { [app] connection in
            var found = FoundRows(app: app, snapshot: snapshot, connection: connection)
            try found.add(install: InstallID(query.lowercased()))
            try found.add(profile: ProfileID(query), isKnown: false)
            for row in try connection.rows(Self.customersText, [.text(app.rawValue), .text(query), .integer(Int64(Self.most + 1))]) {
                try found.add(profile: ProfileID(try row.text("profile_id")), isKnown: true)
            }
            if let token, let row = try connection.row(Self.tokenText, [.text(app.rawValue), .blob(token)]),
                let install = row.optionalText("taken_by_install")
            {
                try found.add(install: InstallID(install))
            }
            for device in snapshot.configuration.testDevices where device.name == query { try found.add(device) }
            if found.isEmpty, query.utf8.count >= Self.shortestPrefix { try found.add(beginningWith: query) }
            return found.answer
        }
    }

    static let newestText = ProfileRow.installsText + "\nWHERE i.app_id = $1 ORDER BY i.created_at_ms DESC, i.install_id DESC LIMIT $2"
    static let customersText = """
        SELECT profile_id FROM profile WHERE app_id = $1 AND customer_id = $2 ORDER BY profile_id || '' LIMIT $3
        """
    static let tokenText = "SELECT taken_by_install FROM deferred_link WHERE app_id = $1 AND token_hash = $2"
}

/// The people that a search has found so far, each once.
struct FoundRows {
    let app: AppID
    let snapshot: Snapshot
    let connection: any ReadConnection
    private var rows: [ProfileRow] = []

    init(app: AppID, snapshot: Snapshot, connection: any ReadConnection) {
        self.app = app
        self.snapshot = snapshot
        self.connection = connection
    }

    var isEmpty: Bool { rows.isEmpty }
    var isFull: Bool { rows.count > ProfileSearch.most }
    var answer: FoundProfiles { FoundProfiles(profiles: Array(rows.prefix(ProfileSearch.most)), isCut: isFull) }

    mutating func add(install: InstallID) throws {
        try add(connection.rows(Self.installText, [.text(app.rawValue), .text(install.rawValue)]))
    }

    mutating func add(_ device: TestDevice) throws {
        try add(install: device.install)
        try add(connection.rows(Self.reinstallsText, values(.text(device.install.rawValue))))
    }

    /// Its installs; without one, the profile itself.
    /// - Parameter isKnown: a row of the profile was read already.
    mutating func add(profile: ProfileID, isKnown: Bool) throws {
        guard !isFull else { return }
        let installs = try connection.rows(Self.ofProfileText, values(.text(profile.rawValue)))
        try add(installs)
        guard installs.isEmpty else { return }
        let key: [SQLValue] = [.text(app.rawValue), .text(profile.rawValue)]
        let row = try connection.row(ProfileRow.profileText, key)
        guard try isKnown || row != nil || connection.row(ProfileRow.formerText, key) != nil else { return }
        add(ProfileRow(bare: profile, customer: row?.optionalText("customer_id")))
    }

    /// Ids of installs are hexadecimal, and profile ids are that with a letter before; customers have any.
    mutating func add(beginningWith text: String) throws {
        let lower = text.lowercased()
        if lower.utf8.allSatisfy(Self.isOfUUID) {
            // After every character of an id.
            try add(connection.rows(Self.installsText, [.text(app.rawValue), .text(lower), .text(lower + "g"), Self.limit]))
        }
        if ["i_", "s_"].contains(String(lower.prefix(2))), lower.utf8.dropFirst(2).allSatisfy(Self.isOfUUID) {
            for row in try connection.rows(Self.profilesText, [.text(app.rawValue), .text(lower), .text(lower + "g"), Self.limit]) {
                try add(profile: ProfileID(try row.text("profile_id")), isKnown: true)
            }
        }
        guard let last = text.unicodeScalars.last, let next = Unicode.Scalar(last.value + 1) else { return }
        let end = String(String.UnicodeScalarView(text.unicodeScalars.dropLast() + [next]))
        for row in try connection.rows(Self.customerRangeText, [.text(app.rawValue), .text(text), .text(end), Self.limit])
        where try row.text("customer_id").utf8.starts(with: text.utf8) {
            try add(profile: ProfileID(try row.text("profile_id")), isKnown: true)
        }
    }

    private mutating func add(_ found: [Row]) throws {
        for row in found { add(try ProfileRow(install: row, snapshot.testDevices)) }
    }

    private mutating func add(_ row: ProfileRow) {
        guard !isFull, !rows.contains(where: { $0.profile == row.profile && $0.install == row.install }) else { return }
        rows.append(row)
    }

    private func values(_ key: SQLValue) -> [SQLValue] { [.text(app.rawValue), key, Self.limit] }

    private static func isOfUUID(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            || byte == UInt8(ascii: "-")
    }

    private static let limit = SQLValue.integer(Int64(ProfileSearch.most + 1))
    static let installText = ProfileRow.installsText + "\nWHERE i.app_id = $1 AND i.install_id = $2"
    static let reinstallsText =
        ProfileRow.installsText + "\nWHERE i.app_id = $1 AND i.first_install_id = $2 ORDER BY i.install_id || '' LIMIT $3"
    static let ofProfileText =
        ProfileRow.installsText + "\nWHERE i.app_id = $1 AND i.profile_id = $2 ORDER BY COALESCE(s.last_seen_at_ms, i.created_at_ms) DESC, i.install_id LIMIT $3"
    static let installsText =
        ProfileRow.installsText + "\nWHERE i.app_id = $1 AND i.install_id >= $2 AND i.install_id < $3 ORDER BY i.install_id DESC LIMIT $4"
    static let profilesText = """
        SELECT profile_id FROM install WHERE app_id = $1 AND profile_id >= $2 AND profile_id < $3
        ORDER BY profile_id DESC, install_id LIMIT $4
        """
    static let customerRangeText = """
        SELECT profile_id, customer_id FROM profile WHERE app_id = $1 AND customer_id >= $2 AND customer_id < $3
        ORDER BY customer_id, profile_id LIMIT $4
        """
}

extension ProfileRow {
    static let installsText = """
        SELECT i.install_id, i.profile_id, i.created_at_ms, i.installed_at_ms,
          COALESCE(s.last_seen_at_ms, i.created_at_ms) AS last_seen_at_ms, i.platform, i.app_version, i.first_install_id, p.customer_id
        FROM install i
          LEFT JOIN install_seen s ON s.app_id = i.app_id AND s.install_id = i.install_id
          LEFT JOIN profile p ON p.app_id = i.app_id AND p.profile_id = i.profile_id
        """
    static let profileText = "SELECT customer_id, customer_is_verified, attributes FROM profile WHERE app_id = $1 AND profile_id = $2"
    /// A profile without values has no row of its own.
    static let formerText = "SELECT install_id FROM former_profile WHERE app_id = $1 AND profile_id = $2 LIMIT 1"

    init(install row: Row, _ devices: TestDevices) throws {
        let install = InstallID(try row.text("install_id"))
        self.init(
            profile: try row.text("profile_id"), install: install.rawValue, customer: row.optionalText("customer_id"),
            firstOpenMilliseconds: min(try row.integer("created_at_ms"), try row.integer("installed_at_ms")),
            lastSeenMilliseconds: row.optionalInteger("last_seen_at_ms"), platform: row.optionalText("platform"),
            appVersion: row.optionalText("app_version"),
            testDevice: devices.device(install, first: row.optionalText("first_install_id").map { InstallID($0) })?.name)
    }

    init(bare profile: ProfileID, customer: String?) {
        self.init(
            profile: profile.rawValue, install: nil, customer: customer, firstOpenMilliseconds: nil, lastSeenMilliseconds: nil,
            platform: nil, appVersion: nil, testDevice: nil)
    }
}
