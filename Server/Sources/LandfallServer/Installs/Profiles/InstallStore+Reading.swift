// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallStore
package import LandfallWire

extension SQLInstallStore {
    package func install(_ app: AppID, _ credential: Credential, device: String?, nowMs: Int64) async throws -> Install {
        let known = try await known(app, credential)
        if let known, device == nil || known.device.deviceId != nil { return known }
        var questions = InstallQuestions()
        questions.device = device?.cut(toBytes: Limits.deviceText)
        questions.readsAssignments = assignments.isOn
        return try await change(app, credential, nowMs: nowMs, asking: questions) { [device = questions.device] record in
            guard let device else { return }
            var news = DeviceFacts()
            news.deviceId = device
            record.install.describe(news, firstOfDevice: record.answers.firstInstallOfDevice, nowMs: nowMs)
        }.install
    }

    package func install(_ app: AppID, _ id: InstallID) async throws -> Install? {
        guard let key = InstallKey(id) else { return try await read(app, id)?.install }
        return try await known(app, key)?.install
    }

    package func knownAtOnce(_ app: AppID, _ proof: InstallProof, readsLastSeen: Bool) throws -> KnownInstall? {
        guard let known = try lookAtOnce(app, proof.key, readsLastSeen: readsLastSeen) ?? nil else { return nil }
        guard known.isProven(by: proof.secretHash) else { throw InstallError.profileMismatch }
        return known
    }

    /// - Returns: nil if the install is unknown.
    func known(_ app: AppID, _ credential: Credential) async throws -> Install? {
        guard let key = InstallKey(credential.installID), let hash = SecretHash(credential.secretHash) else {
            guard let stored = try await read(app, credential.installID) else { return nil }
            guard credential.matches(stored.secretHash) else { throw InstallError.profileMismatch }
            return stored.install
        }
        guard let known = try await known(app, key) else { return nil }
        guard known.isProven(by: hash) else { throw InstallError.profileMismatch }
        return known.install
    }

    private func known(_ app: AppID, _ key: InstallKey) async throws -> KnownInstall? {
        if let looked = try lookAtOnce(app, key) { return looked }
        let ticket = cache?.ticket()
        return try await read(app, key.id).map { keep(KnownInstall(app, $0), at: key, ticket) }
    }

    /// - Returns: nil if the caller would have to wait for the store; an inner nil if the store does not know the install.
    func lookAtOnce(_ app: AppID, _ key: InstallKey, readsLastSeen: Bool = true) throws -> KnownInstall?? {
        let readsAssignments = assignments.isOn
        // What was read for a paywall may lack the last visit, and what was read before the first experiment its assignments.
        if let known = cache?.find(app, key), !readsAssignments || known.install.assignments != nil,
            !readsLastSeen || known.install.lastSeenAtMs != nil
        {
            return known
        }
        let ticket = cache?.ticket()
        let stored = try database.readAtOnce { connection in
            try StoredInstall(
                app, key.id, storeEpoch: storeEpoch, readsLastSeen: readsLastSeen, readsAssignments: readsAssignments, from: connection)
        }
        guard let stored else { return nil }
        return .some(stored.map { keep(KnownInstall(app, $0), at: key, ticket) })
    }

    private func keep(_ known: KnownInstall, at key: InstallKey, _ ticket: InstallCache.Ticket?) -> KnownInstall {
        if let ticket { cache?.keep(known, at: key, ticket) }
        return known
    }

    private func read(_ app: AppID, _ id: InstallID) async throws -> StoredInstall? {
        try await database.read { [storeEpoch, readsAssignments = assignments.isOn] connection in
            try StoredInstall(app, id, storeEpoch: storeEpoch, readsAssignments: readsAssignments, from: connection)
        }
    }
}
