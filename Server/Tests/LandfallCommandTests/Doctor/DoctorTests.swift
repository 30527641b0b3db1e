// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("landfall doctor", .timeLimit(.minutes(2)))
struct DoctorTests {
    /// Checks that depend on the test machine, not on the store.
    private static let ofTheMachine: Set = ["disk", "openFiles", "sync"]

    static func doctor(_ arguments: [String]) async throws -> (status: Int32, findings: [DoctorFinding]) {
        // What is outside: script/check doctor, behind a real proxy.
        let command = try RunningCommand(["doctor", "--json", "--local"] + arguments)
        let text = await command.lines.reduce(into: "") { $0 += $1 }
        return (await command.ending().status, try JSONDecoder().decode([DoctorFinding].self, from: Data(text.utf8)))
    }

    private func checks(_ findings: [DoctorFinding]) -> [String: Bool] {
        Dictionary(uniqueKeysWithValues: findings.filter { !Self.ofTheMachine.contains($0.check) }.map { ($0.check, $0.ok) })
    }

    private let sound = [
        "folder": true, "server": true, "durability": true, "store": true, "schema": true, "configuration": true, "keys": true,
        "backup": true, "retention": true, "pages": true,
    ]

    @Test("A sound store passes; if no server runs on it, that is the only problem", arguments: [[], ["--store"]])
    func sound(options: [String]) async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "data")
            let server = try await ServingProcess.start(in: folder)

            let beside = try await Self.doctor(options + ["--data", folder.path])
            try await server.ends()
            let alone = try await Self.doctor(options + ["--data", folder.path])

            #expect(checks(beside.findings) == sound, "\(beside.findings.filter { !$0.ok })")
            // A stopped server is not in order, and all else is.
            #expect(checks(alone.findings) == sound.merging(["server": false]) { $1 }, "\(alone.findings.filter { !$0.ok })")
            #expect(beside.findings.first { $0.check == "openFiles" }?.message.hasPrefix("The server may have") == true)
            for (_, findings) in [beside, alone] {
                #expect(findings.allSatisfy { $0.ok == ($0.fix == nil) })
            }
            #expect(beside.findings.first { $0.check == "server" }?.message.contains("A server runs on the store") == true)
            #expect(alone.findings.first { $0.check == "server" }?.message.contains("No server") == true)
        }
    }

    @Test("A folder without a store is reported, and stays empty")
    func missing() async throws {
        try await ServingProcess.withFolder { folder in
            let (status, findings) = try await Self.doctor(["--data", folder.path])

            #expect(status == 1)
            #expect(findings.map(\.check) == ["folder"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test("Readable files and a newer schema are reported with advice")
    func wrong() async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "data")
            try await ServingProcess.start(in: folder).ends()
            let path = folder.appending(path: "landfall.sqlite").path
            let database = try SQLiteDatabase(path: path)
            _ = try await database.write { connection in
                try connection.run("INSERT INTO schema_migration (id, position) VALUES ('2099-01-01 new', 999)")
            }
            try await database.close()
            chmod(path, 0o644)

            let (status, findings) = try await Self.doctor(["--data", folder.path])

            #expect(status == 1)
            var expected = sound
            (expected["folder"], expected["schema"], expected["server"]) = (false, false, false)
            #expect(checks(findings) == expected)
            #expect(findings.first { $0.check == "schema" }?.message.contains("2099-01-01 new") == true)
        }
    }

    @Test("The last backup and a named one are read again: a flipped byte is found")
    func backup() async throws {
        try await ServingProcess.withFolder { parent in
            let (folder, file) = (parent.appending(path: "data"), parent.appending(path: "copy.sqlite"))
            let server = try await ServingProcess.start(in: folder)
            let made = try await RunningCommand(["backup", file.path, "--data", folder.path]).ending()
            let good = try await Self.doctor(["--data", folder.path])
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: file)

            let bad = try await Self.doctor(["--data", folder.path])
            let named = try await Self.doctor(["--data", folder.path, "--backup", file.path])
            try await server.ends()

            #expect(made.status == 0, "\(made.errors)")
            #expect(good.findings.first { $0.check == "backup" }?.message.contains("is unchanged since it was written") == true)
            #expect(bad.findings.first { $0.check == "backup" }?.ok == false)
            #expect(named.findings.filter { $0.check == "backup" && !$0.ok }.count == 2)
        }
    }

    @Test("A test notification is asked for only with its option, and without a key the answer says what is missing")
    func testNotification() async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "data")
            let server = try await ServingProcess.start(in: folder)
            let without = try await Self.doctor(["--data", folder.path])
            let beside = try await Self.doctor(["--test-notification", "--data", folder.path])
            try await server.ends()
            let alone = try await Self.doctor(["--test-notification", "--data", folder.path])

            func test(_ findings: [DoctorFinding]) -> DoctorFinding? { findings.first { $0.check == "testNotification" } }
            #expect(test(without.findings) == nil)
            #expect(test(beside.findings)?.ok == false && beside.status == 1)
            #expect(test(beside.findings)?.message.contains("Write 'purchases.api'") == true)
            #expect(test(alone.findings)?.message.contains("Start it with 'landfall serve'") == true)
        }
    }

    private static let asNobody = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    private static let canBeNobody = geteuid() == 0 && FileManager.default.isExecutableFile(atPath: asNobody[0])

    @Test(
        "A user who may not read the folder is told so, and not that the folder has no store",
        .enabled(if: canBeNobody, "needs root and setpriv"), arguments: [["doctor", "--local"], ["backup", "/tmp/never.sqlite"], ["versions"]])
    func closed(command: [String]) async throws {
        try await ServingProcess.withFolder { folder in
            chmod(folder.path, 0o700)
            let (status, output, errors) = try await RunningCommand(command + ["--data", folder.path], launcher: Self.asNobody).completion()

            #expect(status == 1)
            #expect((output + errors).contains("This user may not read '\(folder.path)', which belongs to user 0"), "\(output)\(errors)")
        }
    }

    @Test("The text has a line for each check, and advice below it")
    func text() async throws {
        try await ServingProcess.withFolder { folder in
            let command = try RunningCommand(["doctor", "--data", folder.path])
            let lines = await command.lines.reduce(into: []) { $0.append($1) }

            #expect(lines == [
                "✘ folder  '\(folder.path)' holds no store.",
                "          → Name the folder with --data, or start a server with it.",
                "1 check, 1 not in order.",
            ])
            #expect(await command.ending().status == 1)
        }
    }
}
