// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Reads ``HealthFacts``: values in memory, and a few rows by their keys.
struct HealthReader: Sendable {
    let database: any Database
    let configuration: LiveConfiguration
    let holds: HeldAnswers
    let connections: Connections
    let console: ConsoleParts
    let webhooks: Webhooks
    let time: ServerTime

    /// Every kind that a serving node works on.
    static let kinds: [JobKind] = [
        .alerts, .appleAds, .appleAdsReports, .appStoreForwarding, .appStoreReconcile, .dailyExports, .erasure, .notification, .purchaseRules,
        .recounts, .retention, .rollups, .scheduledVersion, .webhooks,
    ]

    /// Those that fail by the server's own fault: a job of others waits for Apple, or for a receiver, whose checks say more.
    private static let ownKinds: [JobKind] = [.alerts, .erasure, .purchaseRules, .recounts, .retention, .rollups]

    private struct Stored: Sendable {
        var completeToMs: Int64?
        var lastBackupMs: Int64?
        var storeSinceMs: Int64
    }

    func facts() async throws -> HealthFacts {
        let snapshot = configuration.snapshot, nowMs = time.nowMs()
        let stored = try await stored(snapshot.app.id, nowMs: nowMs)
        let purchases = snapshot.configuration.purchases
        let appStore = purchases.api == nil ? nil : try await AppStoreHealth(database, of: snapshot.app.id, nowMs: nowMs)
        let queue = JobQueue(database: database)
        let dueMs = try await queue.nextDueMs(of: Self.kinds), failures = try await queue.failures(of: Self.ownKinds)
        return HealthFacts(
            nowMs: nowMs, startedAtMs: console.startedAtMs, store: store, served: snapshot.revision, newest: configuration.newest,
            completeToMs: stored.completeToMs, dueMs: dueMs, failures: failures, lastBackupMs: stored.lastBackupMs,
            storeSinceMs: stored.storeSinceMs, isShared: database.isShared, held: holds.count, mostHeld: holds.most,
            connections: connections.count, mostConnections: connections.most,
            watching: console.live.watching, hasActiveKey: snapshot.configuration.keys.contains { $0.isActive(nowMs: nowMs) },
            endingKeys: snapshot.configuration.endingKeys(nowMs: nowMs), fileRefusal: configuration.fileRefusal,
            appStore: appStore, forwarding: purchases.notify == nil ? nil : try await forwarded(snapshot.app.id),
            exported: try await exported(snapshot, nowMs: nowMs),
            webhooks: snapshot.configuration.webhooks.isEmpty ? nil : try await told(snapshot.configuration), stream: console.stream(), nodes: console.nodes(),
            alerts: try await AlertStore(database, app: snapshot.app.id).firing())
    }

    private func forwarded(_ app: AppID) async throws -> HealthFacts.Forwarded {
        let counts = try await ForwardingStore(database).counts(in: app)
        return HealthFacts.Forwarded(waiting: counts.waiting, oldestMs: counts.oldestMs, givenUp: counts.givenUp)
    }

    private func exported(_ snapshot: Snapshot, nowMs: Int64) async throws -> HealthFacts.Exported? {
        guard let schedule = snapshot.configuration.exports else { return nil }
        let read = try await database.read { try DailyExportProgress(of: snapshot.app.id, $0) }
        guard let read, read.series == schedule.series else { return HealthFacts.Exported() }
        return HealthFacts.Exported(
            failure: read.detail, lastDay: read.day.map(ReportDays.text), daysBehind: read.daysBehind(schedule, nowMs: nowMs))
    }

    private func told(_ configuration: Configuration) async throws -> HealthFacts.Told {
        let (endpoints, dropped) = try await webhooks.endpoints(of: configuration)
        return HealthFacts.Told(
            off: endpoints.count { $0.state.offAtMs != nil },
            failing: endpoints.count { $0.state.offAtMs == nil && $0.state.failingSinceMs != nil },
            waiting: Int(endpoints.reduce(0) { $0 + $1.waiting.count }), dropped: Int(dropped))
    }

    private var store: HealthFacts.Store? {
        // The disk of a database that nodes share is not this machine's.
        guard !database.isShared, let examining = database as? any StoreExamining else { return nil }
        let counts = (database as? any WriteCounting)?.writeCounts ?? WriteCounts()
        return HealthFacts.Store(
            damage: examining.metDamage, failure: counts.failure, waiting: counts.waiting,
            freeDiskShare: (database as? any DiskSpaceReporting)?.freeDiskShare ?? 1)
    }

    private func stored(_ app: AppID, nowMs: Int64) async throws -> Stored {
        try await database.read { connection in
            let serving = try RollupState.load(app, connection)?.serving
            return Stored(
                completeToMs: try serving.map { try RollupReader.completeToMs(app, $0, nowMs: nowMs, connection) },
                lastBackupMs: try BackupMade.last(connection)?.atMs,
                storeSinceMs: try connection.row("SELECT epoch FROM store WHERE name = $1", [.text("self")])?
                    .integer("epoch") ?? nowMs)
        }
    }
}

extension Configuration {
    /// Every key that ends by itself and still opens something. Of a key's text only what tells it apart.
    fileprivate func endingKeys(nowMs: Int64) -> [HealthCheck.EndingKey] {
        let ending = keys.map { ($0.maskedText, $0.expiresAtMs) } + serverKeys.map { ($0.name, $0.expiresAtMs) }
        return ending.compactMap { name, endsAtMs in
            endsAtMs.flatMap { $0 > nowMs ? HealthCheck.EndingKey(name: name, endsAtMs: $0) : nil }
        }
    }
}

extension SDKKey {
    /// The first four characters of it, and its length: `pk_d… (7)`.
    var maskedText: String { "\(text.prefix(4))… (\(text.count))" }
}
