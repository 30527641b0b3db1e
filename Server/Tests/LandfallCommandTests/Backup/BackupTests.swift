// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Testing

extension RealProcessTests {
    @Suite("landfall backup and restore", .timeLimit(.minutes(2)))
    struct BackupTests {
        private struct Profile { let epoch: Int, version: Int, body: String }

        private func answer(_ method: String, _ path: String, _ port: Int, _ body: String? = nil) throws -> Data {
            let connection = try RawConnection(port: port)
            try connection.send(RawConnection.request(method, path, body: body.map { Data($0.utf8) }))
            let answer = try #require(connection.answer())
            #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            return answer.body
        }

        private func profile(_ port: Int) throws -> Profile {
            let body = try answer("GET", "/v1/profiles/me", port)
            let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            let profile = try #require(object["profile"] as? [String: Any])
            return Profile(
                epoch: try #require(profile["epoch"] as? Int), version: try #require(profile["version"] as? Int),
                body: String(decoding: body, as: UTF8.self))
        }

        private func change(_ port: Int, _ number: Int) throws {
            _ = try answer(
                "POST", "/v1/profiles/me/attributes", port, #"{"key":"change-\#(number)","attributes":{"n":\#(number)}}"#)
        }

        private func run(_ arguments: [String]) async throws -> (status: Int32, errors: String, lines: [String]) {
            let command = try RunningCommand(arguments)
            let ending = await command.ending(within: .seconds(60))
            return (ending.status, ending.errors, await command.lines.reduce(into: []) { $0.append($1) })
        }

        @Test("A backup of a busy server is restored, and phones accept its older profile as the newest")
        func whole() async throws {
            try await ServingProcess.withFolder { parent in
                let (data, file) = (parent.appending(path: "data"), parent.appending(path: "copy.sqlite").path)
                let first = try await ServingProcess.start(in: data)
                try change(first.port, 1)
                let saved = try profile(first.port)
                let isOver = parent.appending(path: "over")
                let writing = Task { [port = first.port] in
                    try await onThread {
                        var number = 2
                        while !FileManager.default.fileExists(atPath: isOver.path) {
                            try change(port, number)
                            number += 1
                        }
                        return number
                    }
                }

                let backup = try await run(["backup", file, "--data", data.path, "--json"])
                let again = try await run(["backup", file, "--data", data.path])
                let inUse = try await run(["restore", file, "--data", data.path])
                try Data().write(to: isOver)
                let last = try await writing.value
                let newest = try profile(first.port)
                try await first.ends()
                let restore = try await run(["restore", file, "--data", data.path, "--json"])
                let second = try await ServingProcess.start(in: data)
                let restored = try profile(second.port)
                try change(second.port, 1_000_000)
                try await second.ends()

                #expect(backup.status == 0, "\(backup.errors)")
                let made = try #require(try JSONSerialization.jsonObject(with: Data(backup.lines.joined(separator: "\n").utf8)) as? [String: Any])
                #expect(made["file"] as? String == file)
                #expect((made["bytes"] as? Int ?? 0) > 0)
                #expect((again.status, again.errors.contains("'\(file)' is there already")) == (1, true))
                #expect((inUse.status, inUse.errors.contains("is in use by process")) == (1, true), "\(inUse.errors)")
                #expect(restore.status == 0, "\(restore.errors)")
                #expect(last > 2 && newest.version > saved.version)
                #expect(restored.version >= saved.version && restored.version < newest.version)
                #expect(restored.epoch > newest.epoch)
                let kept = try FileManager.default.contentsOfDirectory(atPath: data.path).filter { $0.hasPrefix("landfall.replaced-") }
                #expect(kept.count == 1)
            }
        }

        @Test(
            "A path where the server sees another folder, as with a service's own /tmp, is refused before anything is written",
            .enabled(if: SmallDisk.isAvailable, "needs the right to mount"))
        func elsewhere() async throws {
            try await ServingProcess.withFolder { parent in
                let own = parent.appending(path: "tmp")
                try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
                let data = parent.appending(path: "data")
                let server = try await ServingProcess.start(in: data, launcher: SmallDisk(folder: own).launcher)

                let backup = try await run(["backup", own.path + "/copy.sqlite", "--data", data.path])
                let seen = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.command.processID)/root\(own.path)")
                try await server.ends()

                #expect((backup.status, backup.errors.contains("The server sees another folder")) == (1, true), "\(backup.errors)")
                #expect(seen == [])
            }
        }

        @Test("Without a server the command makes the backup itself; a folder without a store is an error")
        func alone() async throws {
            try await ServingProcess.withFolder { parent in
                let (data, file) = (parent.appending(path: "data"), parent.appending(path: "copy.sqlite").path)
                let none = try await run(["backup", file, "--data", data.path])
                let server = try await ServingProcess.start(in: data)
                try await server.ends()
                let at = Date.now.addingTimeInterval(3_600).formatted(.iso8601)
                let scheduled = try await run(["apply", RunningCommand.example, "--at", at, "--data", data.path])

                let backup = try await run(["backup", file, "--data", data.path])
                let restore = try await run(["restore", file, "--data", parent.appending(path: "other").path])
                let wrong = try await run(["restore", RunningCommand.example, "--data", parent.appending(path: "third").path])

                #expect((none.status, none.errors.contains("holds no store")) == (1, true))
                #expect(backup.status == 0, "\(backup.errors)")
                #expect(restore.status == 0, "\(restore.errors)")
                #expect(scheduled.status == 0, "\(scheduled.errors)")
                let told = restore.lines.joined(separator: "\n")
                #expect(told.contains("Members, roles, passwords and keys are those of the backup."))
                #expect(told.contains("1 version that waited for its time was stopped."))
                #expect((wrong.status, wrong.errors.contains("is not a readable store")) == (1, true), "\(wrong.errors)")
            }
        }
    }
}
