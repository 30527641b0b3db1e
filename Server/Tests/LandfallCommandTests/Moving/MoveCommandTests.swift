// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import SystemCalls
import Testing

@testable import LandfallServer

extension RealProcessTests {
    @Suite(
        "landfall move, and backup, restore and doctor of a database",
        .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed (Debian: postgresql)"), .timeLimit(.minutes(3)))
    struct MoveCommandTests {
        private struct Moved: Decodable {
            struct Table: Decodable, Equatable { let table: String, rows: Int, checksum: String }
            let tables: [Table]
            let verified: Bool, marked: Bool
        }

        private func run(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
            try await RunningCommand(arguments).completion()
        }

        private func move(_ from: String, _ to: String) async throws -> Moved {
            let ending = try await run(["move", "--from", from, "--to", to, "--json"])
            #expect(ending.status == 0, "\(ending.errors)")
            return try JSONDecoder().decode(Moved.self, from: Data(ending.output.utf8))
        }

        private func answer(_ method: String, _ path: String, _ server: ServingProcess, _ body: String? = nil) async throws -> String {
            let port = server.port
            return try await onThread {
                let connection = try RawConnection(port: port)
                try connection.send(RawConnection.request(method, path, body: body.map { Data($0.utf8) }))
                return try String(decoding: #require(connection.answer()).body, as: UTF8.self)
            }
        }

        /// Without the time of the answer.
        private func timeless(_ profile: String) -> String { profile.replacing(/"asOfMilliseconds":\d+,/, with: "") }

        private func epoch(_ profile: String) throws -> Int { try #require(profile.firstMatch(of: /"epoch":(\d+)/).flatMap { Int($0.output.1) }) }

        @Test("A phone finds the same profile after the move into a database, and after the move back; servers that run are refused")
        func there() async throws {
            try await ServingProcess.withFolder { parent in
                try await PostgresServer.with(settings: []) { postgres in
                    let (data, back) = (parent.appending(path: "data"), parent.appending(path: "back")), url = try await postgres.database()
                    let first = try await ServingProcess.start(in: data)
                    _ = try await answer("POST", "/v1/profiles/me/attributes", first, #"{"key":"one","attributes":{"n":1}}"#)
                    let profile = try await answer("GET", "/v1/profiles/me", first)
                    let busy = try await run(["move", "--from", "sqlite:\(data.path)", "--to", url])
                    try await first.ends()

                    let moved = try await move("sqlite:\(data.path)", url)
                    let second = try await ServingProcess.start(on: url)
                    let there = try await answer("GET", "/v1/profiles/me", second)
                    try await postgres.addLivingNode(url)
                    let living = try await run(["move", "--from", url, "--to", "sqlite:\(back.path)"])
                    try await postgres.removeLivingNode(url)
                    try await second.ends()
                    let again = try await run(["move", "--from", "sqlite:\(data.path)", "--to", url])
                    let returned = try await move(url, "sqlite:\(back.path)")
                    let third = try await ServingProcess.start(in: back)
                    let home = try await answer("GET", "/v1/profiles/me", third)
                    try await third.ends()
                    let old = try await run(["serve", "--port", "0", "--database", url, "--config", RunningCommand.example])

                    #expect((busy.status, busy.errors.contains("is in use by process")) == (1, true), "\(busy.errors)")
                    #expect(moved.verified && moved.marked && moved.tables.contains { $0.table == "install" && $0.rows == 1 && $0.checksum.count == 64 })
                    #expect(profile.contains(#""n":1"#))
                    #expect(timeless(there) == timeless(profile))
                    #expect((living.status, living.errors.contains("Stop every node first")) == (1, true), "\(living.errors)")
                    #expect((again.status, again.errors.contains("was moved to")) == (1, true), "\(again.errors)")
                    #expect((old.status, old.errors.contains("was moved to '\(back.path)'")) == (1, true), "\(old.errors)")
                    #expect(returned.tables.map(\.table) == moved.tables.map(\.table))
                    #expect(timeless(home) == timeless(profile))
                }
            }
        }

        @Test("A URL that names no store ends with 64, and a folder without a store with 1")
        func places() async throws {
            for arguments in [["--from", "mysql://a/b", "--to", "sqlite:x"], ["--from", "sqlite:x"], ["--to", "/data", "--from", "sqlite:x"]] {
                let ending = try await run(["move"] + arguments)
                #expect(ending.status == 64 && ending.errors.contains("postgres://USER@HOST:PORT/DB, or sqlite:DIR"), "\(ending.errors)")
            }
            let none = try await run(["move", "--from", "sqlite:/nowhere", "--to", "sqlite:/elsewhere"])
            #expect(none.status == 1 && none.errors.contains("'/nowhere' holds no store. Name the folder with --from"), "\(none.errors)")
        }

        @Test("A backup beside a node is restored into its database and into a folder, each with a new epoch")
        func backup() async throws {
            try await ServingProcess.withFolder { parent in
                try await PostgresServer.with(settings: []) { postgres in
                    let url = try await postgres.database(), file = parent.appending(path: "copy.sqlite").path
                    let node = try await ServingProcess.start(on: url)
                    _ = try await answer("POST", "/v1/profiles/me/attributes", node, #"{"key":"one","attributes":{"n":1}}"#)
                    let backup = try await run(["backup", file, "--database", url])
                    _ = try await answer("POST", "/v1/profiles/me/attributes", node, #"{"key":"two","attributes":{"n":2}}"#)
                    let newest = try await answer("GET", "/v1/profiles/me", node)
                    try await postgres.addLivingNode(url)
                    let living = try await run(["restore", file, "--database", url])
                    try await postgres.removeLivingNode(url)
                    try await node.ends()

                    let restore = try await run(["restore", file, "--database", url, "--json"])
                    let second = try await ServingProcess.start(on: url)
                    let restored = try await answer("GET", "/v1/profiles/me", second)
                    try await postgres.addLivingNode(url)
                    let doctor = try await DoctorTests.doctor(["--database", url, "--store"])
                    try await second.ends()
                    let folder = try await run(["restore", file, "--data", parent.appending(path: "data").path])

                    #expect(backup.status == 0, "\(backup.errors)")
                    #expect((living.status, living.errors.contains("Stop every node first")) == (1, true), "\(living.errors)")
                    #expect(restore.status == 0 && restore.output.contains("landfall_replaced_"), "\(restore.errors)")
                    #expect(newest.contains(#""n":2"#) && restored.contains(#""n":1"#), "\(restored)")
                    #expect(try epoch(restored) > epoch(newest))
                    #expect(folder.status == 0, "\(folder.errors)")
                    // The test's PostgreSQL has no such limit.
                    #expect(doctor.findings.filter { !$0.ok }.map(\.check) == ["idleTransactions"], "\(doctor.findings.filter { !$0.ok })")
                    #expect(Set(["durability", "store", "schema", "database", "standbys", "nodes", "indexes", "backup"]).isSubset(of: doctor.findings.map(\.check)))
                }
            }
        }
    }
}
