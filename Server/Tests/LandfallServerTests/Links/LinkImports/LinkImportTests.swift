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

            let outcomes = try await catalog.take(try LinkImport(text, .firebase))
            let again = try await catalog.take(try LinkImport(text, .firebase))

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

            let outcomes = try await catalog.take(try LinkImport(text, .firebase), domain: "links.example.com")

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
            let outcomes = try await catalog.take(try LinkImport(text, .csv))

            #expect(outcomes.map(\.status) == ["made", "refused", "made"])
            #expect(outcomes[0].url == "https://links.example.com/electronics/phones/apple")
            #expect(outcomes.map(\.row) == [2, 3, 4])
            #expect(outcomes.map(\.line) == [nil, 3, nil])
            #expect(outcomes.map(\.column) == [nil, 1, nil])
        }
    }

    @Test(
        "A file without the column 'to', or with two columns of one meaning, is refused as a whole",
        arguments: [
            "where,url\nx,y\n", "url\nhttps://links.example.com/a\n", "to,to\nhttps://example.com/a,x\n", "to;Deep Link\nhttps://example.com/a;x\n",
            "to\n" + String(repeating: "\u{300}", count: 31), "to\na\u{0}",
        ])
    func columns(text: String) { #expect(throws: LinkRefusal.self) { try LinkImport(text, .csv) } }

    @Test("Columns have the names of other systems, in any spelling; what no link has is named with its likely meaning")
    func synonyms() throws {
        let text = "Short Link;Destination URL;utm_campaign;UTM Source;Expiry date;Owner;campain;;clicks\n"
            + "https://links.example.com/a;https://example.com/a;spring;mail;31.12.2026;Maya;x;;7\n"

        let table = try LinkImport(text, .csv)

        let link = try #require(table.rows.first).newLink.get()
        #expect(link.domain == "links.example.com" && link.suffix == "/a" && link.to == "https://example.com/a")
        #expect(link.campaign == "spring" && link.channel == "mail" && link.expiresAtMilliseconds == 1_798_675_200_000)
        #expect(table.remarks == ["The column 'Owner' is not imported.", "The column 'campain' is not imported. Did you mean 'campaign'?"])
    }

    @Test("Flags are words of several languages; another word is refused at its place")
    func flags() throws {
        let rows = try LinkImport("to,code\na:b,WAHR\na:b,no\na:b,\na:b,maybe\n", .csv).rows

        #expect(rows.map { try? $0.newLink.get().code } == [true, false, nil, nil])
        #expect(throws: LinkRefusal.self) { try rows[3].newLink.get() }
        #expect(rows[3].place(of: "code") == CSVTable.Place(line: 5, column: 5))
    }

    @Test("What an export of Firebase has and no link gets is named: archived links, iPad fallbacks, affiliate tokens")
    func firebaseRemarks() throws {
        let link = [0: "https://links.example.com/a", 1: "https://example.com/a", 27: "Newsletter"]
        let rows = [
            row(link.merging([6: "https://example.com/ios", 8: "https://example.com/ipad", 22: "1000l"]) { $1 }),
            row(link.merging([0: "https://links.example.com/b", 6: "https://example.com/ios", 8: "https://example.com/ios"]) { $1 }),
            row(link.merging([0: "https://links.example.com/c", 26: "TRUE"]) { $1 }),
        ]

        let table = try LinkImport(rows.joined(separator: "\n"), .firebase)

        #expect(try table.rows.map { try $0.newLink.get().label } == ["Newsletter", "Newsletter"])
        #expect(
            table.remarks == [
                "Line 1: the iPad fallback 'https://example.com/ipad' is not imported: a link has no way of its own for iPads.",
                "Line 1: the affiliate token '1000l' (at) is not imported.",
                "Line 3: 'https://links.example.com/c' is archived, and is not imported.",
            ])
    }

    @Test("Many remarks are counted after the first fifty")
    func manyRemarks() throws {
        let text = (0..<60).map { row([0: "https://links.example.com/\($0)", 26: "true"]) }.joined(separator: "\n")

        let table = try LinkImport(text, .firebase)

        #expect(table.rows.isEmpty && table.remarks.count == 51 && table.remarks.last == "10 more remarks are left out.")
    }
}
