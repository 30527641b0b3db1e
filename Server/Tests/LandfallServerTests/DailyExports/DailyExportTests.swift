// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

/// A store with rows of one day, the work that exports them, and the bucket where they go.
private struct DailyBench {
    let store: ExportedStore
    let receiver = S3Receiver()
    /// The day after, at the hour.
    let time = S3Time(nowMs: ExportedStore.endMs + 3_600_000)
    let live: LiveConfiguration
    let metrics = PrometheusRegistry()

    static let tables: [ExportTable] = [.firstOpens, .clicks, .erasures]

    init(hour: Int64 = 1, to place: String = "s3://files/exports") async throws {
        store = try await ExportedStore()
        live = LiveConfiguration(try Self.snapshot(hour: hour, to: place))
    }

    static func snapshot(hour: Int64 = 1, to place: String = "s3://files/exports", revision: Int64 = 1) throws -> Snapshot {
        var configuration = Configuration.sample()
        configuration.app = App(id: ExportedStore.app, name: "Example", bundleID: "com.example.app", teamID: nil, scheme: nil, appStoreID: nil)
        configuration.exports = ExportSchedule(place: try #require(ExportPlace(place)), tables: tables.reversed(), hour: hour)
        return Snapshot(configuration, revision: revision)
    }

    /// As a node has it after its start.
    var work: DailyExportWork { work {} }

    /// - Parameter beginning: is called before each file.
    func work(_ beginning: @escaping @Sendable () -> Void) -> DailyExportWork {
        let http = receiver, server = time.server
        return DailyExportWork(
            store.store.database, configuration: live,
            to: { place in
                beginning()
                return switch place {
                case .folder(let path): ExportFolder(URL(filePath: path), isMade: false)
                case .bucket(let bucket): ExportBucket(bucket, S3Receiver.access(), by: http, time: server)
                }
            }, time: server,
            telemetry: DailyExportTelemetry(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, factory: metrics))
    }

    func settle() async throws { while try await work.look() {} }

    func progress() async throws -> DailyExportProgress? {
        try await store.store.database.read { [app = live.snapshot.app.id] in try DailyExportProgress(of: app, $0) }
    }

    func finding(after ms: Int64 = 0) async throws -> DoctorFinding {
        let doctor = StoreDoctor(store.store.database, knowsSecrets: false), nowMs = time.server.nowMs() + ms
        return try #require(await doctor.exports(of: live.snapshot.configuration, nowMs: nowMs))
    }
}

@Suite("Files of each day", .timeLimit(.minutes(1)))
struct DailyExportTests {
    private static let day = "2026-09-21", dayMs = Retention.dayMs

    @Test("are written once the day is over and its hour has come, each once, the manifest last")
    func whole() async throws {
        let bench = try await DailyBench(hour: 3)
        bench.time.set(ExportedStore.endMs + 3 * 3_600_000 - 1)
        // The day before that one is due, and has rows of its own.
        try await bench.settle()
        #expect(try await bench.progress()?.day == ExportedStore.day - 1)
        let before = bench.receiver.arrived.count

        bench.time.set(ExportedStore.endMs + 3 * 3_600_000)
        try await bench.settle()
        let written = bench.receiver.arrived.dropFirst(before).map(\.target)
        try await bench.settle()

        #expect(written == (["first_opens", "clicks", "erasures"].map { "/files/exports/\($0)-\(Self.day).jsonl" } + ["/files/exports/manifest-\(Self.day).json"]))
        #expect(bench.receiver.arrived.count == before + written.count)
        let objects = bench.receiver.objects
        let manifest = try JSONDecoder().decode(ExportManifest.self, from: Data(objects["exports/manifest-\(Self.day).json"] ?? []))
        #expect(manifest.files.map(\.table) == DailyBench.tables && manifest.from == Self.day && manifest.until == Self.day)
        #expect(objects["exports/clicks-\(Self.day).jsonl"] == Array(try await bench.store.text(of: .clicks).utf8))
        #expect(manifest.rows > 0 && bench.metrics.text().contains(#"landfall_export_files_total{table="clicks"} 2"#))
        #expect(try await bench.finding().ok)
    }

    @Test("go on after a restart with the first file that is not complete, and a failure is shown until it is over")
    func resumed() async throws {
        let bench = try await DailyBench()
        #expect(try await bench.work.look())
        bench.receiver.fail([.fault(403, "AccessDenied")])
        #expect(try await !bench.work.look())
        #expect(try await !bench.work.look())  // Not before the pause is over.
        #expect(bench.receiver.arrived.count == 2)

        let finding = try await bench.finding(), text = bench.metrics.text()
        #expect(!finding.ok && finding.message.contains("403 (AccessDenied") && !finding.message.contains(S3Receiver.secret), "\(finding.message)")
        #expect(text.contains(#"landfall_export_failures_total{reason="refused"} 1"#) && text.contains("landfall_export_failing 1"), "\(text)")

        bench.time.set(bench.time.server.nowMs() + DailyExportProgress.retryMs)
        try await bench.settle()

        #expect(bench.receiver.arrived.map(\.target).filter { $0.contains("first_opens") }.count == 1)
        #expect(bench.receiver.objects.count == 4)
        #expect(try await bench.progress()?.day == ExportedStore.day)
        #expect(try await bench.finding().ok && bench.metrics.text().contains("landfall_export_failing 0"))
    }

