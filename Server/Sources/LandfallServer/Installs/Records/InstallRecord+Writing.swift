// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

extension InstallRecord {
    /// Writes what has changed since the install was loaded, as one batch; without a change it writes nothing. A version grows
    /// if and only if something that it covers has changed.
    /// - Parameter first: further statements of the caller; each has to change a row.
    /// - Throws: ``DatabaseError/retry(_:)`` if another node was faster, ``UnitIsLate`` if one of `first` changed no row.
    /// - Returns: what endpoints are told of it, if the caller adds their row.
    @discardableResult
    mutating func write(first: [Statement] = [], holdingFacts: Bool = false, to connection: any WriteConnection) throws -> [WebhookFact] {
        let facts = webhookFacts(isDecided: grow())
        var writes = first.map { Write($0, orThrow: UnitIsLate()) }
        writes += installWrite.map { [$0] } ?? []
        let profileWrite = try profileWrite
        writes += profileWrite.map { [$0] } ?? []
        writes += takenLink.taking(by: unit).enumerated().map { index, statement in
            // The first statement takes the link; the others clean up.
            index == 0 ? Write(statement, orThrow: Self.conflict) : Write(statement)
        }
        // A second job of a token would have no answer for this install.
        if let queuedToken { writes.append(Write(queuedToken.insertion(of: unit), orThrow: Self.conflict)) }
        writes += try rows().map { Write($0) }
        writes += assignmentWrites
        guard !writes.isEmpty else { return [] }
        if !holdingFacts, let webhook = unit.webhook { writes += webhook.insertions(of: facts, into: unit.app).map { Write($0) } }
        let changed = try connection.batch(writes.map(\.statement))
        for (write, count) in zip(writes, changed) where count == 0 {
            if let error = write.orThrow { throw error }
        }
        connection.tell(.install(unit.id, in: unit.app))
        if profileWrite != nil { connection.tell(.profile(install.profileID, in: unit.app)) }
        if let queuedToken, queuedToken.isOwn, queuedToken.lease == nil { connection.tell(.job) }
        return holdingFacts ? facts : []
    }

    /// - Returns: the attribution is known now, and was not before.
    private mutating func grow() -> Bool {
        let growth = VersionGrowth(from: stored, to: install, nowMs: unit.nowMs)
        if growth.install { install.installVersion += 1 }
        if growth.profile { install.profileVersion += 1 }
        if growth.attribution { install.attributionVersion += 1 }
        return growth.decision
    }

    private var installWrite: Write? {
        if isNew { return Write(Statement(Self.createText, install.createdValues(in: unit)), orThrow: Self.conflict) }
        let values = install.values(in: unit.app)
        guard values != stored.values(in: unit.app) else { return nil }
        return Write(Statement(Self.updateText, values), orThrow: Self.conflict)
    }

    /// A profile has a row once it has a value to store.
    private var profileWrite: Write? {
        get throws {
            let isJoined = install.profileID != stored.profileID && install.profileID == answers.customersProfile?.id
            guard !isJoined, try install.profileValues != stored.profileValues || install.profileID != stored.profileID,
                install.customerID != nil || !install.attributes.isEmpty || install.profileVersion > 0
            else { return nil }
            let values: [SQLValue] = [.text(unit.app.rawValue), .text(install.profileID.rawValue)] + (try install.profileValues)
            if install.profileID == stored.profileID, stored.profileVersion > 0 {
                return Write(Statement(Self.changeProfileText, values + [.integer(stored.profileVersion)]), orThrow: Self.conflict)
            }
            return Write(Statement(Self.profileText, values + [.integer(unit.nowMs)]), orThrow: Self.conflict)
        }
    }

    /// What the install gets in experiments with this transaction.
    var newAssignments: [UnitAssignment] {
        guard let assignments = install.assignments, assignments != stored.assignments ?? [] else { return [] }
        let before = stored.assignments ?? []
        return assignments.filter { assignment in
            !before.contains { $0.unit == assignment.unit && $0.experiment == assignment.experiment }
        }
    }

