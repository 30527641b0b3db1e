// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// One batch of an erasure, inside one transaction.
///
/// First an install is cut off: its row is deleted and its hash stays, so that nothing is stored for it any more. Then its
/// other rows are deleted, in as many transactions as they need; meanwhile a job remembers the install.
struct ErasureUnit {
    /// About how many rows all statements of a batch change together, because other writers wait meanwhile. A statement that changes
    /// no row counts as one.
    static let mostRows: Int64 = 500
    /// The most installs or profiles of one step: each is looked up by a few statements.
    static let mostInstalls: Int64 = 20

    let app: AppID
    let nowMs: Int64
    let connection: any WriteConnection
    private let counts: any ErasedCounts
    private let counted: CountedErasure
    private let reportStamp: Int64
    var answer = ErasureAnswer()
    /// Further subjects to erase that this batch has found.
    private(set) var found: [ErasureSubject] = []
    /// Profiles that are gone with this batch, and whose people are erased.
    private(set) var erasedProfiles: [ProfileID] = []
    /// What is left of ``mostRows``.
    private(set) var room = mostRows
    /// Read when a purchase is erased.
    var hashes: PurchaseHashes?

    /// - Parameter reportStamp: see ``DirtyMark/drawnStamp()``.
    init(app: AppID, nowMs: Int64, reportStamp: Int64, counts: any ErasedCounts, connection: any WriteConnection) {
        self.app = app
        self.nowMs = nowMs
        self.connection = connection
        self.counts = counts
        self.reportStamp = reportStamp
        counted = CountedErasure(app: app, nowMs: nowMs, stamp: reportStamp, connection: connection)
    }

    /// False once the batch is full: the rest is for the next one.
    var hasRoom: Bool { room > 0 }

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

    /// - Parameter isErased: false for a profile whose time is over: what it has bought stays.
    private mutating func step(_ profile: ProfileID, isErased: Bool = true) throws -> Bool {
        let before = answer.things, isDone = try empty(profile, isErased: isErased)
        // Rows that were exported name the profile: those who have them learn of its erasure.
        if isErased, answer.things > before { try write([ErasedInstall.mark(ErasedInstall.hash(of: profile), in: app, nowMs: nowMs)]) }
        return isDone
    }

    private mutating func empty(_ profile: ProfileID, isErased: Bool) throws -> Bool {
        let values = key(profile.rawValue)
        // With the profile's lock no install joins it any more; with its own, none leaves it.
        try connection.lock([.profile(profile, in: app)])
        let installs = try connection.rows(ErasureTables.installsText, values + [.integer(Self.mostInstalls)])
            .map { InstallID(try $0.text("install_id")) }
        try connection.lock(installs.map { .install($0, in: app) })
        for id in installs {
            switch try cutOff(id, leaving: profile, isErased: isErased) {
            case .done: find(.install(id))
            case .isElsewhere: continue
            case .later: return false
            }
        }
        guard installs.count < Self.mostInstalls, try forgetFormerInstalls(of: profile), try forgetPurchases(of: profile, isErased: isErased),
            try forgetWebhooks(of: profile)
        else { return false }
        if let customer = try StoredProfile.customerID(of: profile, in: app, from: connection) {
            try delete(
                "customer", "DELETE FROM customer WHERE app_id = $1 AND customer_id = $2 AND profile_id = $3",
                [.text(app.rawValue), .text(customer), .text(profile.rawValue)])
        }
        let isStored = try delete("profile", "DELETE FROM profile WHERE app_id = $1 AND profile_id = $2", values) > 0
        if isStored || !installs.isEmpty {
            answer.profiles += 1
            if isErased { erasedProfiles.append(profile) }
        }
        return true
    }

    private mutating func step(_ install: InstallID) throws -> Bool {
        guard try cutOff(install, leaving: nil) != .later, try release(reinstallsOf: install), try forgetLeftProfiles(of: install) else { return false }
        return try empty(install)
    }

    /// Deletes an expired install. Its row goes last, so that it is found again if one transaction is not enough.
    /// - Returns: true if nothing of the install is left.
    mutating func retire(_ install: InstallID) throws -> Bool {
        // Which profiles it has left is forgotten after its events: it may come back between two transactions.
        guard try release(reinstallsOf: install), try empty(install, isErased: false),
            try forgetLeftProfiles(of: install, isErased: false), hasRoom
        else { return false }
        try cutOff(install, leaving: nil, isErased: false)
        for case .profile(let profile) in found { _ = try retire(profile) }
        found = []
        return true
    }

    /// Deletes a profile that an install left so long ago that nothing of that time is kept, if no install shows it and none has
    /// left it later.
    mutating func retire(_ profile: ProfileID, of install: InstallID) throws -> Bool {
        guard hasRoom else { return false }
        try delete(
            "former_profile", "DELETE FROM former_profile WHERE app_id = $1 AND profile_id = $2 AND install_id = $3",
            key(profile.rawValue) + [.text(install.rawValue)])
        return try retire(profile)
    }

