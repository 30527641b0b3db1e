// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

extension SQLInstallStore {
    /// The install as an open would leave it if it were stored now. Writes nothing and does not wait.
    ///
    /// An install that the store does not have gets version 0, so every stored version is newer.
    /// - Throws: ``InstallError``
    func unstored(_ app: AppID, _ credential: Credential, _ opening: Opening, nowMs: Int64) throws -> OpenedInstall {
        var opening = opening
        // A token counts as taken once it is stored, and a link from before the installation once it is found.
        if case .value = opening.adToken { opening.adToken = .coming }
        opening.deferred = nil
        // What is not stored assigns nobody; the answer has the draw all the same.
        opening.enrolling = nil
        let prepared = try PreparedOpening(opening, nowMs: nowMs)
        let unit = InstallUnit(app, credential.installID, credential, storeEpoch: storeEpoch, nowMs: nowMs)
        let known = try readable(app, credential)
        var install = Install(new: unit.id, profileID: .first(of: unit.id), epoch: storeEpoch, nowMs: nowMs)
        install.installVersion = 0
        if case .some(.some(let stored)) = known { install = stored }
        var record = InstallRecord(unit, stored: install, isNew: true, answers: InstallAnswers())
        _ = try record.open(prepared)
        return OpenedInstall(install: record.install, standing: known == nil ? .unread : .unstored)
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
