// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallRules
package import LandfallServer
package import LandfallStore

extension JobKind {
    /// Writes the files of `exports`.
    package static let dailyExports = JobKind(rawValue: "daily_exports")
}

/// Writes the files of each day after its end, on one node at a time. A restart goes on with the first file that is not complete.
package struct DailyExportWork: Sendable {
    /// Gives the place where files are written, each time anew: keys may change.
    package typealias Destinations = @Sendable (ExportPlace) throws -> any ExportDestination

    /// How long a day that is over may go unnoticed.
    static let lookMs: Int64 = 60_000
    /// Of one file. After it the file is begun anew.
    static let limit: Duration = .seconds(6 * 3_600)
    /// After each page the work rests as many times as long as the page took: phones go first.
    static let rests: Int64 = 3

    private let database: any Database
    private let configuration: LiveConfiguration
    private let destinations: Destinations
    private let time: ServerTime
    private let telemetry: DailyExportTelemetry
    /// Rows of a page; nil: the usual number.
    var page: Int?

    package init(
        _ database: any Database, configuration: LiveConfiguration, to destinations: @escaping Destinations, time: ServerTime,
        telemetry: DailyExportTelemetry
    ) {
        (self.database, self.configuration, self.destinations) = (database, configuration, destinations)
        (self.time, self.telemetry) = (time, telemetry)
    }

    /// Folders that are there, and buckets with the keys of the environment.
    package static func places(_ secrets: SecretEnvironment, by http: any OutboundHTTP, time: ServerTime) -> Destinations {
        { place in
            switch place {
            case .folder(let path): ExportFolder(URL(filePath: path), isMade: false)
            case .bucket(let bucket): ExportBucket(bucket, try S3Access(environment: secrets.value), by: http, time: time)
            }
        }
    }

    package func work(of app: AppID) -> JobWork {
        // Longer than the limit, so that no second node begins meanwhile. A node that stops or dies gives its leases back.
        JobWork(kind: .dailyExports, leaseMs: 7 * 3_600_000, standing: [JobName(app: app, kind: .dailyExports, key: "days")]) { _ in
            let hasMore = try await look()
            return .again(atMs: time.nowMs() + (hasMore ? 0 : Self.lookMs))
        }
    }

    /// Writes one file, if it is time.
    /// - Returns: true if there may be more.
    /// - Throws: errors of the store; `CancellationError`. What goes wrong at the place is stored.
    func look() async throws -> Bool {
        let snapshot = configuration.snapshot, app = snapshot.app.id, nowMs = time.nowMs()
        guard let schedule = snapshot.configuration.exports else {
            telemetry.looked()
            return false
        }
        let stored = try await database.read { try DailyExportProgress(of: app, $0) }
        let before = stored.flatMap { $0.series == schedule.series ? $0 : nil } ?? DailyExportProgress(series: schedule.series)
        telemetry.looked(behind: before.daysBehind(schedule, nowMs: nowMs), isFailing: before.failures > 0)
        guard let day = before.nextDay(schedule, nowMs: nowMs), !before.rests(nowMs: nowMs) else { return false }

        var progress = before
        do {
            progress = try await next(after: before, day, schedule, app, nowMs: nowMs)
            if let known = before.day, day > known + 1, progress.files.count == 1 { telemetry.left(day - known - 1) }
            if before.failures > 0 { telemetry.worksAgain() }
        } catch {
            try Task.checkCancellation()
            progress.failed(error, nowMs: time.nowMs())
            telemetry.failed(error, isNew: before.failures == 0)
        }
        let writing = try progress.writing(app)
        try await database.write(.bulk, locking: []) { _ = try $0.run(writing) }
        return progress.failures == 0
    }

    private func next(
        after before: DailyExportProgress, _ day: Int64, _ schedule: ExportSchedule, _ app: AppID, nowMs: Int64
    ) async throws -> DailyExportProgress {
        var progress = before
        let run = ExportRun(to: try destinations(schedule.place), format: schedule.format, page: Self.pages(database, app: app, as: schedule.format, time: time, page: page))
        // As the day was found due: after a step back of the clock no table would have it.
        let days = ExportDays(retention: configuration.snapshot.configuration.retention, nowMs: nowMs)
        // Rows of a day that is long ago may be gone: no file at all is better than one that lacks rows.
        let tables = schedule.tables.filter { (try? days.check(day, of: $0)) != nil }
        let written = before.files.filter { $0.day == ReportDays.text(day) && tables.contains($0.table) }
        if let table = tables.first(where: { table in !written.contains { $0.table == table } }) {
            let file = try await withTimeout(Self.limit, by: time) { try await run.write(ExportRun.Part(table, day)) }
            guard let file else { throw DailyExportSlow(table: table) }
            telemetry.wrote(file)
            progress.wrote(file, nowMs: time.nowMs())
        } else {
            let files = tables.flatMap { table in written.filter { $0.table == table } }
            let manifest = ExportManifest(schedule.format, day...day, files)
            try await run.write(manifest, as: ExportManifest.name(of: day))
            telemetry.ended(manifest)
            progress.ended(day, nowMs: time.nowMs())
        }
        return progress
    }

    /// Pages with a rest after each.
    package static func pages(
        _ database: any Database, app: AppID, as format: ExportFormat, time: ServerTime, page rows: Int? = nil
    ) -> ExportRun.PageSource {
        ExportRun.resting(rests, by: time) { part, after in
            let reader = ExportReader(database: await database.laggingReads().store, app: app, page: rows)
            return try await reader.page(of: part.table, on: part.day, after: after, as: format)
        }
    }
}

/// A file took so long that it was given up.
struct DailyExportSlow: Error, CustomStringConvertible {
    let table: ExportTable

    var description: String {
        "The file of '\(table.rawValue)' was not written in \(DailyExportWork.limit.components.seconds / 3_600) hours. Look at the place's speed, or leave the table out of 'exports'."
    }
}
