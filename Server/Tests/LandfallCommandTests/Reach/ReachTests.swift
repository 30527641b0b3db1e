// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import SystemCalls
import Testing

/// `landfall link` stands for every command that works in a store.
@Suite("A command", .timeLimit(.minutes(2)))
struct ReachTests {
    private static let configuration = """
        app: { id: example, bundleId: com.example.app, scheme: example }
        keys: [{ sdk: pk_test }, { serverFrom: LANDFALL_SERVER_KEY }]
        domains: { brand: [links.example.com], universal: [example.com] }
        paywalls: { default: { products: [year], defaultLocale: en, remoteConfig: { en: {} } } }
        placements: { onboarding: [{ audience: everyone, paywall: default }] }
        """
    private static let key = "sk_" + String(repeating: "k", count: 32)

    /// A server, the folder of its store, and its port.
    private func withServer(folder name: String = "data", _ body: (URL, Int, RunningCommand) async throws -> Void) async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: name)
            let server = try await start(in: folder, parent)
            let port = try #require(await server.port())
            try await body(folder, port, server)
            server.stop()
            _ = await server.ending()
        }
    }

    private func start(in folder: URL, _ parent: URL) async throws -> RunningCommand {
        let file = parent.appending(path: "landfall.yaml")
        try Data(Self.configuration.utf8).write(to: file)
        return try RunningCommand(
            ["serve", "--port", "0", "--data", folder.path, "--config", file.path, "--apple-ads", "http://127.0.0.1:9"],
            environment: ["LANDFALL_SERVER_KEY": Self.key, "LANDFALL_LOG_LEVEL": "critical"])
    }

    private func links(_ port: Int, path: String = "/v1/links", headers: String = "") async throws -> RawConnection.Answer {
        let answer = try await onThread {
            let connection = try RawConnection(port: port)
            try connection.send(Data("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)\r\n".utf8))
            return connection.answer(within: 10_000)
        }
        return try #require(answer)
    }

    @Test(
        "reaches the server that runs on its folder, without a key, and the server serves new links at once",
        arguments: ["data", String(repeating: "long-", count: 40)])
    func socket(folder: String) async throws {
        try await withServer(folder: folder) { folder, port, _ in
            let create = try RunningCommand([
                "link", "create", "https://example.com/a", "--suffix", "summer", "--data", folder.path,
            ])
            let said = await create.lines.reduce(into: []) { $0.append($1) }

            let status = await create.ending().status
            #expect(status == 0)
            #expect(said == ["https://links.example.com/summer"])
            let list = try await links(port, headers: "Authorization: Bearer \(Self.key)\r\n")
            #expect(String(decoding: list.body, as: UTF8.self).contains("https://links.example.com/summer"))
        }
    }

    @Test("imports a file through the server, with progress, and reports the refused rows")
    func importing() async throws {
        try await withServer { folder, _, _ in
            let file = folder.appending(path: "links.csv")
            let rows = (0..<2_500).map { "https://example.com/\($0),https://links.example.com/l\($0)" } + ["javascript:x,"]
            try Data(("to,url\n" + rows.joined(separator: "\n") + "\n").utf8).write(to: file)

            let command = try RunningCommand(["link", "import", file.path, "--data", folder.path])
            let said = await command.lines.reduce(into: []) { $0.append($1) }
            let ending = await command.ending()

            #expect(ending.status == 1)
            #expect(ending.errors == "1000 of 2501 rows\n2000 of 2501 rows\n2501 of 2501 rows\n")
            #expect(said.last == "2500 link(s) made, 0 there already, 1 refused.")
            #expect(said.first?.hasPrefix("\(file.path):2502:1: ") == true, "\(said.first ?? "")")
        }
    }

    @Test("works at a named server only with the right key")
    func named() async throws {
        try await withServer { _, port, _ in
            let create = ["link", "create", "https://example.com/a", "--server", "http://127.0.0.1:\(port)"]

            let right = try await RunningCommand(create, environment: ["LANDFALL_SERVER_KEY": Self.key]).ending()
            let wrong = try await RunningCommand(create + ["--key", "sk_" + String(repeating: "x", count: 32)]).ending()
            let none = try await RunningCommand(create).ending()

            #expect(right.status == 0, "\(right.errors)")
            #expect(wrong.status == 1)
            #expect(wrong.errors.contains("This call needs a server key"))
            #expect(none.status == 64)
        }
    }

    @Test(
        "without a place, or with two, is refused with the status of a usage error",
        arguments: [
            ["--server", "http://127.0.0.1:1", "--key", "sk_x", "--data", "x"], ["--key", "sk_x", "--data", "x"],
            ["--server", "http://example.com", "--key", "sk_x"], ["--server", "example.com", "--key", "sk_x"],
            ["--server", "http://127.0.0.1.example.com", "--key", "sk_x"],
        ])
    func places(arguments: [String]) async throws {
        let ending = try await RunningCommand(["link", "create", "https://example.com/a"] + arguments).ending()

        #expect(ending.status == 64)
    }

    @Test("is the only caller without a key: a network call has the rights of its key, whatever its header fields")
    func network() async throws {
        try await withServer { folder, port, _ in
            let claims = [
                "", "X-Forwarded-For: unix:\r\n", "Landfall-Socket: \(folder.path)/landfall.sock\r\n",
                "Authorization: Bearer \r\n", "X-Landfall-Operator: 1\r\nVia: landfall.sock\r\n",
            ]
            for headers in claims { #expect(try await links(port, headers: headers).status == 401) }
            let absolute = try await links(port, path: "http+unix://landfall.sock/v1/links")
            #expect([400, 401, 404].contains(absolute.status))
        }
    }

    @Test("finds the socket of a server that replaced a killed one")
    func staleSocket() async throws {
        try await ServingProcess.withFolder { parent in
            let folder = parent.appending(path: "data")
            let first = try await start(in: folder, parent)
            _ = try #require(await first.port())
            first.kill()
            _ = await first.ending()
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "landfall.sock").path))
            let create = ["link", "create", "https://example.com/a", "--suffix", "a", "--data", folder.path]

            // No server is behind it: the command has the store to itself.
            let alone = try await RunningCommand(create).ending()
            let second = try await start(in: folder, parent)
            _ = try #require(await second.port())
            let beside = try await RunningCommand(create).ending()

            #expect(alone.status == 0, "\(alone.errors)")
            #expect(beside.status == 0, "\(beside.errors)")
            second.stop()
            #expect(await second.ending().status == 0)
        }
    }

    @Test("waits for another command that uses the folder, and names its process after a long wait")
    func busy() async throws {
        try await ServingProcess.withFolder { folder in
            let lock = folder.appending(path: "landfall.lock").path
            let isHeld = folder.appending(path: "held").path
            let holder = try SpawnedProcess(["/usr/bin/flock", "-o", lock, "sh", "-c", "touch '\(isHeld)'; exec sleep 30"])
            defer { holder.signal(SIGTERM) }
            for _ in 0..<1_000 where !FileManager.default.fileExists(atPath: isHeld) { try await Task.sleep(for: .milliseconds(10)) }

            let ending = try await RunningCommand([
                "link", "create", "https://example.com/a", "--data", folder.path, "--config", RunningCommand.example,
            ]).ending()

            #expect(ending.status == 1)
            #expect(ending.errors.contains("is in use by another process, which does not answer at"), "\(ending.errors)")
        }
    }
}