    /// The first write of a unit wins: the call that lost is repeated, and finds the other's row.
    private var assignmentWrites: [Write] {
        guard let assignments = install.assignments, assignments != stored.assignments ?? [] else { return [] }
        let before = stored.assignments ?? []
        return assignments.filter { !before.contains($0) }.map { assignment in
            let isMarked = before.contains { $0.unit == assignment.unit && $0.experiment == assignment.experiment }
            return isMarked
                ? Write(assignment.marking(in: unit.app))
                : Write(assignment.insertion(in: unit.app, nowMs: unit.nowMs), orThrow: Self.conflict)
        }
    }

    private func rows() throws -> [Statement] {
        var rows = keys.insertions(of: unit)
        if install.profileID != stored.profileID {
            rows.append(FormerProfile.insertion(of: stored.profileID, unit.id, in: unit.app, nowMs: unit.nowMs))
        }
        if let ownedCustomer {
            rows.append(
                Statement(
                    Self.customerText,
                    [
                        .text(unit.app.rawValue), .text(ownedCustomer.rawValue), .text(install.profileID.rawValue),
                        .integer(unit.nowMs),
                    ]))
        }
        for absence in install.absences where !stored.absences.contains(absence) { rows.append(absence.insertion(of: unit)) }
        let before = Set(stored.facts.map(\.id)), after = Set(install.facts.map(\.id))
        for fact in install.facts where !before.contains(fact.id) { rows.append(try fact.insertion(of: unit)) }
        for id in before.subtracting(after).sorted() { rows.append(AttributionFact.deletion(of: id, unit)) }
        if let seenAtMs = install.lastSeenAtMs, seenAtMs != stored.lastSeenAtMs {
            rows.append(InstallSeen.keeping(seenAtMs, of: unit.id, in: unit.app))
        }
        let activity = addedActivity
        if !activity.isEmpty { rows.append(activity.insertion(of: unit.id, into: unit.app)) }
        if isCountedOtherwise || !activity.asked.isEmpty { rows.append(unit.reportMark) }
        return rows + additions
    }

    /// Whether reports count the install otherwise than as it was stored.
    private var isCountedOtherwise: Bool {
        isNew || install.installedAtMs != stored.installedAtMs || install.firstInstallID != stored.firstInstallID
            || install.device.country != stored.device.country || install.device.platform != stored.device.platform
            || install.facts != stored.facts
    }

    /// Another node was writing the install while it was loaded. The repeated call finds it.
    private static let conflict = DatabaseError.retry("another call changed the same install")

    private struct Write {
        let statement: Statement
        /// Thrown if no row was changed.
        let orThrow: (any Error)?

        init(_ statement: Statement, orThrow: (any Error)? = nil) {
            self.statement = statement
            self.orThrow = orThrow
        }
    }
}

/// Another transaction has meanwhile done the same work.
struct UnitIsLate: Error {}

extension Install {
    fileprivate func values(in app: AppID) -> [SQLValue] {
        var values: [SQLValue] = []
        values.reserveCapacity(2 + InstallColumn.all.count)
        values.append(.text(app.rawValue))
        values.append(.text(id.rawValue))
        for column in InstallColumn.all { values.append(value(of: column)) }
        return values
    }

    fileprivate func createdValues(in unit: InstallUnit) -> [SQLValue] {
        values(in: unit.app) + [.blob(unit.credential?.secretHash ?? []), .integer(createdAtMs), .text(device.appVersion)]
    }

    private func value(of column: InstallColumn) -> SQLValue {
        switch column {
        case .profile_id: .text(profileID.rawValue)
        case .epoch: .integer(epoch)
        case .version: .integer(installVersion)
        case .attribution_version: .integer(attributionVersion)
        case .app_version: .text(device.appVersion)
        case .os_version: .text(device.osVersion)
        case .platform: .text(device.platform)
        case .locale: .text(device.locale)
        case .store_country: .text(device.storeCountry)
        case .time_zone: .text(device.timeZone)
        case .device_id: .text(device.deviceId)
        case .device_model: .text(device.model)
        case .token_none: .text(tokenNone?.rawValue)
        case .token_coming_until_ms: .integer(tokenComingUntilMs)
        case .token_gone_at_ms: .integer(tokenCalledOffAtMs)
        case .purchases_coming_until_ms: .integer(purchasesComingUntilMs)
        case .is_reinstall: .flag(isReinstall)
        case .first_install_id: .text(firstInstallID?.rawValue)
        case .installed_at_ms: .integer(installedAtMs)
        }
    }

