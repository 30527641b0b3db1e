// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("What remote config says to the ready paywall", .timeLimit(.minutes(1)))
struct PaywallContentTests {
    @Test("Every key is read")
    func everything() {
        let content = PaywallContent.read([
            "title": "Everything", "subtitle": "For a year",
            "features": ["Offline", ["title": "Sync", "detail": "On all devices", "symbol": "icloud"]],
            "products": [["id": "monthly", "name": "Month", "detail": "Cancel any time", "badge": "New"]],
            "selectedProduct": "monthly", "footnote": "Taxes included", "showsMonthlyPrice": false, "hasCloseButton": false,
            "links": ["terms": "https://example.com/terms", "privacy": "https://example.com/privacy"],
        ])

        #expect(content.title == "Everything" && content.subtitle == "For a year" && content.footnote == "Taxes included")
        #expect(content.features.map(\.title) == ["Offline", "Sync"] && content.features.map(\.symbol) == ["checkmark", "icloud"])
        #expect(content.features.map(\.detail) == [nil, "On all devices"])
        #expect(content.products.map(\.id) == ["yearly", "monthly"] && content.products.map(\.name) == [nil, "Month"])
        #expect(content.products[1].detail == "Cancel any time" && content.products[1].badge == "New")
        #expect(content.selectedProduct == "monthly" && !content.showsMonthlyPrice && !content.hasCloseButton)
        #expect(content.terms?.absoluteString == "https://example.com/terms" && content.privacy?.path == "/privacy")
        #expect(content.problems.isEmpty)
    }

    @Test("Without remote config, or with keys of the app's own, there are defaults and no problems",
        arguments: [nil, [:], ["trialDays": 7], .null] as [JSONValue?])
    func defaults(config: JSONValue?) {
        let content = PaywallContent.read(config)

        #expect(content.title == nil && content.features.isEmpty && content.terms == nil && content.footnote == nil)
        #expect(content.products.map(\.id) == ["yearly", "monthly"] && content.selectedProduct == nil)
        #expect(content.showsMonthlyPrice && content.hasCloseButton && content.colors == PaywallColors())
        #expect(content.problems.isEmpty)
    }

    @Test(
        "A value of the wrong kind counts as missing, and is named",
        arguments: [
            ([1, 2], ""), (["title": 7], "title"), (["subtitle": ["a"]], "subtitle"), (["features": "one"], "features"),
            (["features": [7]], "features[0]"), (["features": ["a", ["detail": "b"]]], "features[1]"),
            (["features": [["title": 7]]], "features[0].title"), (["products": ["yearly": 1]], "products"), (["products": ["yearly"]], "products[0]"),
            (["products": [["name": "x"]]], "products[0]"), (["products": [["id": "weekly"]]], "products[0].id"),
            (["selectedProduct": "weekly"], "selectedProduct"), (["links": "https://example.com"], "links"),
            (["links": ["terms": "http://example.com"]], "links.terms"), (["links": ["privacy": "example.com"]], "links.privacy"),
            (["links": ["privacy": "https://"]], "links.privacy"), (["showsMonthlyPrice": "no"], "showsMonthlyPrice"),
            (["hasCloseButton": 0], "hasCloseButton"), (["colors": "red"], "colors"), (["colors": ["accent": "red"]], "colors.accent"),
            (["colors": ["accent": ["light": "#000000"]]], "colors.accent.dark"), (["buttons": ["order": "Buy"]], "buttons.order"),
            (["buttons": ["perMonth": "{price}"]], "buttons.perMonth"), (["words": ["buy": "Buy"]], "words.buy"),
            (["words": ["perMonth": "monthly"]], "words.perMonth"), (["words": ["perMonths": "{price} each {n}"]], "words.perMonths"),
            (["words": ["months": ["few": "{count}"]]], "words.months.few"), (["words": ["months": ["1": "one"]]], "words.months.1"),
            (["words": ["freeTrial": "{period} free"]], "words.freeTrial"), (["words": ["day": 1]], "words.day"),
        ] as [(JSONValue, String)])
    func wrong(config: JSONValue, path: String) {
        let content = PaywallContent.read(config)
        let problem = content.problems.first

        #expect(problem?.path == path)
        #expect(problem?.description.hasPrefix(path.isEmpty ? "it is no object" : "'\(path)' ") == true)
        #expect(content.problems.count <= 2)
        #expect(content.products == PaywallContent.read(nil).products && content.terms == nil && content.colors == PaywallColors())
        #expect(ReadyPaywall(content).mainButton == ReadyPaywall(.read(nil)).mainButton)
    }

    @Test("One wrong feature takes nothing from the others")
    func lenient() {
        let content = PaywallContent.read(["features": ["a", 7, "b"], "title": "T", "colors": ["accent": "#12"]])

        #expect(content.features.map(\.title) == ["a", "b"] && content.title == "T")
        #expect(content.paths == ["features[1]", "colors.accent"])
    }

    @Test("An empty text counts as missing")
    func empty() {
        let content = PaywallContent.read(["title": "", "buttons": ["restore": ""]])

        #expect(content.title == nil && content.problems.isEmpty)
        #expect(ReadyPaywall(content).restoreButton?.title == "Restore purchases")
    }

    @Test("Lists have a limit, and what is beyond it is named")
    func limits() {
        let many = PaywallContent(
            ["features": .array(Array(repeating: "a", count: Limits.paywallFeatures + 1))], locale: "en",
            productIDs: (0...Limits.paywallProducts).map { "p\($0)" } + ["p0"])
        let most = PaywallContent.read(["features": .array(Array(repeating: "a", count: Limits.paywallFeatures))])

        #expect(many.features.count == Limits.paywallFeatures && many.products.count == Limits.paywallProducts)
        #expect(many.paths == ["features"])
        #expect(most.problems.isEmpty)
    }

    @Test("A product that the paywall names twice is there once")
    func twice() {
        let content = PaywallContent(nil, locale: "en", productIDs: ["a", "b", "a"])

        #expect(content.products.map(\.id) == ["a", "b"])
    }

    @Test(
        "A language says its direction",
        arguments: [("ar", true), ("he-IL", true), ("fa", true), ("en", false), ("ja", false), ("zh-Hans", false), ("", false), ("§", false)])
    func direction(locale: String, isRightToLeft: Bool) {
        #expect(PaywallContent.read(nil, locale: locale).isRightToLeft == isRightToLeft)
    }
}
