// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("A store that is in use", .timeLimit(.minutes(2)))
struct StoreInUseTests {
    @Test("A second server ends with 1 and advice; after kill -9 of the first the next one starts")
    func secondServer() async throws {
        try await ServingProcess.withFolder { folder in
            let first = try await ServingProcess.start(in: folder)

            let second = try RunningCommand([
                "serve", "--port", "0", "--data", folder.path, "--config", RunningCommand.example,
            ])
            let ending = await second.ending(within: .seconds(20))
            first.command.kill()
            _ = await first.command.ending()
            let third = try await ServingProcess.start(in: folder)

            #expect(ending.status == 1)
            let sentence = "The store in '\(folder.path)' is in use by process \(first.command.processID). Stop that process"
            #expect(ending.errors.contains(sentence), "\(ending.errors)")
            try await third.ends()
        }
    }

    @Test("Its files are accessible to its user only, whatever the umask of the process", arguments: ["000", "022", "077"])
    func modes(mask: String) async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "made/by-us")
            let masked = ["/bin/sh", "-c", "umask \(mask); exec \"$@\"", "sh"]
            let create = ["link", "create", "https://example.com/a", "--data", folder.path, "--config", RunningCommand.example]
            let alone = try await RunningCommand(create, launcher: masked).ending()
            #expect(alone.status == 0, "\(alone.errors)")
            #expect(try modes(folder) == ["landfall.lock": 0o600, "landfall.sqlite": 0o600])

            let server = try await ServingProcess.start(in: folder, launcher: masked)
            let modes = try modes(folder)
            try await server.ends()

            let names = ["console-setup", "landfall.lock", "landfall.sock", "landfall.sqlite", "landfall.sqlite-shm", "landfall.sqlite-wal"]
            #expect(modes == Dictionary(uniqueKeysWithValues: names.map { ($0, 0o600) }))
            #expect(try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int == 0o700)
            #expect(try self.modes(folder)["landfall.sock"] == nil, "The socket of a stopped server is left.")
        }
    }

    private func modes(_ folder: URL) throws -> [String: Int] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let facts = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
                return (name, facts[.posixPermissions] as? Int ?? -1)
            })
    }
}
