// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("A store from before the first release", .timeLimit(.minutes(1)))
struct UnreleasedStoreTests {
    private static let old = Migration(
        id: "2026-11-21 installs: create store, install, profile, customer and device",
        [
            "CREATE TABLE store (name TEXT NOT NULL PRIMARY KEY, store_id TEXT NOT NULL, epoch BIGINT NOT NULL)",
            "INSERT INTO store (name, store_id, epoch) VALUES ('self', 's', 1)",
            "CREATE TABLE backup_made (name TEXT NOT NULL PRIMARY KEY, at_ms BIGINT NOT NULL, bytes BIGINT NOT NULL, file TEXT)",
        ])

    private func withStore(_ body: (URL, _ file: URL) async throws -> Void) async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "data"), file = folder.appending(path: "landfall.sqlite")
            let database = try SQLiteDatabase(path: file.path)
            try await database.migrate([Self.old])
            try await database.close()
            try await body(folder, file)
        }
    }

    @Test(
        "is refused with what to do, and stays as it is",
        arguments: [
            ["serve", "--port", "0", "--config", RunningCommand.example], ["versions"], ["apply", RunningCommand.example],
            ["backup", "/tmp/landfall-never-made.sqlite"],
        ])
    func refused(arguments: [String]) async throws {
        try await withStore { folder, file in
            let before = try Data(contentsOf: file)

            let ending = try await RunningCommand(arguments + ["--data", folder.path]).ending(within: .seconds(30))

            #expect(ending.status == 1)
            let last = ending.errors.split(separator: "\n").last ?? ""
            #expect(last.contains(Self.old.id) && last.contains("start with a new folder"), "\(ending.errors)")
            #expect(try Data(contentsOf: file) == before)
        }
        #expect(!FileManager.default.fileExists(atPath: "/tmp/landfall-never-made.sqlite"))
    }

    @Test("is no backup that can be restored: the folder stays empty")
    func restored() async throws {
        try await withStore { folder, file in
            // As backups are.
            try SQLiteConnection(file.path, .readingAndWriting).run("PRAGMA journal_mode = DELETE")
            let before = try Data(contentsOf: file), other = folder.deletingLastPathComponent().appending(path: "other")

            let ending = try await RunningCommand(["restore", file.path, "--data", other.path]).ending(within: .seconds(30))

            #expect(ending.status == 1)
            #expect(ending.errors.contains(Self.old.id), "\(ending.errors)")
            #expect(try Data(contentsOf: file) == before)
            #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).filter { $0.hasSuffix(".sqlite") } == [])
        }
    }

    @Test("is found by landfall doctor, which says what to do")
    func examined() async throws {
        try await withStore { folder, file in
            let before = try Data(contentsOf: file)

            let (status, findings) = try await DoctorTests.doctor(["--data", folder.path])

            #expect(status == 1)
            let schema = try #require(findings.first { $0.check == "schema" })
            #expect(!schema.ok && schema.message.contains(Self.old.id) && schema.fix == "Start with a new folder.")
            #expect(try Data(contentsOf: file) == before)
        }
    }
}
