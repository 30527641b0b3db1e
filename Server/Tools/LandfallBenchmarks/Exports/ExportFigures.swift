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
    @Option(help: "First opens of each block.") var firstOpens = 500
    @Option(help: "Rounds, each with a block of every kind: quiet twice, beside the command, beside the files of the configuration.") var rounds = 8
    @Option(help: "jsonl or csv.") var format = "jsonl"
    @Option(help: "Rows of a page; without it the usual number.") var page: Int?

    func validate() throws {
        guard rows > 0, firstOpens > 0, rounds > 0, page ?? 1 > 0 else {
            throw ValidationError("--rows, --first-opens, --rounds and --page are at least 1.")
        }
    }

    func run() async throws {
        guard let format = ExportFormat(rawValue: format) else { throw ValidationError("The format is jsonl or csv.") }
        try await ExportFigures(rows: rows, firstOpens: firstOpens, rounds: rounds, format: format, page: page).run()
    }
}

/// One day of clicks, exported by the real reader into a folder: alone, and beside first opens that the real routes answer and store.
private struct ExportFigures {
    let rows: Int
    let firstOpens: Int
    let rounds: Int
    let format: ExportFormat
    let page: Int?

    /// What runs beside the first opens of a block.
    private enum Beside: String, CaseIterable {
        case quiet
        /// Also nothing: what two equal blocks differ by.
        case control
        /// `landfall export-data`, which rests after each page as long as the page took.
        case command
        /// The files of the configuration, which rest three times as long.
        case schedule
    }

    private struct Figures: Encodable {
        let rows: Int
        let bytes: Int64
        let seconds: Double
        let rowsASecond: Int
        /// Of the process: before, and the most during the first and the second half of the export.
        let residentBeforeMB, residentMostOfFirstHalfMB, residentMostOfSecondHalfMB: Int
        /// Of all opens.
        var p50Milliseconds: [String: Double] = [:], p99Milliseconds: [String: Double] = [:]
        /// Of the 99th percentiles of one round, to the quiet block.
        var p99Ratio: [String: Spread] = [:]
    }

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-exports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = try await MadeStore(path: folder.appending(path: "landfall.sqlite").path, nowMs: Self.nowMs)
        try await made.fill(rows, by: [Self.clicks], [.integer(Self.day * Self.dayMs), .integer(Int64(rows))])
        var figures = try await export(from: made, into: folder)

        let times = try await waits(beside: made, in: folder)
        try await made.database.close()
        func share(_ part: Double, _ times: [Double]) -> Double { times.sorted()[Int(Double(times.count - 1) * part)] }
        for beside in Beside.allCases {
            let all = times.flatMap { $0[beside] ?? [] }
            figures.p50Milliseconds[beside.rawValue] = (share(0.5, all) * 100).rounded() / 100
            figures.p99Milliseconds[beside.rawValue] = (share(0.99, all) * 100).rounded() / 100
            guard beside != .quiet else { continue }
            figures.p99Ratio[beside.rawValue] = Spread(times.map { share(0.99, $0[beside] ?? []) / share(0.99, $0[.quiet] ?? []) })
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    /// The whole day, with nothing beside it.
    private func export(from made: MadeStore, into folder: URL) async throws -> Figures {
        let before = Self.residentMB, most = Mutex((first: before, second: before)), read = Mutex(0), (rows, format) = (rows, format)
        let reader = ExportReader(database: made.database, app: AppID("example"), page: page)
        let began = ContinuousClock.now
        let file = try await ExportRun(folder: folder, format: format) { part, after in
            let page = try await reader.page(of: part.table, on: part.day, after: after, as: format), resident = Self.residentMB
            let done = read.withLock { done in
                done += page.rows
                return done
            }
            most.withLock { most in
                if done * 2 <= rows { most.first = max(most.first, resident) } else { most.second = max(most.second, resident) }
            }
            return page
        }.write(ExportRun.Part(.clicks, Self.day))
        let seconds = began.duration(to: .now) / .seconds(1), (first, second) = most.withLock(\.self)
        return Figures(
            rows: Int(file.rows), bytes: file.bytes, seconds: (seconds * 100).rounded() / 100, rowsASecond: Int(Double(file.rows) / seconds),
            residentBeforeMB: before, residentMostOfFirstHalfMB: first, residentMostOfSecondHalfMB: second)
    }

    /// Milliseconds of each open. The blocks take turns in each round, so that a machine that becomes slower does so for all of them.
    private func waits(beside made: MadeStore, in folder: URL) async throws -> [[Beside: [Double]]] {
        let reader = ExportReader(database: made.database, app: AppID("example"), page: page), format = format
        let paced = DailyExportWork.pages(made.database, app: AppID("example"), as: format, time: .live, page: page)
        let pages = ExportRun.resting(1, by: .live) { try await reader.page(of: $0.table, on: $0.day, after: $1, as: format) }
        let command = PausedExport(into: folder.appending(path: "command"), format, Self.day, pages)
        let schedule = PausedExport(into: folder.appending(path: "schedule"), format, Self.day, paced), phones = Phones(node: made.node)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            for export in [command, schedule] { group.addTask { try await export.run() } }
            _ = try await phones.open(firstOpens)
            let exports: [Beside: PausedExport] = [.command: command, .schedule: schedule]
            var found: [[Beside: [Double]]] = []
            for _ in 0..<rounds {
                var round: [Beside: [Double]] = [:]
                for beside in Beside.allCases.shuffled() {
                    exports[beside]?.goOn()
                    round[beside] = try await phones.open(firstOpens)
                    exports[beside]?.pause()
                }
                found.append(round)
            }
            return found
        }
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

/// Exports a day again and again, but for pauses between two pages.
private final class PausedExport: Sendable {
    private let isPaused = Atomic(true)
    private let folder: URL
    private let format: ExportFormat
    private let day: Int64
    private let page: ExportRun.PageSource

    init(into folder: URL, _ format: ExportFormat, _ day: Int64, _ page: @escaping ExportRun.PageSource) {
        (self.folder, self.format, self.day, self.page) = (folder, format, day, page)
    }

    func goOn() { isPaused.store(false, ordering: .relaxed) }

    func pause() { isPaused.store(true, ordering: .relaxed) }

    func run() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let run = ExportRun(folder: folder, format: format) { [self] part, after in
            while isPaused.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(1)) }
            return try await page(part, after)
        }
        while !Task.isCancelled { _ = try await run.write(ExportRun.Part(.clicks, day)) }
    }
}

/// Phones that open the app for the first time, one after the other.
private final class Phones: Sendable {
    private let node: InProcessNode
    private let count = Mutex(0)

    init(node: InProcessNode) { self.node = node }

    /// - Returns: the milliseconds of each.
    func open(_ phones: Int) async throws -> [Double] {
        var times: [Double] = []
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
            times.append(begun.duration(to: .now) / .milliseconds(1))
            guard status.withLock(\.self) == 200 else { throw Refused(status: status.withLock(\.self)) }
            try await Task.sleep(for: .milliseconds(2))
        }
        return times
    }

    private struct Refused: Error { let status: Int }
}
