// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

extension InstallRecord {
    /// Reads the install and the answers to the call's questions: everything that the transaction needs.
    /// - Throws: ``InstallError/profileMismatch`` if the install id has another secret, ``InstallError/profileErased``.
    init(
        _ unit: InstallUnit, asking questions: InstallQuestions, from connection: any WriteConnection
    ) throws {
        let first = try FirstAnswers(questions, of: unit, from: connection)
        let stored = try StoredInstall(
            first.install, absences: first.absences, unit.app, unit.id, storeEpoch: unit.storeEpoch, countsClicks: questions.countsClicks,
            readsAssignments: questions.readsAssignments, from: connection)
        if let stored {
            self = try Self.known(stored, unit, asking: questions, keys: first.keys, from: connection)
            return
        }
        var answers = InstallAnswers()
        try answers.add(first.names ?? connection.rows(questions.namesOfNew.question(of: unit, isNew: true)))
        try answers.holdFirst(of: unit, connection)
        try answers.read(questions, of: unit, nil, from: connection)
        // Answers contain profile ids, so an id must give no access: a new install never joins an existing profile.
        let profile = answers.isOwnProfileTaken ? unit.freshID : .first(of: unit.id)
        var install = Install(new: unit.id, profileID: profile, epoch: unit.storeEpoch, nowMs: unit.nowMs)
        if questions.readsAssignments {
            install.assignments = try UnitAssignment.all(
                of: unit.id, first: answers.firstInstallOfDevice, in: unit.app, from: connection)
        }
        self.init(unit, stored: install, isNew: true, answers: answers)
    }

    /// - Returns: nil if the store does not have the install.
    static func known(_ unit: InstallUnit, from connection: any WriteConnection) throws -> InstallRecord? {
        try StoredInstall(unit.app, unit.id, storeEpoch: unit.storeEpoch, from: connection).map {
            try known($0, unit, asking: InstallQuestions(), keys: nil, from: connection)
        }
    }

    /// - Parameter keys: if they were looked up already.
    private static func known(
        _ stored: StoredInstall, _ unit: InstallUnit, asking questions: InstallQuestions, keys: RequestKeys?,
        from connection: any WriteConnection
    ) throws -> InstallRecord {
        if let credential = unit.credential, !credential.matches(stored.secretHash) { throw InstallError.profileMismatch }
        var answers = InstallAnswers()
        if let names = questions.names(newTo: stored.install) {
            try answers.add(connection.rows(names.question(of: unit, isNew: false)))
            try answers.holdFirst(of: unit, connection)
        }
        answers.keys = try keys ?? RequestKeys(connection.rows(RequestKeys.questions(questions.keys, of: unit.id, in: unit.app)))
        try answers.read(questions, of: unit, stored.install, from: connection)
        var install = stored.install
        // The device's first install is known only now, and so is the unit.
        if questions.readsAssignments, install.firstInstallID == nil, let first = answers.firstInstallOfDevice, first != install.id {
            install.assignments = try UnitAssignment.all(of: install.id, first: first, in: unit.app, from: connection)
        }
        return InstallRecord(unit, stored: install, isNew: false, answers: answers)
    }
}

/// The install's rows, with what the transaction will need if the install is as expected: one round trip. Nil: it was not asked.
private struct FirstAnswers {
    let install: [Row]
    var names: [Row]?
    var absences: [Absence]?
    var keys: RequestKeys?

    init(_ questions: InstallQuestions, of unit: InstallUnit, from connection: any ReadConnection) throws {
        let question = StoredInstall.question(of: unit.id, in: unit.app)
        switch questions.expectation {
        case .nothing: install = try connection.rows(question)
        case .new:
            let rows = try connection.rows([question, questions.namesOfNew.question(of: unit, isNew: true)])
            (install, names) = (rows[0], rows[1])
        case .known:
            let clicks = questions.countsClicks ? [Absence.question(of: unit.id, in: unit.app)] : []
            let rows = try connection.rows([question] + clicks + RequestKeys.questions(questions.keys, of: unit.id, in: unit.app))
            install = rows[0]
            if questions.countsClicks { absences = try Absence.all(rows[1]) }
            keys = try RequestKeys(rows.dropFirst(1 + clicks.count))
        }
    }
}

extension InstallUnit {
    /// Authenticates a caller that needs nothing else of the install, and creates the install if it is unknown.
    /// - Parameter holdingFacts: the caller adds the row for endpoints.
    /// - Throws: ``InstallError/profileMismatch`` if the install id has another secret.
    func admit(
        in connection: any WriteConnection, holdingFacts: Bool = false
    ) throws -> (profile: ProfileID, createdAtMs: Int64, facts: [WebhookFact]) {
        let row = try connection.row(
            "SELECT secret_hash, profile_id, created_at_ms FROM install WHERE app_id = $1 AND install_id = $2",
            [.text(app.rawValue), .text(id.rawValue)])
        if let row {
            guard try credential?.matches(row.blob("secret_hash")) == true else { throw InstallError.profileMismatch }
            return (ProfileID(try row.text("profile_id")), try row.integer("created_at_ms"), [])
        }
        var record = try InstallRecord(self, asking: InstallQuestions(), from: connection)
        let facts = try record.write(holdingFacts: holdingFacts, to: connection)
        return (record.install.profileID, record.install.createdAtMs, facts)
    }
}

