// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
package import LandfallStore
import Synchronization

/// Measures what alerts are about: what health page, metrics and doctor measure, asked where they ask. What takes long is asked less
/// often, and its last answer counts meanwhile.
package final class AlertMeter: Sendable {
    /// Where the numbers come from that this module does not have.
    package struct Sources: Sendable {
        /// Of reports.
        let counts: @Sendable (Snapshot) async throws -> AlertCounts
        /// Of hosts of the configuration, from outside; nil: nobody looks.
        let domains: (@Sendable (Snapshot) async -> [DomainLook])?
        /// The value of a counter of this node.
        let counter: @Sendable (_ label: String, _ dimensions: [(String, String)]) -> Int64

        package init(
            counts: @escaping @Sendable (Snapshot) async throws -> AlertCounts, domains: (@Sendable (Snapshot) async -> [DomainLook])?,
            counter: @escaping @Sendable (_ label: String, _ dimensions: [(String, String)]) -> Int64
        ) {
            (self.counts, self.domains, self.counter) = (counts, domains, counter)
        }
    }

    static let countsMs: Int64 = 10 * 60_000
    static let domainsMs: Int64 = 30 * 60_000
    /// Of all hosts together.
    static let patience: Duration = .seconds(60)

    private struct Kept: Sendable {
        var counts = AlertCounts()
        var countedAtMs: Int64?
        var domains: [DomainLook]?
        var lookedAtMs: Int64?
    }

    private let database: any Database
    private let app: AppID
    private let sources: Sources
    private let telemetry: AlertTelemetry
    private let time: ServerTime
    private let kept = Mutex(Kept())
    private let window = AlertWindow()

    package init(_ database: any Database, app: AppID, sources: Sources, telemetry: AlertTelemetry, time: ServerTime) {
        (self.database, self.app, self.sources, self.telemetry, self.time) = (database, app, sources, telemetry, time)
    }

    func measure(_ snapshot: Snapshot) async throws -> AlertMeasurements {
        let nowMs = time.nowMs(), rules = snapshot.configuration.alerts.rules
        var found = AlertMeasurements()
        let facts = AlertFacts(database: database, app: app)
        let stored = try await facts.stored(nowMs: nowMs)
        found.oldestTokenMs = stored.oldestTokenMs
        if !database.isShared {
            // Disk and backups of a database that nodes share are watched by its own tools.
            found.backupMs = stored.backupMs
            found.freeDisk = (database as? any DiskSpaceReporting)?.freeDiskShare
        }
        found.webhooks = try await facts.webhooks(snapshot.configuration.webhooks, nowMs: nowMs)
        if snapshot.configuration.purchases.api != nil { found.notificationsSilentMs = try await facts.notificationsSilentMs(nowMs: nowMs) }
        (found.unknownTokens, found.missedDeadlines) = counters(nowMs: nowMs)
        let counts = await counts(snapshot, nowMs: nowMs)
        (found.bundledPaywalls, found.expiredClicks) = (counts.bundledPaywalls, counts.expiredClicks)
        (found.linkOpens, found.linkOpensBefore) = (counts.linkOpens, counts.linkOpensBefore)
        if [AlertRule.associationFile, .appleCopy, .certificate].contains(where: { rules[$0] != nil }) {
            found.domains = try await domains(snapshot, nowMs: nowMs)
        }
        return found
    }

    /// Of this node: where several share a store, each has about the same share.
    private func counters(nowMs: Int64) -> (unknown: AlertMeasurements.Share?, missed: AlertMeasurements.Share?) {
        let counts = ["not_found", "attributed", "organic"].map { sources.counter("landfall_apple_ads_exchanges_total", [("outcome", $0)]) }
            + ["holdOver", "final"].map { sources.counter("landfall_first_opens_total", [("end", $0)]) }
        guard let grown = window.growth(counts, nowMs: nowMs) else { return (nil, nil) }
        let isWhole = window.isWhole(nowMs: nowMs)
        // After a start, too few say nothing yet: an alert that fires is not over because of it.
        func share(_ part: Int64, of whole: Int64, least: Int64) -> AlertMeasurements.Share? {
            isWhole || whole >= least ? AlertMeasurements.Share(part, of: whole) : nil
        }
        return (
            share(grown[0], of: grown[0] + grown[1] + grown[2], least: AlertMeasurements.leastTokens),
            share(grown[3], of: grown[3] + grown[4], least: AlertMeasurements.leastFirstOpens)
        )
    }

    private func counts(_ snapshot: Snapshot, nowMs: Int64) async -> AlertCounts {
        let before = kept.withLock { $0 }
        if let atMs = before.countedAtMs, atMs <= nowMs, nowMs < atMs + Self.countsMs { return before.counts }
        do {
            let counts = try await sources.counts(snapshot)
            kept.withLock { ($0.counts, $0.countedAtMs) = (counts, nowMs) }
            return counts
        } catch {
            if !Task.isCancelled { telemetry.unmeasured("reports", error) }
            return AlertCounts()
        }
    }

    /// - Returns: of the hosts that the configuration named at the last look; nil if nobody has looked.
    private func domains(_ snapshot: Snapshot, nowMs: Int64) async throws -> [DomainLook]? {
        guard let look = sources.domains else { return nil }
        let before = kept.withLock { $0 }
        if let atMs = before.lookedAtMs, atMs <= nowMs, nowMs < atMs + Self.domainsMs { return before.domains }
        let looks = try await withTimeout(Self.patience, by: time) { await look(snapshot) }
        try Task.checkCancellation()
        kept.withLock { ($0.domains, $0.lookedAtMs) = (looks, nowMs) }
        return looks
    }
}

