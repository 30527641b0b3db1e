// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

/// A configuration that moves from one folder to another by the commands, as processes.
@Suite("What export writes and apply reads", .timeLimit(.minutes(2)))
struct RoundTripTests {
    private static let yaml = """
        app: { id: example, bundleId: com.example.app }
        keys: [{ sdk: pk_test }]
        paywalls: { default: {} }
        placements: { onboarding: [{ audience: everyone, paywall: default }] }
        domains:
          brand: [links.example.com]
          universal: [example.com]
          old:
            - host: acme.go.link
              until: 2100-06-30
              paths: [/products/*]
        linkPages:
          language: ja
          preview: { title: Example, locales: { ja: { title: 海, description: "海の<すべて>" } } }
          texts:
            ja: { app: 例, web: "ウェブ & {app}" }

        """

    @Test(
        "is the same: link pages and old domains with all their fields, and a change of either is found",
        arguments: [
            ("until: 2100-06-30", "until: 2100-07-01", "domains"), ("[/products/*]", "[/products/*, /shop/*]", "domains"),
            ("host: acme.go.link", "host: acme.onelink.me", "domains"), ("title: 海", "title: 山", "linkPages"),
            ("app: 例", "app: 見本", "linkPages"), ("language: ja", "language: de", "linkPages"),
        ])
    func moved(text: String, other: String, section: String) async throws {
        try await ServingProcess.withFolder { parent in
            let (first, second) = (parent.appending(path: "first").path, parent.appending(path: "second").path)
            func file(_ name: String, _ text: String) throws -> String {
                let file = parent.appending(path: name)
                try Data(text.utf8).write(to: file)
                return file.path
            }
            func run(_ arguments: String...) async throws -> String {
                let done = try await RunningCommand(arguments, environment: ["LANDFALL_LOG_LEVEL": "critical"]).completion()
                #expect(done.status == 0, "\(done.errors)")
                return done.output
            }
            func document(_ arguments: String...) async throws -> JSONValue {
                let done = try await RunningCommand(arguments + ["--json"], environment: ["LANDFALL_LOG_LEVEL": "critical"]).completion()
                #expect(done.status == 0, "\(done.errors)")
                return try JSONDecoder().decode(JSONValue.self, from: Data(done.output.utf8))
            }

            _ = try await run("apply", try file("first.yaml", Self.yaml), "--data", first)
            let exported = try #require(try await document("export", "--data", first)["yaml"]?.string)
            let applied = try await document("apply", try file("exported.yaml", exported), "--data", second)
            let again = try await document("export", "--data", second)["yaml"]?.string
            let same = try await document("diff", try file("same.yaml", Self.yaml), "--data", second)
            let changed = Self.yaml.replacing(text, with: other)
            let differing = try await document("diff", try file("changed.yaml", changed), "--data", second)

            #expect(exported == Self.yaml)
            #expect(applied["version"] == 1)
            #expect(again == Self.yaml)
            #expect(same["changes"] == [])
            #expect(changed != Self.yaml)
            let paths = (differing["changes"]?.array ?? []).compactMap { $0["path"]?.string }
            #expect(!paths.isEmpty)
            #expect(paths.allSatisfy { $0.hasPrefix(section) }, "\(paths)")
        }
    }
}
