// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import NIOEmbedded
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("Links of other systems", .timeLimit(.minutes(1)))
struct LinkImportTests {
    private static let configuration = """
        app: { id: example, bundleId: com.example.app, scheme: example }
        keys: [{ sdk: pk_test }, { serverFrom: LANDFALL_NOT_SET_HERE }]
        domains: { brand: [links.example.com], universal: [example.com] }
        paywalls: { default: { products: [year], defaultLocale: en, remoteConfig: { en: {} } } }
        placements: { onboarding: [{ audience: everyone, paywall: default }] }
        """

    private func withCatalog(_ body: (LinkCatalog) async throws -> Void) async throws {
        let own = try await OwnDatabase()
        let file = own.folder.appending(path: "landfall.yaml").path
        try Self.configuration.write(toFile: file, atomically: true, encoding: .utf8)
        let store = try await HeldStore(database: own.engine, configurationFile: file, channel: EmbeddedChannel())
        try await body(LinkCatalog { try await store.call($0) })
        try await own.close()
    }

    /// 29 columns, as the export has them.
    private func row(_ values: [Int: String]) -> String { (0..<29).map { values[$0] ?? "" }.joined(separator: ",") }

    @Test(
        "An export of Firebase Dynamic Links is imported, with or without a header, except archived links",
        arguments: [true, false])
    func firebase(hasHeader: Bool) async throws {
        let header = row([0: "Short link", 1: "Deep link", 28: "Creation timestamp"])
        let rows = [
            row([
                0: "https://links.example.com/m9Mm", 1: "https://example.com/welcome?a=1", 6: "https://example.com/ios",
                14: "\"Hello, you\"", 19: "spring",
            ]),
            row([0: "https://links.example.com/gone", 1: "https://example.com/old", 26: "true"]),
            row([0: "https://other.page.link/x", 1: "https://example.com/x"]),
        ]
        try await withCatalog { catalog in
            let text = ((hasHeader ? [header] : []) + rows).joined(separator: "\n") + "\n"

            let outcomes = try await catalog.take(over: text, format: .firebase)
            let again = try await catalog.take(over: text, format: .firebase)

            #expect(outcomes.map(\.status) == ["made", "refused"])
            #expect(outcomes[0].url == "https://links.example.com/m9Mm")
            #expect(outcomes.map(\.row) == (hasHeader ? [2, 4] : [1, 3]))
            #expect(again.map(\.status) == ["unchanged", "refused"])
        }
    }

    @Test("Links of an old domain move to another one")
    func otherDomain() async throws {
        try await withCatalog { catalog in
            let text = row([0: "https://other.page.link/x", 1: "https://example.com/x"]) + "\n"

            let outcomes = try await catalog.take(over: text, format: .firebase, domain: "links.example.com")

            #expect(outcomes.map(\.url) == ["https://links.example.com/x"])
        }
    }

    @Test("CSV columns are found by name; a bad row does not affect the others")
    func csv() async throws {
        let text = """
            to,url,campaign
            https://example.com/a,https://links.example.com/electronics/phones/apple,summer
            javascript:alert(1),,
            example://b,,
            """
        try await withCatalog { catalog in
            let outcomes = try await catalog.take(over: text, format: .csv)

            #expect(outcomes.map(\.status) == ["made", "refused", "made"])
            #expect(outcomes[0].url == "https://links.example.com/electronics/phones/apple")
            #expect(outcomes.map(\.row) == [2, 3, 4])
            #expect(outcomes.map(\.line) == [nil, 3, nil])
            #expect(outcomes.map(\.column) == [nil, 1, nil])
        }
    }

    @Test(
        "A file with unknown or repeated columns is refused as a whole",
        arguments: ["where,url\nx,y\n", "url\nhttps://links.example.com/a\n", "to,to\nhttps://example.com/a,x\n",
            "to\n" + String(repeating: "\u{300}", count: 31),
        ])
    func columns(text: String) async throws {
        try await withCatalog { catalog in
            await #expect(throws: LinkRefusal.self) { _ = try await catalog.take(over: text, format: .csv) }
        }
    }
}
