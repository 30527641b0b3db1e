// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// The live store, on either engine.
///
/// An open that brings nothing new is only read: a write waits for the disk, and most opens of a day change nothing but the
/// hour of the last one. So `last_seen_at_ms` is moved at most once an hour, which is as fine as anybody asks.
struct SQLInstallStore: InstallStore {
    static let lastSeenPrecision: Int64 = 3_600_000

    let database: any Database
    private let cache: InstallCache?
    private let storeEpoch: Int64
    private let tokenQueued: @Sendable () -> Void

    /// - Parameters:
    ///   - cache: of everything that changes installs of this store. Where others change them too there is none.
    ///   - tokenQueued: called after a token is on disk; wakes the exchanger.
    init(
        _ database: any Database, _ mark: StoreMark, cache: InstallCache? = nil, tokenQueued: @escaping @Sendable () -> Void
    ) {
        self.database = database
        self.cache = database.isShared ? nil : cache
        self.storeEpoch = mark.epoch
        self.tokenQueued = tokenQueued
    }

    func open(_ app: AppID, _ credential: Credential, _ opening: Opening, nowMs: Int64) async throws -> Opened {
        if let known = try await known(app, credential), !opening.isNews(to: known, nowMs: nowMs) {
            return Opened(install: known)
        }
        let (install, deferred) = try await change(app, credential, nowMs: nowMs) { change, install in
            try change.describe(install, opening.device)
            try change.take(install, opening.adToken)
            try change.setAttributes(install, opening.attributes, then: opening.attributeChanges)
            return try change.takeLinks(of: opening, install)
        }
        if install.exchange?.isOpen == true { tokenQueued() }
        return Opened(install: install, deferred: deferred)
    }

    func install(_ app: AppID, _ credential: Credential, nowMs: Int64) async throws -> Install {
        if let known = try await known(app, credential) { return known }
        return try await change(app, credential, nowMs: nowMs) { _, _ in }.install
    }

    func install(_ app: AppID, _ id: InstallID) async throws -> Install? {
        guard let key = InstallKey(id) else { return try await read(app, id)?.install }
        return try await known(app, key)?.install
    }

    func knownAtOnce(_ app: AppID, _ proof: InstallProof) throws -> KnownInstall? {
        guard let known = try lookAtOnce(app, proof.key) ?? nil else { return nil }
        guard known.isProven(by: proof.secretHash) else { throw InstallError.profileMismatch }
        return known
    }

    func report(_ app: AppID, _ credential: Credential, _ token: AdToken, nowMs: Int64) async throws -> Install {
        let install = try await change(app, credential, nowMs: nowMs) { change, install in
            try change.take(install, token)
        }.install
        if install.exchange?.isOpen == true { tokenQueued() }
        return install
    }

    func record(_ app: AppID, _ credential: Credential, _ claim: AttributionClaim, nowMs: Int64) async throws -> Install {
        let fact = try AttributionFact(claim, nowMs: nowMs)
        var body = claim
        body.ageMilliseconds = 0
        return try await change(app, credential, nowMs: nowMs) { [body] change, install in
            if try change.isFirst(claim.key, .claim, body) { try change.record(install, fact) }
        }.install
    }

    func change(_ app: AppID, _ credential: Credential, _ changes: AttributeChanges, nowMs: Int64) async throws -> Install {
        try await change(app, credential, nowMs: nowMs) { change, install in
            if try change.isFirst(changes.key, .attributes, changes) { try change.setAttributes(install, changes.attributes) }
        }.install
    }

    func identify(_ app: AppID, _ credential: Credential, _ person: Identification, nowMs: Int64) async throws -> Install {
        let freshID = ProfileID.fresh(nowMs: nowMs)
        return try await change(app, credential, nowMs: nowMs) { change, install in
            if try change.isFirst(person.key, person.isVerified ? .provenIdentify : .identify, person.customerID) {
                try change.identify(install, person, freshID: freshID)
            }
        }.install
    }

    func logOut(_ app: AppID, _ credential: Credential, key: IdempotencyKey, nowMs: Int64) async throws -> Install {
        let freshID = ProfileID.fresh(nowMs: nowMs)
        return try await change(app, credential, nowMs: nowMs) { change, install in
            if try change.isFirst(key, .logOut, key) { try change.logOut(install, freshID: freshID) }
        }.install
    }

    /// - Returns: nil where the install is unknown.
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

    /// - Returns: nil where the store would have to be waited for; nil inside where it does not know the install.
    private func lookAtOnce(_ app: AppID, _ key: InstallKey) throws -> KnownInstall?? {
        if let known = cache?.find(app, key) { return known }
        let ticket = cache?.ticket()
        let stored = try database.readAtOnce { connection in
            try StoredInstall(app, key.id, storeEpoch: storeEpoch, from: connection)
        }
        guard let stored else { return nil }
        return .some(stored.map { keep(KnownInstall(app, $0), at: key, ticket) })
    }

    private func keep(_ known: KnownInstall, at key: InstallKey, _ ticket: InstallCache.Ticket?) -> KnownInstall {
        if let ticket { cache?.keep(known, at: key, ticket) }
        return known
    }

    private func read(_ app: AppID, _ id: InstallID) async throws -> StoredInstall? {
        try await database.read { [storeEpoch] connection in
            try StoredInstall(app, id, storeEpoch: storeEpoch, from: connection)
        }
    }

    /// One unit on behalf of an install that proves who it is.
    func change<Value: Sendable>(
        _ app: AppID, _ credential: Credential, nowMs: Int64,
        _ steps: @escaping @Sendable (InstallChange, Install) throws -> Value
    ) async throws -> (install: Install, value: Value) {
        let changed = try await unit(app, credential.installID, nowMs: nowMs) { change in
            try change.admit(credential)
            return try change.apply { try steps(change, $0) }
        }
        // A unit that failed is not on disk. One that moved the install to another profile wrote no row of the old one.
        cache?.changed(credential.installID, profile: changed.install.profileID)
        return changed
    }

    /// One unit that admits nobody by itself.
    func unit<Value: Sendable>(
        _ app: AppID, _ install: InstallID, nowMs: Int64, _ body: @escaping @Sendable (InstallChange) throws -> Value
    ) async throws -> Value {
        try await database.write { [storeEpoch] connection in
            try body(
                InstallChange(app: app, id: install, storeEpoch: storeEpoch, nowMs: nowMs, connection: connection))
        }
    }
}

extension Opening {
    /// False where storing it would change nothing but the hour of the last visit, and that by less than an hour.
    func isNews(to install: Install, nowMs: Int64) -> Bool {
        install.device.updated(with: device) != install.device
            || install.installedAtMs(saying: device.installedAgeMilliseconds, nowMs: nowMs) != install.installedAtMs
            || attributes.contains { install.attributes[$0.key] != $0.value }
            || !attributeChanges.isEmpty || isNews(adToken, to: install) || !links.isEmpty || deferred != nil
            || nowMs - install.lastSeenAtMs >= SQLInstallStore.lastSeenPrecision
    }

    private func isNews(_ token: AdToken, to install: Install) -> Bool {
        switch token {
        case .coming: false
        case .none(let reason): reason != install.tokenNone
        case .value(let text): TokenHash(of: text) != install.exchange?.tokenHash
        }
    }
}
