// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Landfall
import LandfallServer
import LandfallStore
import Testing

@testable import LandfallCommand
@testable import LandfallSQLite

@Suite("Options of a stream", .timeLimit(.minutes(1)))
struct StreamOptionsTests {
    private static let folder = StorePlace.folder(StoreFolder("data"))

    private func order(_ arguments: [String], _ environment: [String: String] = [:], of store: StorePlace = folder) throws -> StreamOrder? {
        try StreamOptions.parse(arguments).order(FlagEnvironment(environment), of: store)
    }

    @Test("Nothing is streamed without a place; each ten seconds if nothing else is said; the command line wins over the environment")
    func usual() throws {
        #expect(try order([]) == nil)
        #expect(try order(["--stream-to", "place"])?.every == .seconds(10))
        #expect(try order([], ["LANDFALL_STREAM_TO": "place", "LANDFALL_STREAM_EVERY": "7"])?.every == .seconds(7))
        #expect(try order(["--stream-every", "3600"], ["LANDFALL_STREAM_TO": "place", "LANDFALL_STREAM_EVERY": "7"])?.every == .seconds(3_600))
    }

    @Test("An interval out of range and a place of another kind are refused", arguments: [["--stream-every", "0"], ["--stream-every", "3601"], ["--stream-to", "ftp://a/b"]])
    func refused(arguments: [String]) {
        #expect(throws: (any Error).self) { try order(arguments) }
    }

    @Test("The store of a database is left to its own tools")
    func database() {
        // Without libpq there is no address.
        guard let database = try? StorePlace(url: "postgres://landfall@db.example.com/landfall", of: "database") else { return }
        #expect(throws: (any Error).self) { try order(["--stream-to", "place"], of: database) }
    }

    @Test("A restore has one place")
    func onePlace() {
        for arguments in [["file", "--from-stream", "place"], ["--from", "a", "--from-stream", "b"], ["--from-stream", "ftp://a/b"], []] {
            #expect(throws: (any Error).self, "\(arguments)") { try RestoreCommand.parse(arguments) }
        }
        #expect(throws: Never.self) { try RestoreCommand.parse(["--from-stream", "place"]) }
    }
}

@Suite("A restore of a stream", .timeLimit(.minutes(1)))
struct StreamRestoreTests {
    @Test("takes the whole copy before one of which the end is missing")
    func cut() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-stream-\(UUID().uuidString)"), place = folder.appending(path: "place")
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try SQLiteDatabase(path: folder.appending(path: "data/landfall.sqlite").path, freeDiskShare: { 1 })
        for began in [Int64(1), 2] {
            let file = StreamFile(StreamGeneration(store: "3f9c01ab", beganAtMs: began), 0, .copy(atMs: began)), path = place.appending(path: file.name)
            try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            _ = try await database.copy(to: path.path, isReplacing: false) { _, _ in }
            // As long as a backup of an earlier release might be, which had no checksum.
            if began == 2 { try FileHandle(forUpdating: path).truncate(atOffset: 512) }
        }

        let fetched = try await StreamRestore(place: StreamFolder(place.path)).fetch(into: folder.appending(path: "restored.sqlite").path)

        #expect(fetched.atMs == 1 && fetched.segments == 0)
        try await database.close()
    }
}

extension RealProcessTests {
    @Suite("serve --stream-to and restore --from-stream", .timeLimit(.minutes(2)))
    struct StreamCommandTests {
        @Test("What a stopped server had is in the folder, and is restored elsewhere; a folder without a stream is refused")
        func folder() async throws {
            try await ServingProcess.withFolder { parent in
                let (data, place, empty) = (parent.appending(path: "data"), parent.appending(path: "place"), parent.appending(path: "empty"))
                for folder in [place, empty] { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
                let server = try await ServingProcess.start(in: data, environment: ["LANDFALL_STREAM_TO": place.path, "LANDFALL_STREAM_EVERY": "1"])
                for _ in 0..<1_000 where try Self.copies(in: place).isEmpty { try await Task.sleep(for: .milliseconds(20)) }
                let phone = RealPhone(in: parent.appending(path: "phone"))
                let version = try await phone.launch(server.port) { try await $0.profile { $0.version > 0 } }.version
                try await server.ends()

                let restored = parent.appending(path: "restored").path
                let restore = try await RunningCommand(["restore", "--from-stream", place.path, "--data", restored]).ending(within: .seconds(60))
                let none = try await RunningCommand(["restore", "--from-stream", empty.path, "--data", restored]).ending(within: .seconds(60))
                let stored = try await StoredTruth(in: URL(filePath: restored)).database.read { try $0.row("SELECT COUNT(*) AS count FROM install")?.integer("count") }

                #expect(version > 0 && stored == 1)
                #expect(restore.status == 0 && restore.errors.contains("The copy goes up to 20"), "\(restore.errors)")
                #expect(none.status == 1 && none.errors.contains("has no stream with a whole copy"), "\(none.errors)")
            }
        }

        private static func copies(in place: URL) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { $0.hasSuffix(".sqlite") }
        }
    }
}
