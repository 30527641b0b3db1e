// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A paywall as `LandfallPaywallView` draws it, or its texts in a neutral form.
struct PaywallPreview: Hashable, Sendable {
    /// Nil for a paywall that the app draws itself.
    var ready: ReadyPaywallPreview?
    let locale: String?
    let heading: String?
    let lines: [String]
    let products: [String]
    let button: String?

    /// As on a light or a dark screen, in the width of a phone or a tablet: the style sheet reads the choices, without a script.
    func html(_ words: Words) -> HTML {
        figure(.class("preview")) {
            div(.class("looks")) {
                choices("appearance", words.appearance, [("own", words.likeThisPage), ("light", words.light), ("dark", words.dark)])
                choices("width", words.width, [("large", words.largePhone), ("small", words.smallPhone), ("tablet", words.tablet)])
            }
            if let ready {
                div(.class("screen ready"), .optional("lang", locale), Attribute("dir", ready.paywall.isRightToLeft ? "rtl" : "ltr")) {
                    ready.html
                }
                figcaption { words.readyPreviewNote }
                if !ready.unused.isEmpty { p(.class("problem")) { words.unusedByReadyPaywall(ready.unused.joined(separator: ", ")) } }
            } else {
                div(.class("screen"), .optional("lang", locale), Attribute("dir", "auto")) { texts }
                figcaption { words.previewNote }
            }
        }
    }

    private var texts: HTML {
        div {
            if let heading { p { strong { heading } } }
            for line in lines { p { line } }
            if !products.isEmpty { ul { for product in products.prefix(10) { li { product } } } }
            if let button { p(.class("call")) { button } }
        }
    }

    /// The first one is chosen.
    private func choices(_ name: String, _ title: String, _ all: [(value: String, title: String)]) -> HTML {
        fieldset(.class("radios")) {
            legend { title }
            for one in all {
                label(.class("choice")) {
                    input(
                        .type("radio"), Attribute("name", "preview-" + name), .value(one.value), Attribute("autocomplete", "off"),
                        .flag("checked", one.value == all.first?.value))
                    span { one.title }
                }
            }
        }
    }
}
