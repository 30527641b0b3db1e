// SPDX-License-Identifier: Apache-2.0

/// Every paywall.
struct PaywallsPage {
    struct Paywall: Hashable, Sendable {
        let name: String
        let products: [String]
        let locales: [String]
        let uses: Int
    }

    let frame: Frame
    let version: Int64?
    let paywalls: [Paywall]
    let filter: NameFilter

    private var words: Words { frame.words }

    var html: HTML {
        frame.listing(
            words.paywalls, .paywalls, at: "/console/paywalls", version: version, filter, isEmpty: paywalls.isEmpty, none: words.noPaywalls,
            new: .paywall
        ) {
            scrollingTable(words.paywalls, titles: [words.paywall, words.products, words.locales], numbers: [words.used]) {
                for paywall in paywalls {
                    tr {
                        th(Attribute("scope", "row")) { a(.href(Place("/console/paywalls", [paywall.name]))) { paywall.name } }
                        td { few(paywall.products) }
                        td { few(paywall.locales) }
                        td(.class("number")) { words.language.count(Int64(paywall.uses)) }
                    }
                }
            }
        }
    }

    private func few(_ names: [String]) -> String {
        names.isEmpty ? "–" : names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", " + words.andMore(names.count - 6) : "")
    }
}

/// One paywall: its products, and its remote config by locale.
package struct PaywallPage {
    struct Locale: Hashable, Sendable {
        let code: String
        /// How many values of the default locale it lacks.
        let missing: Int
    }

    struct Row: Hashable, Sendable {
        let path: String
        /// Nil where the locale lacks it.
        let value: String?
        /// Of the default locale.
        let fallback: String
        /// False for a list or an object without anything in it.
        let isScalar: Bool
    }

    let frame: Frame
    let version: Int64
    let name: String
    let products: [String]
    let locales: [Locale]
    let defaultLocale: String?
    /// The one that is shown; nil where the paywall has no remote config.
    let locale: String?
    let rows: [Row]
    /// How many values are in the text only.
    let unlisted: Int
    let json: String
    let preview: PaywallPreview
    let uses: [ConfigurationUse]
    let yaml: String?
    var forms: ConfigurationForms?

    /// A form has no more values; the text has the others.
    static let mostFields = 120

    private var words: Words { frame.words }

    package var html: HTML {
        frame.page(name, .paywalls, note: words.version(version)) {
            frame.draft(forms)
            section(.class("block")) {
                h2 { words.products }
                if products.isEmpty { p(.class("empty")) { words.noProducts } } else {
                    ol { for product in products { li { code { product } } } }
                }
            }
            section(.class("block")) {
                h2 { words.remoteConfig }
                if let locale { config(locale) } else { p(.class("empty")) { words.noRemoteConfig } }
            }
            section(.class("block")) {
                h2 { words.preview }
                preview.html(words)
            }
            frame.uses(uses, none: words.noUsesOfPaywall)
            if let forms { change(forms) }
            frame.yaml(yaml, words.inTheFile)
        }
    }

    private func change(_ forms: ConfigurationForms) -> HTML {
        section(.class("block")) {
            h2 { words.edit }
            forms.problems.summary(words)
            frame.editing(Place("/console/paywalls", [name]), forms) {
                if let locale { input(.type("hidden"), .name("locale"), .value(locale)) }
                frame.control("products", words.products, forms) {
                    p(.class("hint")) { words.productsNote }
                    frame.area("products", forms.value("products", products.joined(separator: "\n")), forms)
                }
                if let locale, !rows.isEmpty {
                    h3 { words.remoteConfig + " · " + locale }
                    for (index, row) in rows.prefix(Self.mostFields).enumerated() where row.isScalar { field(index, row, forms) }
                }
                button(.class("primary"), .name("change"), .value("values")) { words.take }
                if forms.draft != nil, locales.count > 1 {
                    div(.class("toolbar")) {
                        span(.class("quiet")) { words.takeAndOpen }
                        for one in locales where one.code != locale {
                            button(.name("change"), .value("open." + one.code)) { name(of: one) }
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

    private func field(_ index: Int, _ row: Row, _ forms: ConfigurationForms) -> HTML {
        let name = "value.\(index)", value = forms.value(name, row.value ?? "")
        let isLong = (row.value ?? row.fallback).utf8.contains(UInt8(ascii: "\n"))
        return frame.control(name, row.path, forms) {
            if row.value == nil { p(.class("hint")) { words.missingHint(row.fallback) } }
            if isLong { frame.area(name, value, forms) } else { frame.box(name, value, forms) }
        }
    }

    private func name(of locale: Locale) -> String {
        locale.code + (locale.code == defaultLocale ? words.isDefault : "") + (locale.missing > 0 ? words.lacks(locale.missing) : "")
    }

    private func config(_ locale: String) -> HTML {
        div {
            // A link would leave the draft behind: its form has buttons for them.
            if locales.count > 1, forms?.draft == nil {
                nav(.class("choices"), .label(words.locales)) {
                    for one in locales {
                        a(
                            .href(Place("/console/paywalls", [name], query: [("locale", one.code)])),
                            .optional("aria-current", one.code == locale ? "true" : nil)
                        ) { name(of: one) }
                    }
                }
            }
            if let missing = locales.first(where: { $0.code == locale })?.missing, missing > 0 {
                p(.class("problem")) { words.missingValues(missing, of: defaultLocale ?? "") }
            }
            scrollingTable(words.remoteConfig, titles: [words.path, words.value]) {
                for row in rows {
                    tr {
                        th(Attribute("scope", "row")) { code { row.path } }
                        td { if let value = row.value { value } else { span(.class("problem")) { words.missing } } }
                    }
                }
            }
            if unlisted > 0 { p(.class("note")) { words.andMore(unlisted) } }
            details {
                summary { words.asJSON }
                Frame.source(json)
            }
        }
    }
}
