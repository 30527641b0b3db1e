// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallReports
import LandfallRules
import LandfallSQLite
import LandfallServer
import LandfallStore
import LandfallWire
import Synchronization

struct ExportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exports", abstract: "How many rows a second are exported, in how much memory, and what do first opens wait beside it? JSON."
    )

    @Option(help: "Clicks of the day that is exported.") var rows = 1_000_000
    @Option(help: "First opens of each measurement.") var firstOpens = 2_000
    @Option(help: "jsonl or csv.") var format = "jsonl"

    func run() async throws {
        guard let format = ExportFormat(rawValue: format) else { throw ValidationError("The format is jsonl or csv.") }
        try await ExportFigures(rows: rows, firstOpens: firstOpens, format: format).run()
    }
}

/// One day of clicks, exported by the real reader into a folder: alone, and beside first opens that the real routes answer and store.
private struct ExportFigures {
    let rows: Int
    let firstOpens: Int
    let format: ExportFormat

    private struct Waits: Encodable {
        let p50Milliseconds, p99Milliseconds: Double

        init(_ seconds: [Double]) {
            let sorted = seconds.sorted()
            func share(_ share: Double) -> Double { (sorted[Int(Double(sorted.count - 1) * share)] * 100_000).rounded() / 100 }
            (p50Milliseconds, p99Milliseconds) = (share(0.5), share(0.99))
        }
    }

    private struct Figures: Encodable {
        var rows = 0, bytes: Int64 = 0, seconds = 0.0, rowsASecond = 0
        /// Of the process: before, and the most during the export.
        var residentBeforeMB = 0, residentMostMB = 0
        var quiet: Waits
        /// Beside `landfall export-data`, which does not rest.
        var besideCommand: Waits
        /// Beside the files of the configuration, which rest after each page.
        var besideSchedule: Waits
        var commandP99Ratio = 0.0, scheduleP99Ratio = 0.0
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-exports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try await MadeStore(path: folder.appending(path: "landfall.sqlite").path, nowMs: Self.nowMs)
        try await made.fill(rows, by: [Self.clicks], [.integer(Self.day * Self.dayMs), .integer(Int64(max(1, rows)))])

        let most = Mutex(Self.residentMB), before = Self.residentMB
        let reader = ExportReader(database: made.database, app: AppID("example")), format = format
        let alone: ExportRun.PageSource = { part, after in
            most.withLock { $0 = max($0, Self.residentMB) }
            return try await reader.page(of: part.table, on: part.day, after: after, as: format)
        }
        let began = ContinuousClock.now
        let file = try await ExportRun(folder: folder, format: format, page: alone).write(ExportRun.Part(.clicks, Self.day))
        let seconds = began.duration(to: .now) / .seconds(1)

        // Quiet before and after, so that a machine that becomes slower is not taken for a slow server.
        let phones = Phones(node: made.node)
        let paced = DailyExportWork.pages(made.database, app: AppID("example"), as: format, time: .live)
        var quiet = try await phones.open(firstOpens / 2)
        let command = try await beside(ExportRun(folder: folder, format: format, page: alone)) { try await phones.open(firstOpens) }
        let schedule = try await beside(ExportRun(folder: folder, format: format, page: paced)) { try await phones.open(firstOpens) }
        quiet += try await phones.open(firstOpens - firstOpens / 2)
        try await made.database.close()

        var figures = Figures(quiet: Waits(quiet), besideCommand: Waits(command), besideSchedule: Waits(schedule))
        (figures.rows, figures.bytes, figures.seconds) = (Int(file.rows), file.bytes, (seconds * 100).rounded() / 100)
        figures.rowsASecond = Int(Double(file.rows) / seconds)
        (figures.residentBeforeMB, figures.residentMostMB) = (before, most.withLock(\.self))
        func ratio(_ waits: Waits) -> Double { (waits.p99Milliseconds / figures.quiet.p99Milliseconds * 100).rounded() / 100 }
        (figures.commandP99Ratio, figures.scheduleP99Ratio) = (ratio(figures.besideCommand), ratio(figures.besideSchedule))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    /// Exports again and again as long as the closure runs.
    private func beside(_ run: ExportRun, _ body: () async throws -> [Double]) async throws -> [Double] {
        let exporting = Task { while !Task.isCancelled { _ = try await run.write(ExportRun.Part(.clicks, Self.day)) } }
        let waits: Result<[Double], any Error>
        do { waits = .success(try await body()) } catch { waits = .failure(error) }
        exporting.cancel()
        _ = await exporting.result
        return try waits.get()
    }

    private static var residentMB: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1_000_000
    }

    private static let dayMs: Int64 = 86_400_000
    private static let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    private static let day = nowMs / dayMs - 1

    /// `$2` numbers from `$1` on, spread over the day that begins at `$3`. SQLite's own dialect: this is not a text of the server.
    private static let clicks = """
        WITH RECURSIVE n(i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $1 + $2),
          u(i, at_ms) AS (SELECT i, $3 + i * 86400000 / $4 FROM n)
        INSERT INTO click (app_id, click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome, visitor, country, campaign)
        SELECT 'example', printf('%08x-%04x-7000-8000-%012x', at_ms >> 16, at_ms & 65535, i), at_ms, 'person', 'ios', 'links.example.com',
          printf('/l%06d', i % 1000), 'store', i * 2654435761 % 4294967296, 'DE', 'summer' FROM u
        """
}

/// Phones that open the app for the first time, one after the other.
private final class Phones: Sendable {
    private let node: InProcessNode
    private let count = Mutex(0)

    init(node: InProcessNode) { self.node = node }

    /// - Returns: the seconds of each.
    func open(_ phones: Int) async throws -> [Double] {
        var seconds: [Double] = []
        for _ in 0..<phones {
            let number = count.withLock { count in
                count += 1
                return count
            }
            let id = String(format: "0198f0c2-7b1a-7c3d-8e4f-%012d", number), status = Mutex(0)
            let begun = ContinuousClock.now
            try await node.respond(
                to: "POST", WirePath.firstOpen,
                headers: ["Authorization": "Bearer pk_demo", "Landfall-Profile": "\(id).\(String(repeating: "A", count: 43))"],
                body: Data("{}".utf8), head: { code, _ in status.withLock { $0 = code } }, bytes: { _ in })
            seconds.append(begun.duration(to: .now) / .seconds(1))
            guard status.withLock(\.self) == 200 else { throw Refused(status: status.withLock(\.self)) }
            try await Task.sleep(for: .milliseconds(2))
        }
        return seconds
    }

    private struct Refused: Error { let status: Int }
}