    /// A profile with another row in `former_profile` stays: the rule of that table deletes it later.
    private mutating func retire(_ profile: ProfileID) throws -> Bool {
        // An install may be about to join it.
        try connection.lock([.profile(profile, in: app)])
        let isLater = try connection.row(ErasureTables.wasShownText, key(profile.rawValue)) != nil
        return try isLater || isShown(profile) || step(profile, isErased: false)
    }

    // MARK: - The parts of a step

    /// - Parameter isErased: false for an expired install: the days that counted it stay unchanged.
    private mutating func empty(_ install: InstallID, isErased: Bool = true) throws -> Bool {
        if !isErased, try !forgetOrigins(of: install, isErased: false) { return false }
        for owned in ErasureTables.ofInstall.flatMap({ $0.table == "webhook_message" ? [ErasureTables.answersOfInstall, $0] : [$0] }) {
            guard hasRoom else { return false }
            let most = room
            let values = key(install.rawValue) + [.integer(most)]
            let count = try isErased && owned.table == "event"
                ? deleteEvents(owned.text, values) : delete(owned.table, owned.text, values)
            if count >= most { return false }
        }
        return true
    }

    /// Bodies of messages, and what endpoints answered.
    private mutating func forgetWebhooks(of profile: ProfileID) throws -> Bool {
        for owned in ErasureTables.webhooksOfProfile {
            guard hasRoom else { return false }
            let most = room
            if try delete(owned.table, owned.text, key(profile.rawValue) + [.integer(most)]) >= most { return false }
        }
        return true
    }

    /// Deletes the events that installs sent while they showed the profile, before they moved to another one.
    private mutating func forgetFormerInstalls(of profile: ProfileID) throws -> Bool {
        let values = key(profile.rawValue)
        let rows = try connection.rows(ErasureTables.formerText, values + [.integer(Self.mostInstalls)])
        for row in rows {
            guard hasRoom else { return false }
            let install = try row.text("install_id"), most = room
            let deleted = try deleteEvents(
                ErasureTables.formerEventsText, key(install) + [.text(profile.rawValue), .integer(most)])
            if deleted > 0, try isStored(install) { try write(counts.recounting(InstallID(install), counted)) }
            guard deleted < most else { return false }
            try delete(
                "former_profile", "DELETE FROM former_profile WHERE app_id = $1 AND profile_id = $2 AND install_id = $3",
                values + [.text(install)])
        }
        return rows.count < Self.mostInstalls
    }

    /// Purchases that the install has brought name it no more, but where it came from and which paywall sold them. If it is erased, only the
    /// source of that stays, and its event does not.
    /// - Returns: false if there are more.
    private mutating func forgetOrigins(of install: InstallID, isErased: Bool) throws -> Bool {
        guard hasRoom else { return false }
        let most = max(1, room / (isErased ? 2 : 4))
        let chains = try connection.rows(ErasureTables.broughtText, key(install.rawValue) + [.integer(most)]).map { try $0.text("chain_id") }
        guard !chains.isEmpty else { return true }
        try connection.lock(chains.map { .chain($0, in: app) })
        if !isErased { try write(UnsoldChains.lastCopies(for: chains, of: install, in: app, from: connection)) }
        let origin = try origin(of: install), text = try (isErased ? origin?.ofErased : origin)?.text
        try write(chains.map { Statement(ErasureTables.originText, key($0) + [.flag(isErased), .text(text)]) })
        try markCharges(of: chains)
        return chains.count < most
    }

    /// Revenue of these days is counted again.
    func markCharges(of chains: [String]) throws { try markCharges(on: ChargeDays.of(chains, in: app, from: connection)) }

    func markCharges(on days: some Sequence<Int64>) throws {
        try connection.batch(DirtyMark.charges(on: days, sinceMs: nowMs, stamp: reportStamp).map { $0.insertion(into: app) })
    }

    /// Forgets which profiles the install has left. Profiles that no install shows any more go too, except those of verified
    /// customers, who may return to them on another phone: the row with the time at which they were left stays.
    private mutating func forgetLeftProfiles(of install: InstallID, isErased: Bool = true) throws -> Bool {
        guard hasRoom else { return false }
        let rows = try connection.rows(ErasureTables.left.text, key(install.rawValue) + [.integer(Self.mostInstalls)])
        spend(rows.count)
        answer.rows[ErasureTables.left.table, default: 0] += Int64(rows.count)
        for row in rows {
            let profile = ProfileID(try row.text("profile_id"))
            guard try !isShown(profile), let isProven = try StoredProfile.isVerified(profile, in: app, from: connection) else { continue }
            if isProven {
                try write([FormerProfile.keeping(profile, in: app, leftAtMs: try row.integer("left_at_ms"))])
            } else if isErased {
                find(.profile(profile))
            } else {
                _ = try retire(profile)
            }
        }
        return rows.count < Self.mostInstalls
    }