    fileprivate var profileValues: [SQLValue] {
        get throws {
            [
                .integer(profileVersion), .text(customerID?.rawValue), .flag(customerIsVerified),
                .text(attributes.isEmpty ? "{}" : String(decoding: try WireCoding.encode(attributes), as: UTF8.self)),
            ]
        }
    }
}

extension InstallColumn {
    /// Made once: ``allCases`` would be an array for each write.
    fileprivate static let all = allCases
    /// The first two values of a statement are the key.
    fileprivate static let first = 3
    fileprivate static let places = Statement.places(1..<first + all.count + 3)
    fileprivate static let assignments = all.map { "\($0) = $\(first + $0.rawValue)" }.joined(separator: ", ")
}

extension InstallRecord {
    private static let createText = """
        INSERT INTO install (app_id, install_id, \(InstallColumn.names()), secret_hash, created_at_ms, first_app_version)
        VALUES (\(InstallColumn.places)) ON CONFLICT DO NOTHING
        """
    private static let updateText = """
        UPDATE install SET \(InstallColumn.assignments) WHERE app_id = $1 AND install_id = $2
        """
    /// A profile of version 0 may have a row: it may begin with a customer.
    private static let profileText = """
        INSERT INTO profile (app_id, profile_id, version, customer_id, customer_is_verified, attributes, created_at_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (app_id, profile_id) DO UPDATE SET version = excluded.version, customer_id = excluded.customer_id,
          customer_is_verified = excluded.customer_is_verified, attributes = excluded.attributes
        WHERE profile.version = 0
        """
    /// Other installs may show the same profile, so the row is changed only if it is still as it was read. One that was erased
    /// meanwhile is not made again.
    private static let changeProfileText = """
        UPDATE profile SET version = $3, customer_id = $4, customer_is_verified = $5, attributes = $6
        WHERE app_id = $1 AND profile_id = $2 AND version = $7
        """
    /// Refused if the customer already has a profile; the repeated call then finds and joins it.
    private static let customerText = "INSERT INTO customer (app_id, customer_id, profile_id, created_at_ms) VALUES ($1, $2, $3, $4)"
}

/// Which versions a change increments.
struct VersionGrowth: Hashable, Sendable {
    /// A value that only this install shows has changed.
    let install: Bool
    /// A value that every install of the person shows has changed. A move to another profile does not count: it increments the
    /// epoch.
    let profile: Bool
    /// Attribution has an answer. A question (`pending`) does not count, so a cached paywall stays valid.
    let attribution: Bool
    /// The answer itself has changed, and not only the latest link.
    let decision: Bool

    var isAny: Bool { install || profile || attribution }

    init(from before: Install, to after: Install, nowMs: Int64) {
        let old = before.attribution(nowMs: nowMs).withoutTime, new = after.attribution(nowMs: nowMs).withoutTime
        let oldLink = before.latestLink(nowMs: nowMs), newLink = after.latestLink(nowMs: nowMs)
        decision = old != new && !new.isPending
        attribution = decision || oldLink != newLink
        install =
            old != new || oldLink != newLink || before.isReinstall != after.isReinstall
            || before.appliedSources != after.appliedSources || before.engagement != after.engagement
        profile =
            before.profileID == after.profileID
            && (before.customerID != after.customerID || before.attributes != after.attributes)
    }
}

extension Attribution {
    /// The time of the next answer is not part of the install's visible state.
    fileprivate var withoutTime: Attribution { isPending ? .pending(nextAnswerNotBefore: 0) : self }
}
