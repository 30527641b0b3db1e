// SPDX-License-Identifier: Apache-2.0

/// The texts of a paywall in a neutral form.
struct PaywallPreview: Hashable, Sendable {
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
            div(.class("screen"), .optional("lang", locale), Attribute("dir", "auto")) {
                if let heading { p { strong { heading } } }
                for line in lines { p { line } }
                if !products.isEmpty { ul { for product in products.prefix(10) { li { product } } } }
                if let button { p(.class("call")) { button } }
            }
            figcaption { words.previewNote }
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
