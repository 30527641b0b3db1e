// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
package import LandfallStore
import LandfallWire

/// How far the files of the configuration are written: for the next try, for the doctor and for metrics.
package struct DailyExportProgress: Hashable, Sendable {
    /// See ``LandfallRules/ExportSchedule/series``.
    package let series: String
    /// The last day whose files and manifest are written, since 1970 in UTC; nil at first.
    package var day: Int64?
    /// Files that are written, of a day whose manifest is not.
    var files: [ExportManifest.File] = []
    package var nextAtMs: Int64 = 0
    /// Since the last file.
    package var failures: Int64 = 0
    package var failingSinceMs: Int64?
    package var detail: String?
    package var writtenAtMs: Int64?

    /// The pause after the first failure; it doubles up to the longest.
    static let retryMs: Int64 = 60_000, longestPauseMs: Int64 = 3_600_000
    static let longestDetail = 300
    /// Days that are made up for: erasures are known as long.
    package static let mostDays: Int64 = 35

    init(series: String) { self.series = series }

    /// The last day whose files should be there, if nothing went wrong.
    static func lastDue(_ schedule: ExportSchedule, nowMs: Int64) -> Int64 {
        (nowMs - max(schedule.hour * 3_600_000, ExportDays.delayMs)) / Retention.dayMs - 1
    }

    /// Days whose files should be there and are not, the one that has just ended too. 1 until the first day is whole.
    package func daysBehind(_ schedule: ExportSchedule, nowMs: Int64) -> Int64 {
        let last = Self.lastDue(schedule, nowMs: nowMs)
        return max(0, last - (day ?? last - 1))
    }

    /// The day whose files are next; nil if none is due.
    func nextDay(_ schedule: ExportSchedule, nowMs: Int64) -> Int64? {
        let last = Self.lastDue(schedule, nowMs: nowMs)
        // The clock was ahead if more than the next day is written; a later hour puts off one day.
        guard let day, day <= last + 1 else { return last }
        return day < last ? max(day + 1, last - Self.mostDays + 1) : nil
    }

    /// A clock that went back makes no pause longer than the longest.
    func rests(nowMs: Int64) -> Bool { nowMs < nextAtMs && nextAtMs <= nowMs + Self.longestPauseMs }

    mutating func wrote(_ file: ExportManifest.File, nowMs: Int64) {
        // A day that was not made up for leaves nothing behind.
        files = files.filter { $0.day == file.day && $0.table != file.table } + [file]
        worked(nowMs: nowMs)
    }

    mutating func ended(_ day: Int64, nowMs: Int64) {
        (self.day, files) = (day, [])
        worked(nowMs: nowMs)
    }

    private mutating func worked(nowMs: Int64) {
        (failures, failingSinceMs, detail, nextAtMs) = (0, nil, nil, 0)
        writtenAtMs = nowMs
    }

    mutating func failed(_ error: any Error, nowMs: Int64) {
        failures += 1
        failingSinceMs = failingSinceMs ?? nowMs
        detail = String("\(error)".unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) }).cut(toBytes: Self.longestDetail)
        nextAtMs = nowMs + min(Self.longestPauseMs, Self.retryMs << min(failures - 1, 10))
    }
}

extension DailyExportProgress {
    /// Nil if nothing was ever written.
    package init?(of app: AppID, _ connection: any ReadConnection) throws {
        guard let row = try connection.row(Self.text, [.text(app.rawValue)]) else { return nil }
        self.init(series: try row.text("series"))
        day = row.optionalInteger("day")
        files = (try? JSONDecoder().decode([ExportManifest.File].self, from: Data(try row.text("files").utf8))) ?? []
        nextAtMs = try row.integer("next_at_ms")
        failures = try row.integer("failures")
        failingSinceMs = row.optionalInteger("failing_since_ms")
        detail = row.optionalText("detail")
        writtenAtMs = row.optionalInteger("written_at_ms")
    }

    func writing(_ app: AppID) throws -> Statement {
        Statement(
            """
            INSERT INTO export_progress (
              app_id, series, day, files, next_at_ms, failures, failing_since_ms, detail, written_at_ms
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (app_id) DO UPDATE SET
              series = excluded.series, day = excluded.day, files = excluded.files, next_at_ms = excluded.next_at_ms,
              failures = excluded.failures, failing_since_ms = excluded.failing_since_ms, detail = excluded.detail,
              written_at_ms = excluded.written_at_ms
            """,
            [
                .text(app.rawValue), .text(series), .integer(day), .text(String(decoding: try JSONEncoder().encode(files), as: UTF8.self)),
                .integer(nextAtMs), .integer(failures), .integer(failingSinceMs), .text(detail), .integer(writtenAtMs),
            ])
    }

    private static let text = """
        SELECT series, day, files, next_at_ms, failures, failing_since_ms, detail, written_at_ms
        FROM export_progress WHERE app_id = $1
        """
}
