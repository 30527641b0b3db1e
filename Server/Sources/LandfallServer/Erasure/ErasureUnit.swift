// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// One batch of an erasure, inside one transaction.
///
/// First an install is cut off: its row is deleted and its hash stays, so that nothing is stored for it any more. Then its
/// other rows are deleted, in as many transactions as they need; meanwhile a job remembers the install.
struct ErasureUnit {
    static let mostRows: Int64 = 500
    static let mostInstalls: Int64 = 50

    let app: AppID
    let nowMs: Int64
    /// Of the marks that say what reports count again.
    let reportStamp: Int64
    let connection: any WriteConnection
    private(set) var answer = ErasureAnswer()
    /// Installs that this batch has cut off, and reinstalls that named one of them as their first install.
    private(set) var cut: [InstallID] = []
    /// Further subjects to erase that this batch has found.
    private(set) var found: [ErasureSubject] = []

    /// - Parameter reportStamp: see ``ReportMark/drawnStamp()``.
    init(app: AppID, nowMs: Int64, reportStamp: Int64, connection: any WriteConnection) {
        self.app = app
        self.nowMs = nowMs
        self.reportStamp = reportStamp
        self.connection = connection
    }

    /// - Returns: true if nothing of the subject is left.
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
        // A row whose profile has another customer id; no release writes one.
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

    /// Deletes an expired install. Its row goes last, so that it is found again if one transaction is not enough.
    /// - Returns: true if nothing of the install is left.
    mutating func retire(_ install: InstallID) throws -> Bool {
        guard try empty(ErasureTables.ofInstall.filter { $0.table != "former_profile" }, of: install, isErased: false) else { return false }
        // Reads from `former_profile`, for the last time, which profiles the install showed.
        try cutOff(install, leaving: nil, isErased: false)
        _ = try empty(ErasureTables.ofInstall, of: install, isErased: false)
        for case .profile(let profile) in found { _ = try retire(profile) }
        found = []
        return true
    }

    /// Deletes a profile that an install left so long ago that nothing of that time is kept, if no install shows it.
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

    /// - Parameter isErased: an expired install is in days that stay as they are.
    private mutating func empty(_ tables: [ErasureTables.OfInstall], of install: InstallID, isErased: Bool = true) throws -> Bool {
        for owned in tables {
            let values: [SQLValue] = [.text(app.rawValue), .text(install.rawValue), .integer(Self.mostRows)]
            let count = try isErased && owned.table == "event"
                ? deleteEvents(owned.text, values) : delete(owned.table, owned.text, values)
            if count >= Self.mostRows { return false }
        }
        return true
    }

    /// Deletes the events that installs sent while they showed the profile, before they moved to another one.
    private mutating func forgetFormerInstalls(of profile: ProfileID) throws -> Bool {
        let values: [SQLValue] = [.text(app.rawValue), .text(profile.rawValue)]
        let rows = try connection.rows(ErasureTables.formerText, values + [.integer(Self.mostInstalls)])
        for row in rows {
            let install = try row.text("install_id")
            let deleted = try deleteEvents(
                ErasureTables.formerEventsText,
                [.text(app.rawValue), .text(install), .text(profile.rawValue), .integer(Self.mostRows)])
            if deleted > 0 { try mark(install) }
            guard deleted < Self.mostRows else { return false }
            try delete(
                "former_profile", "DELETE FROM former_profile WHERE app_id = $1 AND profile_id = $2 AND install_id = $3",
                values + [.text(install)])
        }
        return rows.count < Self.mostInstalls
    }

    /// - Parameter leaving: the profile that is being erased itself.
    private mutating func cutOff(_ install: InstallID, leaving: ProfileID?, isErased: Bool = true) throws {
        let values: [SQLValue] = [.text(app.rawValue), .text(install.rawValue)]
        let row = try connection.row("SELECT profile_id FROM install WHERE app_id = $1 AND install_id = $2", values)
        guard let row else { return }
        if isErased { try connection.run(ErasedInstall.mark(install, in: app, nowMs: nowMs)) }
        try delete("install", "DELETE FROM install WHERE app_id = $1 AND install_id = $2", values)
        // An install that was not seen for so long is in days that are not computed again.
        try connection.batch(
            isErased ? InstallProgressRows.forgetting(install, in: app) : InstallProgressRows.removal(of: install, in: app))
        for row in try connection.rows(ErasureTables.firstText, values) {
            let reinstall = try row.text("install_id")
            cut.append(InstallID(reinstall))
            // Whether it is a test device may have followed from the first install.
            try mark(reinstall)
        }
        answer.installs += 1
        cut.append(install)
        try findProfiles(of: install, current: ProfileID(try row.text("profile_id")), leaving: leaving)
    }

    /// Finds the profiles that no install shows any more: the current one and former ones. Former profiles of a verified
    /// customer stay, because the customer may return to them on another phone.
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
            // A profile without any values has no row to count.
            if profile == current, row == nil { answer.profiles += 1 }
            if profile == current || row?.optionalInteger("customer_is_verified") == 0 { found.append(.profile(profile)) }
        }
    }

    /// Reports count again what an install did that stays.
    private func mark(_ install: String) throws {
        let isStored = try connection.row(
            "SELECT profile_id FROM install WHERE app_id = $1 AND install_id = $2", [.text(app.rawValue), .text(install)]) != nil
        guard isStored else { return }
        // What it saw first may be something later now: each of its first days is counted again.
        try connection.run(InstallProgressRows.unseeing(install, in: app))
        try connection.run(ReportMark(report: ReportMark.installs, bucket: install, sinceMs: nowMs, stamp: reportStamp).insertion(into: app))
    }

    /// Deletes events, and marks the days of exposures that have counted them.
    private mutating func deleteEvents(_ text: String, _ values: [SQLValue]) throws -> Int {
        let rows = try connection.rows(text, values)
        answer.rows["event", default: 0] += Int64(rows.count)
        let shown = try rows.filter { try $0.text(0) == Event.Kind.paywallShown.rawValue }.map { try $0.integer(1) }
        guard !shown.isEmpty, let state = try RollupState.load(app, connection) else { return rows.count }
        let marks = state.following.flatMap { generation in
            Set(shown.map { generation.rules.zone.day(ofMs: $0) }).sorted().map { day in
                ReportMark(report: ReportMark.paywallDays(of: generation.number), bucket: "\(day)", sinceMs: nowMs, stamp: reportStamp)
            }
        }
        if !marks.isEmpty { try connection.batch(marks.map { $0.insertion(into: app) }) }
        return rows.count
    }

    @discardableResult
    private mutating func delete(_ table: String, _ text: String, _ values: [SQLValue]) throws -> Int {
        let count = try connection.run(text, values)
        answer.rows[table, default: 0] += Int64(count)
        return count
    }
}
