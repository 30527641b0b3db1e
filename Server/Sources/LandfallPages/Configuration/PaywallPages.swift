// SPDX-License-Identifier: Apache-2.0

/// Every paywall.
package struct PaywallsPage {
    package struct Paywall: Hashable, Sendable {
        package let name: String
        package let products: [String]
        package let locales: [String]
        package let uses: Int

        package init(name: String, products: [String], locales: [String], uses: Int) {
            self.name = name
            self.products = products
            self.locales = locales
            self.uses = uses
        }
    }

    package let frame: Frame
    package let version: Int64?
    package let paywalls: [Paywall]
    package let filter: NameFilter

    package init(frame: Frame, version: Int64?, paywalls: [Paywall], filter: NameFilter) {
        self.frame = frame
        self.version = version
        self.paywalls = paywalls
        self.filter = filter
    }

    private var words: Words { frame.words }

    package var html: HTML {
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
    package struct Locale: Hashable, Sendable {
        package let code: String
        /// How many values of the default locale it lacks.
        package let missing: Int

        package init(code: String, missing: Int) {
            self.code = code
            self.missing = missing
        }
    }

    package struct Row: Hashable, Sendable {
        package let path: String
        /// Nil where the locale lacks it.
        package let value: String?
        /// Of the default locale.
        package let fallback: String
        /// False for a list or an object without anything in it.
        package let isScalar: Bool

        package init(path: String, value: String?, fallback: String, isScalar: Bool) {
            self.path = path
            self.value = value
            self.fallback = fallback
            self.isScalar = isScalar
        }
    }

    package let frame: Frame
    package let version: Int64
    package let name: String
    package let products: [String]
    package let locales: [Locale]
    package let defaultLocale: String?
    /// The one that is shown; nil where the paywall has no remote config.
    package let locale: String?
    package let rows: [Row]
    /// How many values are in the text only.
    package let unlisted: Int
    package let json: String
    package let preview: PaywallPreview
    package let uses: [ConfigurationUse]
    package let yaml: String?
    package var forms: ConfigurationForms?

    /// A form has no more values; the text has the others.
    package static let mostFields = 120

    package init(
        frame: Frame, version: Int64, name: String, products: [String], locales: [Locale], defaultLocale: String?, locale: String?,
        rows: [Row], unlisted: Int, json: String, preview: PaywallPreview, uses: [ConfigurationUse], yaml: String?
    ) {
        self.frame = frame
        self.version = version
        self.name = name
        self.products = products
        self.locales = locales
        self.defaultLocale = defaultLocale
        self.locale = locale
        self.rows = rows
        self.unlisted = unlisted
        self.json = json
        self.preview = preview
        self.uses = uses
        self.yaml = yaml
    }

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