/// What alerts read of the store: a few rows by their keys.
struct AlertFacts: Sendable {
    let database: any Database
    let app: AppID

    struct Stored: Sendable {
        let oldestTokenMs: Int64
        let backupMs: Int64
    }

    func stored(nowMs: Int64) async throws -> Stored {
        try await database.read { [app] connection in
            let waiting = try connection.row(
                Self.oldestText, [.text(app.rawValue), .text(JobKind.appleAds.rawValue), .integer(Self.mostCounted)])
            let madeAtMs = try connection.row(Self.epochText, [.text("self")])?.integer("epoch") ?? nowMs
            let backupAtMs = max(try BackupMade.last(connection)?.atMs ?? 0, madeAtMs)
            let oldestMs = waiting?.optionalInteger("oldest_ms")
            return Stored(oldestTokenMs: oldestMs.map { max(nowMs - $0, 0) } ?? 0, backupMs: max(nowMs - backupAtMs, 0))
        }
    }

    func webhooks(_ endpoints: [WebhookEndpoint], nowMs: Int64) async throws -> [AlertMeasurements.Endpoint] {
        guard !endpoints.isEmpty else { return [] }
        let states = Dictionary(try await WebhookStore(database, app: app).endpoints().map { ($0.key, $0) }) { first, _ in first }
        return endpoints.map { endpoint in
            let state = states[endpoint.key]
            return AlertMeasurements.Endpoint(
                host: endpoint.host, failingMs: (state?.offAtMs ?? state?.failingSinceMs).map { max(nowMs - $0, 0) }, isOff: state?.offAtMs != nil,
                failure: state?.lastFailure)
        }
    }

    /// Since the first notification that Apple could not post, if none has come by itself since then.
    func notificationsSilentMs(nowMs: Int64) async throws -> Int64 {
        let health = try await AppStoreHealth(database, of: app, nowMs: nowMs)
        guard let missedAtMs = health.missedAtMs, let sinceMs = health.silentSinceMs else { return 0 }
        return try await hasNotification(after: missedAtMs) ? 0 : max(nowMs - sinceMs, 0)
    }

    /// Whether one has come since then.
    func hasNotification(after atMs: Int64) async throws -> Bool {
        try await AppStoreProgress(database, of: app).hasNotification(after: atMs, before: .max)
    }

    private static let mostCounted: Int64 = 100_000
    private static let oldestText = """
        SELECT MIN(created_at_ms) AS oldest_ms FROM (
          SELECT created_at_ms FROM job WHERE app_id = $1 AND kind = $2 LIMIT $3
        ) AS waiting
        """
    private static let epochText = "SELECT epoch FROM store WHERE name = $1"
}
