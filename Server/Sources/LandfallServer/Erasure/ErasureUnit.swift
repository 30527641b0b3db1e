// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// One lot of an erasure, inside one unit of the database.
///
/// First an install is cut off: its row goes and its hash stays, so that nothing comes to it any more. Then its rows go, in as
/// many units as they need; a job of the install remembers it meanwhile.
struct ErasureUnit {
    static let mostRows: Int64 = 500
    static let mostInstalls: Int64 = 50

    let app: AppID
    let nowMs: Int64
    let connection: any WriteConnection
    private(set) var answer = ErasureAnswer()
    /// Installs that are cut off now, and those that have lost what they knew of them.
    private(set) var cut: [InstallID] = []
    /// Who is to be erased besides.
    private(set) var found: [ErasureSubject] = []

    init(app: AppID, nowMs: Int64, connection: any WriteConnection) {
        self.app = app
        self.nowMs = nowMs
        self.connection = connection
    }

    /// - Returns: true where nothing of the subject is left.
    mutating func step(_ subject: ErasureSubject) throws -> Bool {
        switch subject {
        case .install(let id): try step(id)
        case .profile(let id): try step(id)
        case .customer(let id): try step(id)
        }
    }

    private mutating func step(_ customer: CustomerID) throws -> Bool {
        let values: [SQLValue] = [.text(app.rawValue), .text(customer.rawValue)]
        if let row = try connection.row(ErasureTables.customersText, values) {
            _ = try step(ProfileID(try row.text("profile_id")))
            return false
        }
        // Of a profile that has left it, as no release makes it.
        try delete("customer", "DELETE FROM customer WHERE app_id = $1 AND customer_id = $2", values)
        return true
    }

    private mutating func step(_ profile: ProfileID) throws -> Bool {
        let values: [SQLValue] = [.text(app.rawValue), .text(profile.rawValue)]
        let installs = try connection.rows(ErasureTables.installsText, values + [.integer(Self.mostInstalls)])
        for row in installs {
            let id = InstallID(try row.text("install_id"))
            try cutOff(id, leaving: profile)
            found.append(.install(id))
        }
        guard installs.count < Self.mostInstalls, try forgetFormerInstalls(of: profile) else { return false }
        let customer = try connection.row(
            "SELECT customer_id FROM profile WHERE app_id = $1 AND profile_id = $2", values)?.optionalText("customer_id")
        if let customer {
            try delete(
                "customer", "DELETE FROM customer WHERE app_id = $1 AND customer_id = $2 AND profile_id = $3",
                [.text(app.rawValue), .text(customer), .text(profile.rawValue)])
        }
        let isStored = try delete("profile", "DELETE FROM profile WHERE app_id = $1 AND profile_id = $2", values) > 0
        if isStored || !installs.isEmpty { answer.profiles += 1 }
        return true
    }

    /// An install whose time is over. Its row goes last, so that it is found again where there is more than one unit deletes.
    /// - Returns: true where nothing of it is left.
    mutating func retire(_ install: InstallID) throws -> Bool {
        guard try empty(ErasureTables.ofInstall.filter { $0.table != "former_profile" }, of: install) else { return false }
        // Which profiles it showed before is asked for once more.
        try cutOff(install, leaving: nil, isErased: false)
        _ = try empty(ErasureTables.ofInstall, of: install)
        for case .profile(let profile) in found { _ = try retire(profile) }
        found = []
        return true
    }

    /// A profile that an install left so long ago that nothing of that time is kept; it goes where nobody shows it.
    mutating func retire(_ profile: ProfileID, of install: InstallID) throws -> Bool {
        try delete(
            "former_profile", "DELETE FROM former_profile WHERE app_id = $1 AND profile_id = $2 AND install_id = $3",
            [.text(app.rawValue), .text(profile.rawValue), .text(install.rawValue)])
        return try retire(profile)
    }

