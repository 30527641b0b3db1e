// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallConsole

@Suite("The preview of the ready paywall", .timeLimit(.minutes(1)))
struct ReadyPaywallPreviewTests {
    private func preview(_ config: JSONValue, _ products: [String] = ["app.yearly", "app.monthly"], locale: String = "en") -> ReadyPaywallPreview? {
        ReadyPaywallPreview(config, products: products, locale: locale)
    }

    @Test(
        "A remote config without a key of its own is drawn by the app, and has none",
        arguments: [["title": "A", "subtitle": "B", "features": ["C"], "lines": ["D"]], [:], "text"] as [JSONValue])
    func none(config: JSONValue) {
        #expect(preview(config) == nil)
    }

    @Test("It has the phone's texts: products with price lines, the chosen one, the button, restore and links")
    func drawn() throws {
        let config: JSONValue = [
            "title": "<b>", "features": ["Offline", ["title": "Sync", "detail": "Everywhere"]], "products": [["id": "app.yearly", "badge": "Best value"]],
            "selectedProduct": "app.monthly", "links": ["terms": "https://example.com/terms"], "buttons": ["buy": "Go"],
        ]
        let markup = try #require(preview(config)).html.markup

        for text in ["&lt;b&gt;", "Offline", "Everywhere", "Best value", "$60.00 per year", "$5.00 per month", "$10.00 per month", "Go", "Restore purchases", "Terms of use"] {
            #expect(markup.contains(">\(text)<"), "\(text)")
        }
        #expect(!markup.contains("<b>") && markup.ranges(of: "product chosen").count == 1)
        #expect(markup.contains("product chosen\"><span class=\"name\">app.monthly"))
    }

    @Test("Values that it does not use are named below it, in every language", arguments: Language.allCases)
    func unused(language: Language) throws {
        let ready = try #require(preview(["colors": ["accent": "red"], "title": 7]))
        let markup = PaywallPreview(ready: ready, locale: "en", heading: nil, lines: [], products: [], button: nil).html(Words(language)).markup

        #expect(ready.unused == ["title", "colors.accent"])
        #expect(markup.contains("title, colors.accent") && markup.contains("class=\"problem\""))
    }

    @Test("A language from right to left is drawn so")
    func direction() throws {
        func markup(_ locale: String) throws -> String {
            let ready = try #require(preview(["words": [:]], locale: locale))
            return PaywallPreview(ready: ready, locale: locale, heading: nil, lines: [], products: [], button: nil).html(Words(.english)).markup
        }

        #expect(try markup("he").contains("lang=\"he\" dir=\"rtl\"") && markup("ja").contains("lang=\"ja\" dir=\"ltr\""))
    }
}
