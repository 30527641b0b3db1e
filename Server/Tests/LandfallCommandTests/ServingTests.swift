// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A serving command", .timeLimit(.minutes(1)))
struct ServingTests {
    @Test("first prints its address, and ends with 0 on SIGTERM")
    func announces() async throws {
        let command = try RunningCommand(["apple-ads-simulator", "--port", "0"])

        let port = try #require(await command.port())
        command.stop()
        let ending = await command.ending()

        #expect(port > 0)
        #expect(ending.status == 0)
        #expect(ending.errors == "")
    }

    @Test("takes its port from the environment, and explains that it is in use")
    func taken() async throws {
        let first = try RunningCommand(["apple-ads-simulator"], environment: ["LANDFALL_PORT": "0"])
        let port = try #require(await first.port())

        let second = try RunningCommand(["apple-ads-simulator"], environment: ["LANDFALL_PORT": "\(port)"])
        let ending = await second.ending()
        first.stop()

        #expect(ending.status == 1)
        #expect(ending.errors.contains("Could not listen on http://127.0.0.1:\(port)"))
        #expect(await first.ending().status == 0)
    }

    @Test("serves the example from an empty folder, and again from what it stored there")
    func serves() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }

        for arguments in [["--config", RunningCommand.example], []] {
            let command = try RunningCommand(["serve", "--port", "0", "--data", folder] + arguments)
            let port = try #require(await command.port())

            let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/healthz")))
            let (_, response) = try await URLSession.shared.data(for: request)

            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            command.stop()
            #expect(await command.ending().status == 0)
        }
    }

    @Test(
        "explains why it cannot serve",
        arguments: [
            ([], "The store has no configuration"),
            (
                ["--config", RunningCommand.example, "--trusted-proxies", "10.0.0.0/8, 10.0.0.0/99"],
                "'10.0.0.0/99' is not an address"
            ),
            (["--config", RunningCommand.example, "--country-header", "no name"], "'no name' is not the name of a header field"),
            (["--config", "nowhere.yaml"], "'nowhere.yaml' cannot be read"),
            (["--config", RunningCommand.example, "--apple-ads", "http://example.com"], "is not an address for Apple Ads"),
        ] as [([String], String)]
    )
    func cannotServe(arguments: [String], sentence: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }

        let ending = try await RunningCommand(["serve", "--port", "0", "--data", folder] + arguments).ending()

        #expect(ending.status == 1)
        #expect(ending.errors.contains(sentence))
    }

    @Test("refuses an impossible port with the status of a usage error", arguments: ["65536", "-1", "http"])
    func impossible(port: String) async throws {
        let command = try RunningCommand(["apple-ads-simulator", "--port=\(port)"])

        #expect(await command.ending().status == 64)
    }
}

extension RunningCommand {
    /// The configuration that comes with the repository.
    static var example: String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Examples/SelfHost/landfall.yaml")
            .standardized.path
    }

    /// The port of the first line, `listening on http://HOST:PORT`.
    func port() async -> Int? {
        var lines = lines.makeAsyncIterator()
        guard let line = await lines.next(), line.hasPrefix("listening on http://") else { return nil }
        return line.split(separator: ":").last.flatMap { Int($0) }
    }
}
