// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallStore
import LandfallWire

extension SQLInstallStore {
    /// The install as an open would leave it if it were stored now. Writes nothing and does not wait.
    ///
    /// An install that the store does not have gets version 0, so every stored version is newer.
    /// - Throws: ``InstallError``
    package func unstored(_ app: AppID, _ credential: Credential, _ opening: Opening, nowMs: Int64) throws -> OpenedInstall {
        var opening = opening
        // A token counts as taken once it is stored, and a link from before the installation once it is found.
        if case .value = opening.adToken { opening.adToken = .coming }
        opening.deferred = nil
        // An open that is not stored makes no assignment. The answer still uses the phone's copy or the draw, if the unit is known.
        let enrolling = opening.enrolling
        opening.enrolling = nil
        let prepared = try PreparedOpening(opening, nowMs: nowMs)
        let unit = InstallUnit(app, credential.installID, credential, storeEpoch: storeEpoch, nowMs: nowMs)
        let known = try readable(app, credential)
        var install = Install(new: unit.id, profileID: .first(of: unit.id), epoch: storeEpoch, nowMs: nowMs)
        install.installVersion = 0
        if case .some(.some(let stored)) = known { install = stored }
        var answers: InstallAnswers? = InstallAnswers()
        if install.device.deviceId == nil, let device = prepared.questions.device {
            answers = known == nil ? nil : try readable(device, of: unit, &install)
        }
        install.isUnitKnown = known != nil && answers != nil
        var record = InstallRecord(unit, stored: install, isNew: true, answers: answers ?? InstallAnswers())
        _ = try record.open(prepared)
        enrolling?.takeEchoes(for: &record.install)
        return OpenedInstall(install: record.install, standing: install.isUnitKnown ? .unstored : .unread)
    }

    /// Which install used the device first, with the assignments of both.
    /// - Returns: nil if the store cannot be read at once.
    private func readable(_ device: String, of unit: InstallUnit, _ install: inout Install) throws -> InstallAnswers? {
        let readsAssignments = assignments.isOn
        let read: (answers: InstallAnswers, assignments: [UnitAssignment]?)?
        do {
            read = try database.readAtOnce { connection in
                let answers = try InstallAnswers(ofDevice: device, unit, from: connection)
                guard readsAssignments else { return (answers, nil) }
                return (
                    answers,
                    try UnitAssignment.all(of: unit.id, first: answers.firstInstallOfDevice, in: unit.app, from: connection)
                )
            }
        } catch is DatabaseError { return nil }
        if let assignments = read?.assignments { install.assignments = assignments }
        return read?.answers
    }

    /// - Returns: nil if the store cannot be read at once; an inner nil if it does not know the install.
    private func readable(_ app: AppID, _ credential: Credential) throws -> Install?? {
        guard let key = InstallKey(credential.installID), let hash = SecretHash(credential.secretHash) else { return nil }
        let looked: KnownInstall??
        do { looked = try lookAtOnce(app, key) } catch is DatabaseError { return nil }
        guard let looked else { return nil }
        guard let known = looked else { return .some(nil) }
        guard known.isProven(by: hash) else { throw InstallError.profileMismatch }
        return .some(known.install)
    }
}