    /// Removes the first install of the device from its reinstalls. They may have been test devices because of it.
    private mutating func release(reinstallsOf install: InstallID) throws -> Bool {
        guard hasRoom else { return false }
        // Each reinstall is changed, and two more of its rows.
        let most = max(1, room / 3)
        let reinstalls = try connection.rows(ErasureTables.reinstallsText, key(install.rawValue) + [.integer(most)])
            .map { InstallID(try $0.text("install_id")) }
        // A call of one of them that has read the first install would write it back, and assignments in its name.
        try connection.lock(reinstalls.map { .install($0, in: app) })
        let changed = try connection.batch(reinstalls.map { Statement(ErasureTables.releaseText, key($0.rawValue)) })
        for count in changed { spend(count) }
        let released = zip(reinstalls, changed).filter { $0.1 > 0 }.map(\.0)
        for install in released { connection.tell(.install(install, in: app)) }
        try write(released.flatMap { counts.recounting($0, counted) })
        return reinstalls.count < most
    }

    private enum CutOff { case done, isElsewhere, later }

    /// - Parameter leaving: the profile that is being erased itself.
    /// - Returns: ``CutOff/isElsewhere`` if the install is gone, or has left that profile; ``CutOff/later`` if it has brought more purchases
    ///   than fit into this batch. Where they came from is known from its rows alone.
    @discardableResult
    private mutating func cutOff(_ install: InstallID, leaving: ProfileID?, isErased: Bool = true) throws -> CutOff {
        let values = key(install.rawValue)
        let row = try connection.row("SELECT profile_id FROM install WHERE app_id = $1 AND install_id = $2", values)
        guard let row else { return .isElsewhere }
        let current = ProfileID(try row.text("profile_id"))
        if let leaving, leaving != current { return .isElsewhere }
        if isErased {
            guard try forgetOrigins(of: install, isErased: true) else { return .later }
            try write([ErasedInstall.mark(ErasedInstall.hash(of: install), in: app, nowMs: nowMs)] + (try counts.keeping(install, counted)))
        }
        // An expired install was not seen for so long that the days that counted it are not computed again.
        try write(
            counts.removal(of: install, in: app)
                + [InstallActivity.removal(of: install, in: app), InstallSeen.removal(of: install, in: app)])
        try delete("install", "DELETE FROM install WHERE app_id = $1 AND install_id = $2", values)
        answer.installs += 1
        connection.tell(.erased(install, in: app))
        try findProfiles(of: install, current: current, leaving: leaving, isErased: isErased)
        return .done
    }

    /// Finds the profile that the install showed, and its first one, if no install shows them any more. All others that it has
    /// left are found by ``forgetLeftProfiles(of:isErased:)``.
    private mutating func findProfiles(of install: InstallID, current: ProfileID, leaving: ProfileID?, isErased: Bool) throws {
        var seen: Set<ProfileID> = leaving.map { [$0] } ?? []
        for profile in [current, .first(of: install)] where seen.insert(profile).inserted {
            guard try !isShown(profile) else { continue }
            let isProven = try StoredProfile.isVerified(profile, in: app, from: connection)
            // A profile without any values has no row to count.
            if profile == current, isProven == nil {
                answer.profiles += 1
                if isErased { erasedProfiles.append(profile) }
            }
            if profile == current || isProven == false { find(.profile(profile)) }
        }
    }

    private mutating func find(_ subject: ErasureSubject) {
        if !found.contains(subject) { found.append(subject) }
    }

    // MARK: - Rows

    func key(_ id: String) -> [SQLValue] { [.text(app.rawValue), .text(id)] }

    private func isShown(_ profile: ProfileID) throws -> Bool {
        try connection.row(ErasureTables.installsText, key(profile.rawValue) + [.integer(1)]) != nil
    }

    private func isStored(_ install: String) throws -> Bool {
        try connection.row("SELECT profile_id FROM install WHERE app_id = $1 AND install_id = $2", key(install)) != nil
    }

    /// Deletes events, and marks the days of exposures that have counted them: these marks come on top of ``mostRows``.
    private mutating func deleteEvents(_ text: String, _ values: [SQLValue]) throws -> Int {
        let rows = try connection.rows(text, values)
        spend(rows.count)
        answer.rows["event", default: 0] += Int64(rows.count)
        let shown = try rows.filter { try $0.text(0) == Event.Kind.paywallShown.rawValue }.map { try $0.integer(1) }
        if !shown.isEmpty { try write(counts.recounting(exposuresAtMs: shown, counted)) }
        return rows.count
    }

    @discardableResult
    mutating func delete(_ table: String, _ text: String, _ values: [SQLValue]) throws -> Int {
        let count = try connection.run(text, values)
        spend(count)
        answer.rows[table, default: 0] += Int64(count)
        return count
    }

    mutating func write(_ statements: [Statement]) throws {
        guard !statements.isEmpty else { return }
        for count in try connection.batch(statements) { spend(count) }
    }

    mutating func spend(_ rows: Int) { room -= Int64(max(1, rows)) }
}

extension ErasureAnswer {
    /// Everything that was deleted.
    fileprivate var things: Int64 { rows.values.reduce(profiles + installs, +) }
}
