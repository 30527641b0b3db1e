// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// What is deleted when its time is over, a lot at a time. Ages count from receipt, by the server's clock: a phone's says nothing.
struct RetentionRule: Sendable {
    /// Rows that one statement deletes at most: the writer is never held for longer than that takes.
    static let mostRows: Int64 = 500
    /// Between two lots, as long as there is more: 5,000 rows a second of each table.
    static let pause: Duration = .milliseconds(100)
    /// Between two looks where everything is gone that is to go.
    static let intervalMs: Int64 = 3_600_000

    /// What it is about, mostly a table.
    let name: String
    /// When to look again, where nothing is left that is to go now.
    var nextMs: @Sendable (_ nowMs: Int64) -> Int64 = { $0 + intervalMs }
    /// Deletes one lot, as a unit or several.
    /// - Returns: true where more may be waiting.
    let lot: @Sendable (_ nowMs: Int64) async throws -> Bool

    /// Deletes one lot of a table, as a unit.
    /// - Parameters:
    ///   - text: `$1` is the app, `$2` what the rows are older than, `$3` how many at most.
    ///   - first: what is kept first.
    /// - Returns: true where more may be waiting.
    static func deleteLot(_ text: String, of app: AppID, before first: SQLValue, in database: any Database) async throws -> Bool {
        let statement = Statement(text, [.text(app.rawValue), first, .integer(mostRows)])
        return try await database.write(.bulk, locking: []) { try $0.run(statement) } >= mostRows
    }
}

extension JobKind {
    static let retention = JobKind(rawValue: "retention")
}

/// Retention as jobs: one for each rule, always there.
struct RetentionWork: Sendable {
    /// Lots of one try, so that a lease outlives it.
    static let mostLots = 100

    let app: AppID
    let rules: [RetentionRule]
    let time: ServerTime

    var work: JobWork {
        JobWork(
            kind: .retention, concurrency: 2,
            standing: rules.map { JobName(app: app, kind: .retention, key: $0.name) }, attempt: attempt
        )
    }

    @Sendable private func attempt(_ job: Job) async throws -> JobStep {
        // A rule of an older release: nobody follows it any more.
        guard let rule = rules.first(where: { $0.name.hasSameBytes(as: job.name.key) }) else { return .done }
        for _ in 0..<Self.mostLots {
            let nowMs = time.nowMs()
            guard try await rule.lot(nowMs) else { return .again(atMs: rule.nextMs(nowMs)) }
            try await time.sleep(RetentionRule.pause)
        }
        return .again(atMs: time.nowMs())
    }
}
