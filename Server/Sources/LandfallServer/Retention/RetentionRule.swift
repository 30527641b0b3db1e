// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallStore
import LandfallWire

/// Deletes expired rows in batches. Ages count from receipt by the server's clock; the phone's clock is not used.
package struct RetentionRule: Sendable {
    /// The most rows that one statement deletes, so that it does not hold the writer for long.
    package static let mostRows: Int64 = 500
    /// The pause between two batches while there is more: 5,000 rows a second of each table.
    static let pause: Duration = .milliseconds(100)
    /// The time between two looks when nothing is left to delete.
    static let intervalMs: Int64 = 3_600_000

    /// What the rule is about, mostly a table.
    let name: String
    /// When to look again if nothing is left to delete now.
    var nextMs: @Sendable (_ nowMs: Int64) -> Int64 = { $0 + intervalMs }
    /// False for keys that exist for a day or for minutes, so that addresses cannot be traced: they go on time by any clock.
    var heedsClock = true
    /// Drops what the engine can drop at once, before the batches of a try.
    /// - Returns: the names of what was dropped.
    var dropMonths: @Sendable (_ nowMs: Int64) async throws -> [String] = { _ in [] }
    /// Deletes one batch, in one or several transactions.
    let lot: @Sendable (_ nowMs: Int64) async throws -> RetentionLot

    /// Deletes one batch of a table in one transaction.
    /// - Parameters:
    ///   - text: `$1` is the app, `$2` the limit that the rows are older than, `$3` the most rows.
    ///   - first: the lowest value that is kept.
    static func deleteLot(
        _ table: String, _ text: String, of app: AppID, before first: SQLValue, in database: any Database
    ) async throws -> RetentionLot {
        let statement = Statement(text, [.text(app.rawValue), first, .integer(mostRows)])
        let count = try await database.write(.bulk, locking: []) { try $0.run(statement) }
        return RetentionLot(rows: [table: count], isMore: count >= mostRows)
    }
}

/// What one batch has deleted.
struct RetentionLot: Hashable, Sendable {
    /// By table.
    var rows: [String: Int] = [:]
    /// There may be more.
    var isMore = false

    mutating func add(_ other: RetentionLot) {
        rows.merge(other.rows) { $0 + $1 }
        isMore = isMore || other.isMore
    }
}

extension JobKind {
    package static let retention = JobKind(rawValue: "retention")
}

/// Retention as jobs: a standing job for each rule.
package struct RetentionWork: Sendable {
    /// The most batches of one try, so that it ends before its lease.
    static let mostLots = 100

    package let app: AppID
    package let rules: [RetentionRule]
    package let clock: RetentionClock
    package let time: ServerTime
    package let telemetry: RetentionTelemetry

    package init(app: AppID, rules: [RetentionRule], clock: RetentionClock, time: ServerTime, telemetry: RetentionTelemetry) {
        (self.app, self.rules, self.clock, self.time, self.telemetry) = (app, rules, clock, time, telemetry)
    }

    package var work: JobWork {
        JobWork(
            kind: .retention, concurrency: 2,
            standing: rules.map { JobName(app: app, kind: .retention, key: $0.name) }, attempt: attempt
        )
    }

    @Sendable private func attempt(_ job: Job) async throws -> JobStep {
        // A rule of an older release that no longer exists.
        guard let rule = rules.first(where: { $0.name.hasSameBytes(as: job.name.key) }) else { return .done }
        var deleted = RetentionLot()
        // Counted even if a later batch fails.
        defer { telemetry.deleted(deleted.rows, by: rule) }
        for number in 0..<Self.mostLots {
            let nowMs = time.nowMs()
            if rule.heedsClock {
                // Looked at before every batch: a clock may be set meanwhile.
                if let jump = try await clock.jump(nowMs: nowMs) {
                    telemetry.refused(jump)
                    return .again(atMs: nowMs + RetentionRule.intervalMs)
                }
                telemetry.believed()
            }
            if number == 0 { await dropMonths(of: rule, nowMs: nowMs) }
            let lot = try await rule.lot(nowMs)
            deleted.add(lot)
            guard lot.isMore else { return .again(atMs: rule.nextMs(nowMs)) }
            try await time.sleep(RetentionRule.pause)
        }
        return .again(atMs: time.nowMs())
    }

    /// Rows do not wait for it: what is not dropped is deleted in batches, on time.
    private func dropMonths(of rule: RetentionRule, nowMs: Int64) async {
        do { telemetry.dropped(try await rule.dropMonths(nowMs), by: rule) } catch { telemetry.notDropped(error, by: rule) }
    }
}
