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
    private let storeEpoch: Int64
    private let tokenQueued: @Sendable () -> Void

    /// - Parameter tokenQueued: called after a token is on disk; wakes the exchanger.
    init(_ database: any Database, _ mark: StoreMark, tokenQueued: @escaping @Sendable () -> Void) {
        self.database = database
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
        try await database.read { [storeEpoch] connection in
            try StoredInstall(app, id, storeEpoch: storeEpoch, from: connection)?.install
        }
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
        let stored = try await database.read { [storeEpoch] connection in
            try StoredInstall(app, credential.installID, storeEpoch: storeEpoch, from: connection)
        }
        guard let stored else { return nil }
        guard credential.matches(stored.secretHash) else { throw InstallError.profileMismatch }
        return stored.install
    }

    /// One unit on behalf of an install that proves who it is.
    func change<Value: Sendable>(
        _ app: AppID, _ credential: Credential, nowMs: Int64,
        _ steps: @escaping @Sendable (InstallChange, Install) throws -> Value
    ) async throws -> (install: Install, value: Value) {
        try await unit(app, credential.installID, nowMs: nowMs) { change in
            try change.admit(credential)
            return try change.apply { try steps(change, $0) }
        }
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