    private mutating func retire(_ profile: ProfileID) throws -> Bool {
        let values: [SQLValue] = [.text(app.rawValue), .text(profile.rawValue), .integer(1)]
        let isShown = try !connection.rows(ErasureTables.installsText, values).isEmpty
        return try isShown || step(profile)
    }

    private mutating func step(_ install: InstallID) throws -> Bool {
        try cutOff(install, leaving: nil)
        return try empty(ErasureTables.ofInstall, of: install)
    }

    private mutating func empty(_ tables: [ErasureTables.OfInstall], of install: InstallID) throws -> Bool {
        for owned in tables {
            let values: [SQLValue] = [.text(app.rawValue), .text(install.rawValue), .integer(Self.mostRows)]
            if try delete(owned.table, owned.text, values) >= Self.mostRows { return false }
        }
        return true
    }

    /// What installs that have moved on sent while they showed the profile.
    private mutating func forgetFormerInstalls(of profile: ProfileID) throws -> Bool {
        let values: [SQLValue] = [.text(app.rawValue), .text(profile.rawValue)]
        let rows = try connection.rows(ErasureTables.formerText, values + [.integer(Self.mostInstalls)])
        for row in rows {
            let install = try row.text("install_id")
            let deleted = try delete(
                "event", ErasureTables.formerEventsText,
                [.text(app.rawValue), .text(install), .text(profile.rawValue), .integer(Self.mostRows)])
            guard deleted < Self.mostRows else { return false }
            try delete(
                "former_profile", "DELETE FROM former_profile WHERE app_id = $1 AND profile_id = $2 AND install_id = $3",
                values + [.text(install)])
        }
        return rows.count < Self.mostInstalls
    }

    /// - Parameter leaving: a profile that is being erased itself.
    private mutating func cutOff(_ install: InstallID, leaving: ProfileID?, isErased: Bool = true) throws {
        let values: [SQLValue] = [.text(app.rawValue), .text(install.rawValue)]
        let row = try connection.row("SELECT profile_id FROM install WHERE app_id = $1 AND install_id = $2", values)
        guard let row else { return }
        if isErased { try connection.run(ErasedInstall.mark(install, in: app, nowMs: nowMs)) }
        try delete("install", "DELETE FROM install WHERE app_id = $1 AND install_id = $2", values)
        for row in try connection.rows(ErasureTables.firstText, values) {
            cut.append(InstallID(try row.text("install_id")))
        }
        answer.installs += 1
        cut.append(install)
        try findProfiles(of: install, current: ProfileID(try row.text("profile_id")), leaving: leaving)
    }

    /// Profiles that nobody shows any more: the current one, and those of before, unless they are a proven customer's, who may
    /// come back to them on another phone.
    private mutating func findProfiles(of install: InstallID, current: ProfileID, leaving: ProfileID?) throws {
        let former = try connection.rows(
            ErasureTables.formersText, [.text(app.rawValue), .text(install.rawValue), .integer(Self.mostInstalls)])
        var seen: Set<ProfileID> = leaving.map { [$0] } ?? []
        for profile in [current, .first(of: install)] + (try former.map { ProfileID(try $0.text("profile_id")) })
        where seen.insert(profile).inserted {
            let values: [SQLValue] = [.text(app.rawValue), .text(profile.rawValue)]
            guard try connection.rows(ErasureTables.installsText, values + [.integer(1)]).isEmpty else { continue }
            let row = try connection.row(
                "SELECT customer_is_verified FROM profile WHERE app_id = $1 AND profile_id = $2", values)
            // A profile that never said anything has no row that would be counted.
            if profile == current, row == nil { answer.profiles += 1 }
            if profile == current || row?.optionalInteger("customer_is_verified") == 0 { found.append(.profile(profile)) }
        }
    }

    @discardableResult
    private mutating func delete(_ table: String, _ text: String, _ values: [SQLValue]) throws -> Int {
        let count = try connection.run(text, values)
        answer.rows[table, default: 0] += Int64(count)
        return count
    }
}
