// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("The preview of a paywall", .timeLimit(.minutes(1)))
struct PaywallPreviewTests {
    private let preview = PaywallPreview(locale: "ja", heading: "<b>", lines: ["A"], products: ["year"], button: "Go")

    @Test("It is like the page and as wide as a large phone until something else is chosen, in every language", arguments: Language.allCases)
    func choices(language: Language) {
        let markup = preview.html(Words(language)).markup

        #expect(markup.ranges(of: "type=\"radio\"").count == 6 && markup.ranges(of: " checked").count == 2)
        #expect(markup.contains("value=\"own\" autocomplete=\"off\" checked") && markup.contains("value=\"large\" autocomplete=\"off\" checked"))
        #expect(markup.ranges(of: "<legend>").count == 2 && !markup.contains("<b>"))
    }

    @Test("The style sheet has every choice that changes something, with the colours of the console", arguments: ["light", "dark"])
    func styles(appearance: String) throws {
        let style = String(decoding: EmbeddedFile.style, as: UTF8.self)
        let rule = try #require(style.firstRange(of: ".preview:has([value=\(appearance)]:checked) .screen {"))
        let body = style[rule.upperBound...].prefix { $0 != "}" }
        let root = try #require(style.ranges(of: ":root {").dropFirst(appearance == "dark" ? 1 : 0).first)
        let palette = style[root.upperBound...].prefix { $0 != "}" }

        for name in ["surface", "text", "edge", "accent", "on-accent"] {
            let set = try #require(body.firstRange(of: "--\(name): "))
            #expect(palette.contains(" --\(name): " + body[set.upperBound...].prefix { $0 != ";" } + ";"))
        }
        #expect(style.contains(".preview:has([value=small]:checked)") && style.contains(".preview:has([value=tablet]:checked)"))
    }
}
