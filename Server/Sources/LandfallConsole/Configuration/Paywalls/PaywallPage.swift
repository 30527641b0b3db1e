// SPDX-License-Identifier: Apache-2.0
package import LandfallRules

/// One paywall: its products, and its remote config by locale.
package struct PaywallPage {
    let frame: Frame
    let version: Int64
    let name: String
    let products: [String]
    /// Nil where the paywall has no remote config.
    let grid: RemoteConfigGrid?
    let json: String
    /// Of the chosen locale.
    let preview: PaywallPreview
    let uses: [ConfigurationUse]
    let yaml: String?
    var forms: ConfigurationForms?

    private var words: Words { frame.words }

    /// - Parameter locale: the one of the preview; an unknown one is ignored.
    package init(_ frame: Frame, _ document: ConfigurationDocument, _ name: String, _ node: ConfigurationNode, locale: String?) {
        (self.frame, version, self.name) = (frame, document.number, name)
        products = node["products"]?.items.compactMap(\.text) ?? []
        grid = RemoteConfigGrid(node, locale: locale)
        let config = grid.flatMap { $0.config(of: $0.chosen) }
        json = config?.readableJSON ?? ""
        preview = PaywallPreview(config, products: products, locale: grid?.chosen.code)
        uses = document.uses(ofPaywall: name)
        yaml = document.text(of: [.key("paywalls"), .key(name)])
    }

    package var html: HTML {
        frame.page(name, .paywalls, note: words.version(version)) {
            frame.draft(forms)
            if let forms { editing(forms) } else { reading }
            looking
            frame.uses(uses, none: words.noUsesOfPaywall)
            frame.yaml(yaml, words.inTheFile)
        }
    }

    @HTMLBuilder private var reading: HTML {
        section(.class("block")) {
            h2 { words.products }
            if products.isEmpty { p(.class("empty")) { words.noProducts } } else {
                ol { for product in products { li { code { product } } } }
            }
        }
        section(.class("block")) {
            h2 { words.remoteConfig }
            if let grid { RemoteConfigTable(frame: frame, grid: grid, forms: nil).html } else { p(.class("empty")) { words.noRemoteConfig } }
        }
    }

    private func editing(_ forms: ConfigurationForms) -> HTML {
        section(.class("block")) {
            h2 { words.edit }
            forms.problems.summary(words)
            frame.editing(Place("/console/paywalls", [name]), forms) {
                if let grid { input(.type("hidden"), .name("locale"), .value(grid.chosen.code)) }
                frame.control("products", words.products, forms) {
                    p(.class("hint")) { words.productsNote }
                    frame.area("products", forms.value("products", products.joined(separator: "\n")), forms)
                }
                if let grid {
                    h3 { words.remoteConfig }
                    RemoteConfigTable(frame: frame, grid: grid, forms: forms).html
                }
                button(.class("primary"), .name("change"), .value("values")) { words.take }
                if forms.draft != nil, let grid, grid.locales.count > 1 {
                    div(.class("toolbar")) {
                        span(.class("quiet")) { words.takeAndOpen }
                        for one in grid.locales where one != grid.chosen {
                            button(.name("change"), .value("open." + one.code)) { words.name(of: one) }
                        }
                    }
                }
                frame.control("newLocale", words.newLocale, forms) {
                    p(.class("hint")) { words.newLocaleHint }
                    frame.box("newLocale", forms.problems.isEmpty ? "" : forms.value("newLocale", ""), forms)
                }
                button(.name("change"), .value("locale")) { words.newLocale }
                if let yaml { frame.yamlField(yaml, forms) }
                button(.class("danger"), .name("change"), .value("delete")) { words.delete(name) }
            }
        }
    }

    /// The preview and the JSON of the chosen locale.
    private var looking: HTML {
        section(.class("block")) {
            h2 { words.preview + (grid.map { " · " + $0.chosen.code } ?? "") }
            // A link would leave the draft behind: its form has buttons for them.
            if let grid, grid.locales.count > 1, forms?.draft == nil {
                nav(.class("choices"), .label(words.locales)) {
                    for one in grid.locales {
                        a(
                            .href(Place("/console/paywalls", [name], query: [("locale", one.code)])),
                            .optional("aria-current", one == grid.chosen ? "true" : nil)
                        ) { words.name(of: one) }
                    }
                }
            }
            preview.html(words)
            if grid != nil {
                details {
                    summary { words.asJSON }
                    Frame.source(json)
                }
            }
        }
    }
}
