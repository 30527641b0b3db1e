// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The products of a paywall, and the values of its remote config in one locale.
extension ConfigurationFormChange {
    package func changedPaywall() throws -> String {
        switch field("change") {
        case "yaml": try written()
        case "delete": try deleted(document.uses(ofPaywall: name))
        case "locale": try addedLocale()
        default: try applied(changedProducts() + changedValues())
        }
    }

    private func changedProducts() throws -> [ConfigurationEdit] {
        guard form["products"] != nil else { return [] }
        let old = node["products"]?.items.compactMap(\.text) ?? []
        let new = lines("products")
        guard new != old else { return [] }
        if !old.isEmpty, new.starts(with: old) {
            return try new.enumerated().dropFirst(old.count).map { .set(try path([.key("products"), .index($0)]), to: .text($1)) }
        }
        let named = Set(new.map { ExactText($0) })
        if !new.isEmpty, old.filter({ named.contains(ExactText($0)) }) == new {
            return try old.indices.filter { !named.contains(ExactText(old[$0])) }.map { .remove(try path([.key("products"), .index($0)])) }
        }
        return [.set(try path([.key("products")]), to: .list(new.map { .text($0) }))]
    }

    /// The new locale begins as a copy of the default one.
    private func addedLocale() throws -> String {
        let locale = field("newLocale"), configs = node["remoteConfig"]?.entries ?? []
        guard !locale.isEmpty else { throw ConfigurationFormRefusal("newLocale", words.needsLocale) }
        guard !configs.contains(where: { $0.key.hasSameBytes(as: locale) }) else {
            throw ConfigurationFormRefusal("newLocale", words.nameTaken(locale))
        }
        let fallback = configs.first { $0.key == node.text("defaultLocale") } ?? configs.first
        var edits: [ConfigurationEdit] = []
        // With a second locale the file must say which one is the default.
        if node["defaultLocale"] == nil {
            edits.append(.set(try path([.key("defaultLocale")]), to: .text(fallback?.key ?? locale)))
        }
        let values = fallback.flatMap { ConfigurationValue($0.value) } ?? .mapping([])
        edits.append(.set(try path([.key("remoteConfig"), .key(locale)]), to: values))
        return try applied(edits)
    }

    private func changedValues() throws -> [ConfigurationEdit] {
        guard let locale = form["locale"], let configs = node["remoteConfig"], let config = configs[locale] else { return [] }
        let fallback = node.text("defaultLocale").flatMap { configs[$0] } ?? configs.entries.first?.value
        var edits: [ConfigurationEdit] = []
        for (index, row) in RemoteConfigTable(config, default: fallback).rows.prefix(PaywallPage.mostFields).enumerated() {
            let field = "value.\(index)"
            guard form[field] != nil, row.leaf.isScalar else { continue }
            let typed = raw(field)
            guard typed != row.said ?? "" else { continue }
            let steps: [ConfigurationEditPath.Step] = [.key("remoteConfig"), .key(locale)] + row.leaf.steps
            edits.append(.set(try path(steps), to: try value(typed, as: row.leaf.node, field)))
        }
        return edits
    }

    /// The field of the form that a problem of the file is about.
    func paywallField(of problem: ConfigurationProblem) -> String? {
        func isIn(_ start: String) -> Bool {
            problem.path == start || problem.path.hasPrefix(start + ".") || problem.path.hasPrefix(start + "[")
        }
        if isIn(ConfigurationPath([section, name, "products"]).description) { return "products" }
        guard let locale = form["locale"], let configs = node["remoteConfig"], let config = configs[locale] else { return nil }
        let fallback = node.text("defaultLocale").flatMap { configs[$0] } ?? configs.entries.first?.value
        let start = ConfigurationPath([section, name, "remoteConfig", locale]).description
        let rows = RemoteConfigTable(config, default: fallback).rows.prefix(PaywallPage.mostFields)
        return rows.enumerated().first { _, row in
            row.leaf.isScalar && isIn(start + (row.leaf.path.hasPrefix("[") ? "" : ".") + row.leaf.path)
        }.map { "value.\($0.offset)" }
    }

    /// A value of the same kind as the old one.
    private func value(_ text: String, as node: ConfigurationNode, _ field: String) throws -> ConfigurationValue {
        func read() -> ConfigurationValue? {
            var source = ConfigurationText()
            guard let node = source.parse(text), source.problems.isEmpty else { return nil }
            return ConfigurationValue(node)
        }
        switch node.value(isJSON: true) {
        case .integer, .number:
            switch read() {
            case .integer(let value)?: return .integer(value)
            case .number(let value)?: return .number(value)
            case .written(let value)?: return .written(value)
            default: throw ConfigurationFormRefusal(field, words.needsKind("number"))
            }
        case .bool:
            guard case .flag(let flag)? = read() else { throw ConfigurationFormRefusal(field, words.needsKind("boolean")) }
            return .flag(flag)
        case .null: return text == "null" ? .null : .text(text)
        default: return .text(text)
        }
    }
}
