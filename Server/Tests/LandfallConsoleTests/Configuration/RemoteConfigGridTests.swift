// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallConsole

@Suite("The locales of a remote config beside each other", .timeLimit(.minutes(1)))
struct RemoteConfigGridTests {
    private static func grid(_ yaml: String, locale: String? = nil) throws -> RemoteConfigGrid {
        try #require(RemoteConfigGrid(try node(yaml), locale: locale))
    }

    private static func node(_ yaml: String) throws -> ConfigurationNode {
        let document = try #require(ConfigurationDocument(number: 1, text: "paywalls:\n  p: " + yaml))
        return try #require(document.entry("paywalls", "p"))
    }

    private static func said(_ cell: RemoteConfigGrid.Cell) -> String {
        switch cell {
        case .value(let node): node.leafText
        case .missing: "missing"
        case .absent: "absent"
        case .other(let text): "other " + text
        }
    }

    @Test("have the rows of the default one and then their own; what a locale lacks is missing, and another form is not")
    func cells() throws {
        let german = "{ title: Los, more: { a: 1 }, text: [x] }", english = "{ title: Go, list: [A], text: B, more: C }"
        let grid = try Self.grid("{ defaultLocale: en, remoteConfig: { de: \(german), en: \(english), ja: {} } }")

        #expect(grid.columns.map(\.code) == ["en", "de", "ja"] && grid.columns.map(\.isDefault) == [true, false, false])
        #expect(grid.locales.map(\.code) == ["de", "en", "ja"] && grid.locales.map(\.missing) == [1, 0, 4])
        #expect(grid.chosen.code == "en" && grid.unlisted == 0)
        #expect(grid.rows.map(\.path) == ["title", "list[0]", "text", "more", "more.a", "text[0]"])
        #expect(
            grid.rows.map { $0.cells.map(Self.said) } == [
                ["Go", "Los", "missing"], ["A", "missing", "missing"], ["B", "other …", "missing"], ["C", "other …", "missing"],
                ["other –", "1", "absent"], ["other –", "x", "absent"],
            ])
    }

    @Test("fit into a form: the chosen locale is always among them, and alone where there are very many values")
    func limits() throws {
        func grid(values: Int, locales: Int, _ locale: String?) throws -> RemoteConfigGrid {
            let config = (0..<values).map { "v\($0): \($0)" }.joined(separator: ", ")
            let all = (0..<locales).map { "l\($0): { \(config) }" }.joined(separator: ", ")
            return try Self.grid("{ defaultLocale: l0, remoteConfig: { \(all) } }", locale: locale)
        }
        let few = try grid(values: 10, locales: 40, "l30"), half = try grid(values: 70, locales: 3, "l2")
        let many = try grid(values: 200, locales: 3, "l1"), unknown = try grid(values: 200, locales: 3, "xx")

        #expect(few.columns.count == 15 && few.columns.map(\.code).contains("l30") && few.columns.first?.code == "l0")
        #expect(half.columns.map(\.code) == ["l0", "l2"] && half.rows.count == 70 && half.unlisted == 0)
        #expect(many.columns.map(\.code) == ["l1"] && many.rows.count == RemoteConfigGrid.mostRows && many.unlisted == 80)
        #expect(many.rows[7].original == "l0: 7" && half.rows[7].original == nil && unknown.rows[7].original == nil)
        #expect(unknown.columns.map(\.code) == ["l0"])
        for grid in [few, half, many] { #expect(grid.rows.count * grid.columns.count <= RemoteConfigGrid.mostCells) }
    }

    @Test("are none without a remote config, and empty where the default one is")
    func empty() throws {
        #expect(RemoteConfigGrid(try Self.node("{ products: [a] }"), locale: nil) == nil)
        let grid = try Self.grid("{ remoteConfig: { en: {} } }")
        #expect(grid.rows.isEmpty && grid.unlisted == 0 && grid.locales[0].missing == 0)
    }

    @Test(
        "know the kinds of values",
        arguments: [
            ("Go", .text), ("\"7\"", .text), ("7", .number), ("1.5", .number), ("true", .flag), ("\"#0B6B5B\"", .color), ("\"#abc\"", .color),
            ("\"#0B6B5B80\"", .color), ("\"#12345\"", .text), ("\"#xyz\"", .text), ("\"https://example.com/a.png\"", .address),
            ("\"http://example.com\"", .text), ("\"https://example.com a\"", .text), ("null", .text), ("[]", .structure), ("{ a: 1 }", .structure),
        ] as [(String, RemoteConfigKind)])
    func kinds(yaml: String, kind: RemoteConfigKind) throws {
        let node = try #require(try Self.node("{ remoteConfig: { en: { v: \(yaml) } } }")["remoteConfig"]?["en"]?["v"])

        #expect(RemoteConfigKind(node) == kind)
    }

    @Test(
        "give the browser's picker a colour that it knows",
        arguments: [("#abc", "#aabbcc"), ("#abcd", "#aabbcc"), ("#0B6B5B", "#0B6B5B"), ("#0B6B5B80", "#0B6B5B")])
    func opaque(written: String, opaque: String) {
        #expect(RemoteConfigKind.opaque(written) == opaque)
    }

    @Test("are named beside each field in every language, and nothing in them becomes markup", arguments: Language.allCases)
    func table(language: Language) throws {
        let grid = try Self.grid("{ defaultLocale: en, remoteConfig: { en: { \"<i>\": \"<b>\", c: \"#fff\" }, de: { n: 1 } } }")
        let frame = Frame.sample(.owner, language)
        let form = RemoteConfigTable(frame: frame, grid: grid, forms: ConfigurationForms(base: 1)).html.markup
        let text = RemoteConfigTable(frame: frame, grid: grid, forms: nil).html.markup

        #expect(form.contains(" for=\"value.0.0\"") && form.contains(">&lt;i&gt; · en</label>") && form.contains("data-picks=\"value.1.0\" hidden"))
        #expect(form.ranges(of: "<input").count == 8 && !text.contains("<input"))
        #expect(![form, text].contains { $0.contains("<i>") || $0.contains("<b>") || $0.contains("style=") })
    }
}
