// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("A server key does what its scopes allow", .timeLimit(.minutes(1)))
struct ServerKeyTests {
    private static let text = "sk_0123456789abcdef0123456789abcdef"
    private static let other = "sk_fedcba9876543210fedcba9876543210"

    private func key(_ may: String) throws -> ServerKey {
        let yaml = Sample.base.replacing(
            "  - sdk: pk_sample\n", with: "  - sdk: pk_sample\n  - { serverFrom: LANDFALL_SERVER_KEY\(may) }\n")
        let configuration = try Configuration(yaml: yaml, environment: { $0 == "LANDFALL_SERVER_KEY" ? Self.text : nil })
        return try #require(configuration.serverKeys.first)
    }

    private func problems(_ key: String, environment: [String: String] = ["LANDFALL_SERVER_KEY": text]) -> [String] {
        let yaml = Sample.base.replacing("  - sdk: pk_sample\n", with: "  - sdk: pk_sample\n  - { \(key) }\n")
        return Sample.problems(yaml, environment: environment)
    }

    @Test("A key without scopes makes links, and one with scopes has only these")
    func scopes() throws {
        #expect(try key("").scopes == [.links])
        #expect(try key(", may: [reports]").scopes == [.reports])
        #expect(
            try key(", may: [links, configuration, reports, profiles, access, erase, webhooks]").scopes
                == Set(ServerKey.Scope.allCases))
    }

    @Test("An empty list, and an unknown scope, are problems")
    func mistakes() {
        #expect(
            problems("serverFrom: LANDFALL_SERVER_KEY, may: []")
                == ["6:45: 'may' is empty, so the key opens nothing. List what it may do."])
        #expect(
            problems("serverFrom: LANDFALL_SERVER_KEY, may: [report]")
                == ["6:46: A scope cannot be 'report'. Did you mean 'reports'?"])
    }

    @Test("A variable that two server keys name is a problem, and so is a name that two identity keys have")
    func seconds() {
        let twice = "serverFrom: LANDFALL_SERVER_KEY }\n  - { serverFrom: LANDFALL_SERVER_KEY, may: [reports, erase]"
        let secret = ["LANDFALL_SERVER_KEY": Self.text]
        func identity(_ first: String, _ second: String) -> [String] {
            Sample.problems(adding: "identity: { keys: [{ algorithm: HS256, \(first) }, { algorithm: HS256, \(second) }] }\n", environment: secret)
        }

        #expect(problems(twice).count == 1)
        #expect(problems(twice).first?.hasSuffix("The entry in line 6 has the same name. Keep one of them.") == true)
        for (first, second) in [
            ("id: backend, secretFrom: LANDFALL_SERVER_KEY", "id: backend, secretFrom: LANDFALL_SERVER_KEY"),
            ("id: LANDFALL_SERVER_KEY, secretFrom: LANDFALL_SERVER_KEY", "secretFrom: LANDFALL_SERVER_KEY"),
            ("secretFrom: LANDFALL_SERVER_KEY", "secretFrom: LANDFALL_SERVER_KEY"),
        ] {
            #expect(identity(first, second).contains { $0.contains("has the same name") }, "\(first), \(second)")
        }
        #expect(identity("id: a, secretFrom: LANDFALL_SERVER_KEY", "secretFrom: LANDFALL_SERVER_KEY").isEmpty)
    }

    @Test(
        "Only variables that begin with LANDFALL_ are read, so a guessable variable is never a signing key",
        arguments: [
            "PATH", "HOME", "LANDFALL_", "landfall_server_key", "XLANDFALL_KEY", "LANDFALL_KEY-2", "LANDFALL_\u{212A}EY",
        ])
    func variables(name: String) {
        let environment = [name: Self.text + Self.text]

        #expect(problems("serverFrom: \(name)", environment: environment).first?.contains("'serverFrom' cannot name") == true)
        #expect(
            Sample.problems(
                adding: "identity: { keys: [{ algorithm: HS256, secretFrom: \(name) }] }\n", environment: environment
            ).first?.contains("'secretFrom' cannot name") == true)
    }

    @Test("A key without the scope of a call is refused with 403, and changes nothing")
    func refused() async throws {
        try await withKeys([.reports, .configuration, .profiles, .access, .erase]) { server in
            for method in [HTTPRequest.Method.post, .get, .delete] {
                let body = method == .post ? #"{"links":[{"to":"example://a","suffix":"a"}]}"# : nil
                let answer = try await server.send(
                    method, "/v1/links?url=https://go.example/a", body, phone: nil, key: Self.text)

                #expect(answer.status == .forbidden)
                #expect(answer.problem?.code == .scopeMissing)
                #expect(answer.problem?.message.contains("'links'") == true)
            }
            #expect(try await server.send(.get, "/v1/links", phone: nil, key: Self.other).status == .unauthorized)
        }
    }

    @Test("A key in two entries has the scopes of both, and an expired one has none")
    func union() throws {
        var configuration = try Sample.configuration()
        configuration.serverKeys = [
            ServerKey(Self.text, scopes: [.links])!, ServerKey(Self.text, scopes: [.reports])!,
            ServerKey(Self.text, scopes: [.erase], expiresAtMs: 10)!,
        ]
        let snapshot = Snapshot(configuration, revision: 1)

        #expect(snapshot.rights(ofServerKey: Self.text, nowMs: 9)?.scopes == [.links, .reports, .erase])
        #expect(snapshot.rights(ofServerKey: Self.text, nowMs: 10)?.scopes == [.links, .reports])
        #expect(snapshot.rights(ofServerKey: Self.other, nowMs: 9)?.scopes == nil)
    }

    private func withKeys(
        _ scopes: Set<ServerKey.Scope>, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        var configuration = Configuration.sample()
        configuration.serverKeys = [ServerKey(Self.text, scopes: scopes)!]
        try await TestServer.run(configuration: configuration, body)
    }
}
