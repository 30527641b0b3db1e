// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The console's keys, and when each was last used", .timeLimit(.minutes(1)))
struct KeysPageTests {
    private static let secret = "sk_0123456789abcdef0123456789abcdef"

    private struct Line: Decodable, Equatable {
        let name: String
        let active: Bool
        let scopes: [String]?
        let lastUsedMilliseconds: Int64?
    }

    private static func run(_ body: @Sendable (TestServer, ConsoleBrowser) async throws -> Void) async throws {
        var configuration = Configuration.sample()
        configuration.keys.append(SDKKey(text: "pk_former", environment: .development, expiresAtMs: 1))
        configuration.serverKeys = [ServerKey(secret, scopes: [.reports, .links], name: "LANDFALL_SERVER_KEY")!]
        try await TestServer.run(configuration: configuration) { server in
            try await body(server, try await ConsoleBrowser.signedIn(server, as: .admin))
        }
    }

    private static func lines(_ browser: ConsoleBrowser) async throws -> [Line] {
        try await browser.get("/console/settings/keys.json").decoded([Line].self)
    }

    @Test("The page never has a key's text, and says which key has ended")
    func masked() async throws {
        try await Self.run { _, browser in
            let page = try await browser.get("/console/settings/keys").page

            #expect(page.contains("pk_t… (7)") && page.contains("LANDFALL_SERVER_KEY") && page.contains("links, reports"))
            #expect(page.contains("Ended"))
            #expect(!page.contains("pk_test") && !page.contains("pk_former") && !page.contains(Self.secret) && !page.contains("sk_"))
            let document = try await browser.get("/console/settings/keys.json").page
            #expect(!document.contains("pk_test") && !document.contains("sk_"))
        }
    }

    @Test("A call that a key admits is its last use; a refused call does not count")
    func used() async throws {
        try await Self.run { server, browser in
            #expect(try await Self.lines(browser).map(\.lastUsedMilliseconds) == [nil, nil, nil])

            _ = try await server.send(.get, "/v1/links", phone: nil, key: "sk_ffffffffffffffffffffffffffffffff")
            _ = try await server.send(.get, "/v1/profiles/me", phone: nil, key: "pk_former")
            #expect(try await Self.lines(browser).map(\.lastUsedMilliseconds) == [nil, nil, nil])

            let firstMs = server.services.time.nowMs()
            _ = try await server.firstOpen("{}")
            server.clock.advance(by: .seconds(90))
            _ = try await server.send(.get, "/v1/links", phone: nil, key: Self.secret)

            let lines = try await Self.lines(browser)
            #expect(lines.map(\.lastUsedMilliseconds) == [firstMs, nil, firstMs + 90_000])
            #expect(lines.map(\.active) == [true, false, true])
        }
    }

    @Test("Uses survive a restart, an older time never replaces a newer one, and nothing is written twice")
    func durable() async throws {
        try await Self.run { server, browser in
            let key = KeyID(server.services.snapshot.configuration.keys[0])
            _ = try await server.firstOpen("{}")
            let usedMs = server.services.time.nowMs()
            let written = await server.services.keyUseWriter.write(after: [:])
            #expect(written == [key: usedMs])

            // As another node, or the next start, sees it.
            let uses = server.services.keyUses
            #expect(try await uses.lastUses(of: [key]) == [key: usedMs])
            try await uses.write([key: usedMs - 1])
            #expect(try await uses.lastUses(of: [key]) == [key: usedMs])
            try await uses.write([key: usedMs + 60_000])
            #expect(try await Self.lines(browser)[0].lastUsedMilliseconds == usedMs + 60_000)

            let count = (server.services.database as? RecordingDatabase)?.recorded.count
            _ = await server.services.keyUseWriter.write(after: written)
            #expect((server.services.database as? RecordingDatabase)?.recorded.count == count)
        }
    }

    @Test("A new version of the configuration keeps what its keys have")
    func published() async throws {
        try await Self.run { server, _ in
            _ = try await server.firstOpen("{}")
            let uses = server.services.snapshot.keyMarks.lastUses
            var next = server.services.snapshot.configuration
            next.keys = Array(next.keys.prefix(1)) + [SDKKey(text: "pk_new", environment: .production, expiresAtMs: nil)]

            #expect(server.services.configuration.serve(Snapshot(next, revision: 8)) != nil)

            #expect(uses.count == 1)
            #expect(server.services.snapshot.keyMarks.lastUses == uses)
        }
    }

    @Test("The checklist ticks the used key, also of a server that was set up by an earlier release")
    func checklist() async throws {
        try await Self.run { server, _ in
            let setup = Setup(database: server.services.database, app: server.services.snapshot.app.id)
            #expect(try await setup.checklist().done.isEmpty)
            #expect(try await setup.checklist(isKeyUsed: true).done == [.keyUsed])
            _ = try await server.firstOpen("{}")
            #expect(try await setup.checklist().done.isSuperset(of: [.keyUsed, .firstOpen]))
        }
    }
}
