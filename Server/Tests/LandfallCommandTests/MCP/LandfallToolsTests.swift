// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallWire
import Testing

@testable import LandfallCommand
@testable import LandfallServer

@Suite("The tools of landfall mcp", .timeLimit(.minutes(1)))
struct LandfallToolsTests {
    private static func served(mayPublish: Bool = false) async throws -> ServedTools {
        let place = Reach.Place.server(try ServerAddress("http://127.0.0.1:9"), key: "sk_" + String(repeating: "k", count: 32))
        return try await Reach.with(place, makesStore: false) { LandfallTools(reach: $0).served(mayPublish: mayPublish) }
    }

    @Test("are the same with the flag, and one more")
    func publishing() async throws {
        let reading = try await Self.served(), publishing = try await Self.served(mayPublish: true)

        #expect(reading.tools.allSatisfy { $0.name != LandfallTools.publishing })
        #expect(reading.withheld.keys.sorted() == [LandfallTools.publishing])
        #expect(publishing.tools.map(\.name) == reading.tools.map(\.name) + [LandfallTools.publishing])
        #expect(publishing.withheld.isEmpty)
        #expect(publishing.tools.last?.effect == .replaces)
    }

    @Test("only read, but for those that say so")
    func effects() async throws {
        let tools = try await Self.served(mayPublish: true).tools

        #expect(tools.filter { $0.effect != .reads }.map(\.name) == ["create_link", LandfallTools.publishing])
    }

    @Test("have names and sentences of their own")
    func words() async throws {
        let tools = try await Self.served(mayPublish: true).tools

        #expect(Set(tools.map(\.name)).count == tools.count)
        for tool in tools {
            #expect(tool.name.wholeMatch(of: /[a-z_]{1,64}/) != nil)
            #expect(tool.about.hasSuffix("."), "\(tool.name)")
            #expect(Set(tool.arguments.map(\.name)).count == tool.arguments.count, "\(tool.name)")
            #expect(tool.arguments.allSatisfy { $0.about.hasSuffix(".") }, "\(tool.name)")
        }
    }

    @Test("make a link with every field that a link has; a time is a text")
    func linkFields() async throws {
        let create = try #require(try await Self.served().tools.first { $0.name == "create_link" })
        let fields = NewLink.fields.keys.filter { !$0.hasSuffix("Milliseconds") }

        #expect(create.arguments.map(\.name).sorted() == fields.sorted())
    }

    @Test("need a server and a key")
    func place() throws {
        let environment = FlagEnvironment(["LANDFALL_SERVER": "http://127.0.0.1:8080", "LANDFALL_SERVER_KEY": "sk_x"])

        #expect(throws: Never.self) { try MCPCommand.parse([]).place(environment) }
        #expect(throws: (any Error).self) { try MCPCommand.parse([]).place(FlagEnvironment([:])) }
        #expect(throws: (any Error).self) { try MCPCommand.parse(["--server", "http://127.0.0.1:8080"]).place(FlagEnvironment([:])) }
        #expect(throws: (any Error).self) { try MCPCommand.parse(["--server", "http://example.com"]).place(environment) }
    }
}
