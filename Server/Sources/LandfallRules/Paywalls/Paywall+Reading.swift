// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// In bytes: one paywall in one locale as JSON. A line of the first-open stream may have 256 KiB; the rest is for the other fields.
    static let largestPaywall = 240 * 1024
    private static let mostProducts = 100
    private static let mostLocales = 200

    mutating func paywalls(_ node: ConfigurationNode) -> Named<Paywall> {
        var paywalls = Named<Paywall>()
        for entry in entries(node, of: "'paywalls'") ?? [] {
            let isName = isName(entry.key, at: entry.keyPlace, of: "A paywall")
            let paywall = paywall(entry)
            paywalls.add(entry.key, isName ? paywall : nil)
        }
        return paywalls
    }

    private mutating func paywall(_ entry: ConfigurationNode.Entry) -> Paywall? {
        let what = "The paywall '\(entry.key.shortened)'"
        guard let fields = fields(entry.value, of: what, optional: ["products", "defaultLocale", "remoteConfig", "schema"]) else {
            return nil
        }
        let products = fields["products"].map { self.products($0) } ?? []
        let schema = fields["schema"].flatMap { remoteConfigSchema($0) }
        let configs = fields["remoteConfig"].map { remoteConfig($0, schema) } ?? []
        let defaultLocale = defaultLocale(fields, among: configs)
        for config in configs {
            let one = Paywall(
                id: PaywallID(entry.key), productIDs: products, defaultLocale: config.locale,
                remoteConfig: [config.locale: config.value]
            )
            if let size = try? WireCoding.encode(one.rendered(for: nil)).count, size > Self.largestPaywall {
                note(
                    config.place,
                    "\(what) has \(size / 1024) KiB in this locale; at most \(Self.largestPaywall / 1024) KiB fit. Shorten its remote config."
                )
            }
        }
        return Paywall(
            id: PaywallID(entry.key), productIDs: products, defaultLocale: defaultLocale,
            remoteConfig: Dictionary(configs.map { ($0.locale, $0.value) }) { first, _ in first }
        )
    }

    private mutating func products(_ node: ConfigurationNode) -> [String] {
        var products: [String] = []
        for element in list(node, of: "'products'", most: Self.mostProducts) ?? [] {
            guard let product = text(element, "A product id") else { continue }
            if products.contains(product) {
                note(element.place, "The product '\(product.shortened)' is here a second time. Keep one of them.")
            } else {
                products.append(product)
            }
        }
        return products
    }

    private typealias LocalConfig = (locale: LocaleCode, value: JSONValue, place: ConfigurationNode.Place)

    private mutating func remoteConfig(_ node: ConfigurationNode, _ schema: RemoteConfigSchema?) -> [LocalConfig] {
        var configs: [LocalConfig] = []
        let entries = entries(node, of: "'remoteConfig'") ?? []
        guard entries.count <= Self.mostLocales else {
            note(node.place, "'remoteConfig' has \(entries.count) locales; at most \(Self.mostLocales) fit. Remove some.")
            return []
        }
        for entry in entries {
            guard let locale = LocaleCode(rawValue: entry.key) else {
                note(
                    entry.keyPlace,
                    "'\(entry.key.shortened)' is not a locale. Write each remote config below its locale, such as en or pt-BR.")
                continue
            }
            if let first = configs.first(where: { $0.locale == locale }) {
                note(
                    entry.keyPlace,
                    "The locale '\(locale)' is here a second time; the first is in line \(first.place.line). Keep one of them.")
                continue
            }
            let noted = problems.count
            guard let value = json(entry.value) else { continue }
            if let schema, problems.count == noted { check(entry.value, of: locale, by: schema) }
            configs.append((locale, value, entry.keyPlace))
        }
        return configs
    }

    private mutating func defaultLocale(_ fields: Fields, among configs: [LocalConfig]) -> LocaleCode? {
        guard let node = fields["defaultLocale"] else {
            if configs.count > 1, let first = configs.first {
                note(
                    first.place,
                    "A remote config in several locales needs a default one. Add 'defaultLocale: \(first.locale)' beside 'remoteConfig'."
                )
            }
            return configs.first?.locale
        }
        guard let text = text(node, "'defaultLocale'") else { return nil }
        let locale = LocaleCode(rawValue: text)
        guard let locale, configs.contains(where: { $0.locale == locale }) else {
            let sentence = Suggestion.sentence(for: text, among: configs.map(\.locale.rawValue))
            note(node.place, "'defaultLocale' is not one of the locales in 'remoteConfig'.\(sentence)")
            return nil
        }
        return locale
    }
}
