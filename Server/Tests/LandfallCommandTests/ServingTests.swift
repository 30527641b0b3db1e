// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("A serving command", .timeLimit(.minutes(1)))
struct ServingTests {
    @Test("says first where it listens, and ends with 0 on SIGTERM")
    func announces() async throws {
        let command = try RunningCommand(["apple-ads-simulator", "--port", "0"])

        let port = try #require(await command.port())
        command.stop()
        let ending = await command.ending()

        #expect(port > 0)
        #expect(ending.status == 0)
        #expect(ending.errors == "")
    }

    @Test("takes its port from the environment, and says in words that it is taken")
    func taken() async throws {
        let first = try RunningCommand(["apple-ads-simulator"], environment: ["LANDFALL_PORT": "0"])
        let port = try #require(await first.port())

        let second = try RunningCommand(["apple-ads-simulator"], environment: ["LANDFALL_PORT": "\(port)"])
        let ending = await second.ending()
        first.stop()

        #expect(ending.status == 1)
        #expect(ending.errors.contains("Could not listen on http://127.0.0.1:\(port)"))
        #expect(ending.errors.contains("--port"))
        #expect(await first.ending().status == 0)
    }

    @Test("refuses an impossible port with the status of a usage error", arguments: ["65536", "-1", "http"])
    func impossible(port: String) async throws {
        let command = try RunningCommand(["apple-ads-simulator", "--port=\(port)"])

        #expect(await command.ending().status == 64)
    }
}

extension RunningCommand {
    /// The port of the first line, `listening on http://HOST:PORT`.
    func port() async -> Int? {
        var lines = lines.makeAsyncIterator()
        guard let line = await lines.next(), line.hasPrefix("listening on http://") else { return nil }
        return line.split(separator: ":").last.flatMap { Int($0) }
    }
}
