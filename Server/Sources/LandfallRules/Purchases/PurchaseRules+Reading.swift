// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    static let mostAccessLevels = 50
    static let mostNamedProducts = 1_000
    /// How ids of the simulated App Store begin. Each orders a life, so that a file cannot list them.
    static let simulatedProducts = "sim."

    /// The sections `accessLevels`, `products` and `purchases`.
    mutating func purchaseRules(_ fields: Fields) -> PurchaseRules {
        var rules = fields["purchases"].map { purchases($0) } ?? PurchaseRules()
        let levels = fields["accessLevels"].map { accessLevels($0) } ?? []
        rules.accessLevels = levels.map(\.level)
        rules.products = fields["products"].map { products($0, levels: Set(levels.map { ExactText($0.level.rawValue) })) } ?? []
        let opened = Set(rules.products.flatMap(\.access))
        for (level, place) in levels where !opened.contains(level) {
            warn(place, "No product opens the access level '\(level.rawValue)'. Name it under 'access' of a product.")
        }
        return rules
    }

    private mutating func accessLevels(_ node: ConfigurationNode) -> [(level: AccessLevel, place: ConfigurationNode.Place)] {
        let names = self.names(node, of: "'accessLevels'", most: Self.mostAccessLevels) { reader, element in
            guard let name = reader.text(element, "An access level") else { return nil }
            return reader.isName(name, at: element.place, of: "An access level") ? name : nil
        }
        return names.map { (AccessLevel(rawValue: $0.text), $0.place) }
    }

    /// The texts of a list, each once.
    private mutating func names(
        _ node: ConfigurationNode, of what: String, most: Int, _ read: (inout ConfigurationReader, ConfigurationNode) -> String?
    ) -> [(text: String, place: ConfigurationNode.Place)] {
        var names: [(text: String, place: ConfigurationNode.Place)] = []
        for element in list(node, of: what, most: most) ?? [] {
            guard let name = read(&self, element) else { continue }
            if names.contains(where: { $0.text.hasSameBytes(as: name) }) {
                note(element.place, "'\(name.shortened)' is here a second time. Keep one of them.")
            } else {
                names.append((name, element.place))
            }
        }
        return names
    }

    private mutating func products(_ node: ConfigurationNode, levels: Set<ExactText>) -> [ProductRule] {
        let entries = entries(node, of: "'products'") ?? []
        if entries.count > Self.mostNamedProducts {
            note(node.place, "'products' has \(entries.count) entries; at most \(Self.mostNamedProducts) fit. Remove some.")
        }
        return entries.prefix(Self.mostNamedProducts).compactMap { product($0, levels: levels) }
    }

    private mutating func product(_ entry: ConfigurationNode.Entry, levels: Set<ExactText>) -> ProductRule? {
        let what = "The product '\(entry.key.shortened)'"
        let isID = isProductID(entry)
        var fields: Fields?
        if !entry.value.isNull {
            fields = self.fields(entry.value, of: what, optional: ["access", "duration"])
            if fields == nil { return nil }
        }
        let access = fields?["access"].map { self.access($0, levels: levels) }
        if access == nil {
            warn(
                entry.keyPlace,
                "\(what) opens no access level. Add 'access'; write 'access: []' if that is meant, as for coins.")
        }
        let duration = fields?["duration"].flatMap { span($0, "'duration'") }
        return isID ? ProductRule(name: ProductRule.Name(entry.key), access: access ?? [], durationMs: duration) : nil
    }

    private mutating func access(_ node: ConfigurationNode, levels: Set<ExactText>) -> [AccessLevel] {
        names(node, of: "'access'", most: Self.mostAccessLevels) { reader, element in
            guard let name = reader.text(element, "An access level") else { return nil }
            let isKnown = reader.isKnown(
                name, "access level", at: element.place, among: levels, whereNone: " List the levels under 'accessLevels'.")
            return isKnown ? name : nil
        }.map { AccessLevel(rawValue: $0.text) }
    }

    private static func isSimulated(_ product: String) -> Bool { product.utf8.starts(with: simulatedProducts.utf8) }

    /// Whether it can be the id of a product, or the beginning of the ids of simulated ones with a star.
    static func isProductID(_ text: String) -> Bool {
        let isSimulated = isSimulated(text)
        let own = isSimulated && text.utf8.last == UInt8(ascii: "*") ? text.dropLast() : text[...]
        return (1...Limits.configurationText).contains(text.utf8.count)
            && own.allSatisfy { $0.isASCIIWord || $0 == "." || $0 == "-" || isSimulated && ($0 == "=" || $0 == "&") }
    }

    private mutating func isProductID(_ entry: ConfigurationNode.Entry) -> Bool {
        guard Self.isProductID(entry.key) else {
            note(
                entry.keyPlace,
                "A product cannot be called '\(entry.key.shortened)'. Write its product id of the App Store; only '\(Self.simulatedProducts)*' may end with '*'.")
            return false
        }
        if Self.isSimulated(entry.key) {
            warn(
                entry.keyPlace,
                "Products of '\(Self.simulatedProducts)' are those of the simulated App Store: they count only on a server that has its root (--app-store-root).")
        }
        return true
    }

    private mutating func span(_ node: ConfigurationNode, _ what: String) -> Int64? {
        guard let text = text(node, what) else { return nil }
        if let span = TimeSpan(text) { return span.milliseconds }
        note(node.place, "\(what) cannot be '\(text.shortened)'. Write a length of time, such as 30d or 52w.")
        return nil
    }

    private mutating func purchases(_ node: ConfigurationNode) -> PurchaseRules {
        var rules = PurchaseRules()
        let fields = fields(
            node, of: "'purchases'",
            optional: ["sandbox", "owner", "graceDays", "currency", "rates", "tax", "commission", "api", "notify"])
        guard let fields else { return rules }
        rules.sandbox = choice(fields["sandbox"], "'sandbox'", as: SandboxRule.self) ?? .grant
        rules.owner = choice(fields["owner"], "'owner'", as: OwnerRule.self) ?? .transfer
        rules.graceDays = dayCount(fields["graceDays"], "'graceDays'", in: PurchaseRules.graceDays) ?? PurchaseRules.usualGraceDays
        rules.money = money(fields)
        rules.api = fields["api"].flatMap { appStoreKey($0) }
        rules.notify = fields["notify"].flatMap { receiver($0) }
        return rules
    }
}