/// Names that other installs may have used first.
private struct Names {
    var device: String?
    var token: TokenHash?

    func question(of unit: InstallUnit, isNew: Bool) -> Statement {
        Statement(
            InstallAnswers.namesText,
            [
                .text(unit.app.rawValue), .text(device), .text(token?.rawValue), .text(token == nil ? nil : unit.id.rawValue),
                .text(isNew ? ProfileID.first(of: unit.id).rawValue : nil), isNew ? .blob(ErasedInstall.hash(of: unit.id)) : .null,
                isNew ? unit.credential.map { .blob(ErasedInstall.hash(of: $0)) } ?? .null : .null,
            ])
    }
}

extension InstallQuestions {
    fileprivate var namesOfNew: Names { Names(device: device, token: token) }

    /// Nil if the install has used all of them before.
    fileprivate func names(newTo install: Install) -> Names? {
        let isDeviceNew = install.device.deviceId == nil && device != nil
        let isTokenNew = token != nil && token != install.exchange?.tokenHash
        return isDeviceNew || isTokenNew ? Names(device: isDeviceNew ? device : nil, token: isTokenNew ? token : nil) : nil
    }
}

extension InstallAnswers {
    /// Only which install used this device first.
    init(ofDevice device: String, _ unit: InstallUnit, from connection: any ReadConnection) throws {
        try add(connection.rows(Names(device: device).question(of: unit, isNew: false)))
    }

    /// - Parameter rows: the answer to ``Names/question(of:isNew:)``.
    fileprivate mutating func add(_ rows: [Row]) throws {
        for row in rows {
            let value = try row.text("value")
            switch try row.text("kind") {
            case "device": firstInstallOfDevice = InstallID(value)
            case "owner": token.owner = InstallID(value)
            case "erased": throw InstallError.profileErased
            case "sent": token.sent.insert(TokenHash(rawValue: value))
            default: isOwnProfileTaken = true
            }
        }
    }

    /// The device's first install may be about to be erased: then nobody may name it any more.
    fileprivate mutating func holdFirst(of unit: InstallUnit, _ connection: any WriteConnection) throws {
        guard let first = firstInstallOfDevice, first != unit.id else { return }
        try connection.lock([.install(first, in: unit.app)])
        if try connection.row(Self.storedText, [.text(unit.app.rawValue), .text(first.rawValue)]) == nil { firstInstallOfDevice = nil }
    }

    fileprivate mutating func read(
        _ questions: InstallQuestions, of unit: InstallUnit, _ install: Install?, from connection: any WriteConnection
    ) throws {
        if let customer = questions.customer {
            customersProfile = try StoredProfile(of: customer, in: unit.app, from: connection)
            // The profile that the install joins may be about to be erased: then the customer has none any more.
            if let profile = customersProfile?.id, profile != install?.profileID {
                try connection.lock([.profile(profile, in: unit.app)])
                customersProfile = try StoredProfile(of: customer, in: unit.app, from: connection)
            }
        }
        if let claim = questions.link {
            let install = install ?? Install(new: unit.id, profileID: unit.freshID, epoch: unit.storeEpoch, nowMs: unit.nowMs)
            link = try claim.find(for: install, saying: questions.saying, in: unit.app, nowMs: unit.nowMs, from: connection)
        }
    }

    private static let storedText = "SELECT 1 AS found FROM install WHERE app_id = $1 AND install_id = $2"

    /// A question that is not asked is NULL, which equals nothing.
    fileprivate static let namesText = """
        SELECT 'device' AS kind, install_id AS value FROM install
        WHERE app_id = $1 AND device_id = $2 AND is_reinstall = 0
        UNION ALL
        SELECT 'owner' AS kind, install_id AS value FROM apple_ads_exchange
        WHERE app_id = $1 AND token_hash = $3 AND (reason IS NULL OR reason <> 'tokenReused')
        UNION ALL
        SELECT 'owner' AS kind, install_id AS value FROM job
        WHERE app_id = $1 AND kind = 'apple_ads' AND job_key = $3
        UNION ALL
        SELECT 'sent' AS kind, token_hash AS value FROM apple_ads_exchange WHERE app_id = $1 AND install_id = $4
        UNION ALL
        SELECT 'sent' AS kind, job_key AS value FROM job WHERE app_id = $1 AND install_id = $4 AND kind = 'apple_ads'
        UNION ALL
        SELECT 'profile' AS kind, profile_id AS value FROM profile WHERE app_id = $1 AND profile_id = $5
        UNION ALL
        SELECT 'erased' AS kind, '' AS value FROM erased_install WHERE app_id = $1 AND install_hash IN ($6, $7)
        """
}
