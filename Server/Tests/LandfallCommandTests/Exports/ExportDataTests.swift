// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallStore
import Testing

@testable import LandfallReports
@testable import LandfallSQLite

extension RealProcessTests {
    @Suite("landfall export-data", .timeLimit(.minutes(1)))
    struct ExportDataTests {
        private static let dayMs: Int64 = 86_400_000
        /// Two days ago: over, whatever the time is.
        private static let startMs = (Int64(Date.now.timeIntervalSince1970 * 1000) / dayMs - 2) * dayMs

        /// A store with three taps of that day.
        private static func fill(_ data: URL) async throws {
            let applied = try await RunningCommand(["apply", RunningCommand.example, "--data", data.path]).completion()
            #expect(applied.status == 0, "\(applied.errors)")
            let database = try SQLiteDatabase(path: data.appending(path: "landfall.sqlite").path)
            let ids = (0..<3).map { UUIDv7.make(nowMs: startMs + $0) }
            try await database.write { connection in
                for id in ids {
                    _ = try connection.run(
                        """
                        INSERT INTO click (app_id, click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome, campaign)
                        VALUES ('example', $1, $2, 'person', 'ios', 'go.example.com', '/a', 'store', '=autumn, "2026"')
                        """, [.text(id), .integer(startMs)])
                }
            }
            try await database.close()
        }

        private static func files(in folder: URL) throws -> [String: Data] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return Dictionary(uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
        }

        @Test("writes the same files from a folder that no server uses, and beside a server")
        func whole() async throws {
            try await ServingProcess.withFolder { parent in
                let data = parent.appending(path: "data"), day = ReportDays.text(Self.startMs / Self.dayMs)
                try await Self.fill(data)
                func export(to folder: String, _ more: String...) async throws -> (status: Int32, output: String, errors: String) {
                    try await RunningCommand(
                        ["export-data", "--data", data.path, "--from", day, "--until", day, "--to", parent.appending(path: folder).path] + more
                    ).completion()
                }

                let alone = try await export(to: "alone", "--json")
                let server = try await ServingProcess.start(in: data)
                let beside = try await export(to: "beside")
                let table = try await export(to: "table", "--table", "clicks", "--format", "csv")
                try await server.ends()

                for ended in [alone, beside, table] { #expect(ended.status == 0, "\(ended.errors)") }
                let files = try Self.files(in: parent.appending(path: "alone"))
                #expect(try Self.files(in: parent.appending(path: "beside")) == files)
                let manifest = try JSONDecoder().decode(ExportManifest.self, from: Data(alone.output.utf8))
                #expect(manifest.files.map(\.table) == ExportTable.allCases)
                #expect(manifest.files.filter { $0.table == .clicks }.map(\.rows) == [3])
                #expect(try JSONDecoder().decode(ExportManifest.self, from: files["manifest.json"] ?? Data()) == manifest)
                #expect(alone.errors.contains("clicks-\(day).jsonl: 3 rows"), "\(alone.errors)")
                #expect(beside.output.hasSuffix("/beside contains \(day): 9 file(s), 3 row(s).\n"), "\(beside.output)")
                let csv = try Self.files(in: parent.appending(path: "table"))
                #expect(csv.keys.sorted() == ["clicks-\(day).csv", "manifest.json"])
                let text = String(decoding: csv["clicks-\(day).csv"] ?? Data(), as: UTF8.self)
                #expect(text.contains(#","'=autumn, ""2026""","#), "\(text)")
            }
        }

        @Test("says which file it cannot write, and ends with 1")
        func unwritable() async throws {
            try await ServingProcess.withFolder { parent in
                let data = parent.appending(path: "data"), taken = parent.appending(path: "taken")
                try await Self.fill(data)
                try Data().write(to: taken)

                let ended = try await RunningCommand(["export-data", "--data", data.path, "--to", taken.appending(path: "out").path]).completion()

                #expect(ended.status == 1)
                #expect(ended.output.isEmpty)
                #expect(ended.errors.contains("/taken/out/first_opens-") && ended.errors.contains("cannot be written (Not a directory)"), "\(ended.errors)")
            }
        }
    }
}

@Suite("What landfall export-data is asked", .timeLimit(.minutes(1)))
struct ExportOrderTests {
    @Test(
        "A wrong option ends with 64 and a sentence, before anything is written",
        arguments: [
            (["--table", "click"], "There is no table 'click' to export. Did you mean 'clicks'?"),
            (["--format", "parquet"], "There is no format 'parquet'. Known: 'csv', 'jsonl'."),
            (["--from", "yesterday"], "--from is 'yesterday'; it has to be a day, such as 2026-11-01."),
            (["--until", "2026-02-30"], "--until is '2026-02-30'; it has to be a day, such as 2026-11-01."),
            (["--from", "2026-11-02", "--until", "2026-11-01"], "--from is a day after --until. Exchange them."),
            (["--from", "2020-01-01", "--until", "2026-11-01"], "One run exports at most 400 days. Export the others with another run."),
            (["--to", "https://files.example.com"], "it has to be a folder, or s3://BUCKET/PREFIX."), (["--to", ""], "it has to be a folder, or s3://BUCKET/PREFIX."),
            (["--to", "s3://Bucket"], "it has to be a folder, or s3://BUCKET/PREFIX."),
            (["--to", "s3://bucket/folder"], "A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment."),
            (["--to", "s3://bucket", "--s3-endpoint", "http://files.example.com"], "A bucket needs AWS_ACCESS_KEY_ID"),
            (["--server", "https://api.example.com", "--key", "sk_x"], "A server key does not permit a copy of all rows."),
        ])
    func wrong(options: [String], sentence: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let to = options.contains("--to") ? [] : ["--to", folder + "/out"]
        let place = options.contains("--server") ? [] : ["--data", folder + "/data"]

        let ended = try await RunningCommand(["export-data"] + options + to + place, environment: BackupNameTests.withoutKeys).completion()

        #expect(ended.status == 64)
        #expect(ended.output.isEmpty)
        #expect(ended.errors.contains(sentence), "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