    @Test("of days that were missed are made up for, at most 35 of them")
    func missed() async throws {
        let bench = try await DailyBench()
        try await bench.settle()
        bench.time.set(bench.time.server.nowMs() + 3 * Self.dayMs)
        #expect(try await !bench.finding().ok)
        try await bench.settle()
        let manifests = bench.receiver.objects.keys.filter { $0.contains("manifest") }.sorted()
        #expect(manifests == (21...24).map { "exports/manifest-2026-09-\($0).json" })

        bench.time.set(bench.time.server.nowMs() + 100 * Self.dayMs)
        try await bench.settle()

        #expect(bench.receiver.objects.keys.count { $0.contains("manifest") } == 4 + 35)
        #expect(try await bench.progress()?.day == ExportedStore.day + 103)
    }

    @Test("begin anew at another place, and a folder is not made")
    func elsewhere() async throws {
        let folder = try OwnFolder()
        defer { folder.remove() }
        let bench = try await DailyBench(to: folder.url.appending(path: "missing").path)
        #expect(try await !bench.work.look())
        #expect(try await bench.finding().message.contains("cannot be written ("))

        _ = bench.live.serve(try DailyBench.snapshot(to: folder.url.path, revision: 2))
        try await bench.settle()

        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 4 && names.contains("manifest-\(Self.day).json"))
    }

    @Test("go on after a clock that was ahead, and a later hour repeats none")
    func ahead() async throws {
        let bench = try await DailyBench(), nowMs = bench.time.server.nowMs()
        bench.time.set(nowMs + 200 * Self.dayMs)
        try await bench.settle()
        bench.time.set(nowMs)
        try await bench.settle()
        #expect(try await bench.progress()?.day == ExportedStore.day)
        let before = bench.receiver.arrived.count

        _ = bench.live.serve(try DailyBench.snapshot(hour: 3, revision: 2))
        try await bench.settle()

        #expect(bench.receiver.arrived.count == before)
    }

    @Test("lack no table if the clock steps back just after the day was due")
    func stepBack() async throws {
        let bench = try await DailyBench(hour: 0)
        bench.time.set(ExportedStore.endMs + ExportDays.delayMs)

        let work = bench.work { [time = bench.time] in time.set(ExportedStore.endMs) }
        let hasMore = try await work.look()

        #expect(hasMore)
        #expect(bench.receiver.arrived.map(\.target) == ["/files/exports/first_opens-\(Self.day).jsonl"])
    }

    @Test(
        "The days behind are those that are not whole, the newest too, and never below 0",
        arguments: [(nil, 1), (0, 0), (-1, 1), (-2, 2), (7, 0)] as [(Int64?, Int64)])
    func behind(day: Int64?, days: Int64) throws {
        let schedule = ExportSchedule(place: try #require(ExportPlace("s3://files")))
        var progress = DailyExportProgress(series: schedule.series)
        progress.day = day.map { ExportedStore.day + $0 }

        #expect(progress.daysBehind(schedule, nowMs: ExportedStore.endMs + 3_600_000) == days)
    }

    @Test("Metrics of a failure end when the section is removed")
    func removed() async throws {
        let bench = try await DailyBench()
        bench.receiver.fail([.fault(403, "AccessDenied")])
        #expect(try await !bench.work.look())
        #expect(bench.metrics.text().contains("landfall_export_failing 1") && bench.metrics.text().contains("landfall_export_days_behind 1"))

        _ = bench.live.serve(Snapshot(.sample(), revision: 2))
        #expect(try await !bench.work.look())

        #expect(bench.metrics.text().contains("landfall_export_failing 0") && bench.metrics.text().contains("landfall_export_days_behind 0"))
    }

    @Test("After each page the work rests, and without the section it does nothing")
    func pace() async throws {
        let bench = try await DailyBench()
        var work = bench.work
        work.page = 1
        while try await work.look() {}
        #expect(!bench.time.waits.isEmpty && bench.time.waits.allSatisfy { $0 >= .milliseconds(ExportRun.restMs.lowerBound) })
        let before = bench.receiver.arrived.count

        _ = bench.live.serve(Snapshot(.sample(), revision: 2))
        bench.time.set(bench.time.server.nowMs() + Self.dayMs)

        #expect(try await !bench.work.look() && bench.receiver.arrived.count == before)
    }
}

@Suite("The section exports", .timeLimit(.minutes(1)))
struct ExportScheduleTests {
    @Test("has a place, and usual values for the rest")
    func read() throws {
        let usual = try #require(try Sample.configuration("exports: { to: s3://files/a }\n").exports)
        #expect(usual == ExportSchedule(place: .bucket(try #require(S3Place("s3://files/a")))))
        #expect(usual.tables == ExportTable.allCases && usual.format == .jsonl && usual.hour == 1)

        let all = try Sample.configuration("exports: { to: /srv/exports, tables: [clicks, first_opens], format: csv, hour: 23 }\n").exports
        #expect(all == ExportSchedule(place: .folder("/srv/exports"), format: .csv, tables: [.firstOpens, .clicks], hour: 23))
    }

    @Test(
        "A mistake has a sentence",
        arguments: [
            ("hour: 3", "'exports' needs 'to'. Add it."), ("to: exports", "Write s3://BUCKET/PREFIX, or the path of a folder from the root."),
            ("to: https://files.example.com", "Write s3://BUCKET/PREFIX"), ("to: s3://Files", "Write s3://BUCKET/PREFIX"),
            ("to: s3://files, hour: 24", "'hour' is not a whole number from 0 to 23."), ("to: s3://files, format: parquet", "Known: 'csv', 'jsonl'"),
            ("to: s3://files, tables: [click]", "Did you mean 'clicks'?"), ("to: s3://files, tables: []", "'tables' is empty."),
            ("to: s3://files, tables: [clicks, clicks]", "is here a second time"),
        ])
    func mistakes(fields: String, sentence: String) throws {
        let problems = Sample.problems(adding: "exports: { \(fields) }\n")

        #expect(problems.count == 1, "\(problems)")
        #expect(try #require(problems.first).contains(sentence), "\(problems)")
    }
}
