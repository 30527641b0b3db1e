// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The page about keys", .timeLimit(.minutes(1)))
struct KeysPageTests {
    @Test("Each kind has its own table; a configuration without server keys says so", arguments: Language.allCases)
    func tables(language: Language) {
        let sdk = KeyEntry(name: "pk_d… (7)", kind: .sdk(environment: "production"), endsAtMs: nil, isActive: true, lastUsedMs: nil)
        let server = KeyEntry(
            name: "<KEY>", kind: .server(scopes: ["links", "reports"]), endsAtMs: 1_795_300_000_000, isActive: false,
            lastUsedMs: 1_795_200_000_000)
        let frame = Frame.sample(.owner, language)

        let one = KeysPage(frame: frame, version: 7, keys: [sdk]).html.markup
        let both = KeysPage(frame: frame, version: 7, keys: [sdk, server]).html.markup

        #expect(one.contains(Words(language).noServerKeys) && one.ranges(of: "<table ").count == 1)
        #expect(both.ranges(of: "<table ").count == 2 && both.contains("links, reports"))
        #expect(both.contains("2026-11-21 22:26") && both.contains(Words(language).keyEnded) && !both.contains("<KEY>"))
    }
}
