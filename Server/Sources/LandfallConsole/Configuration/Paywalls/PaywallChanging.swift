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
        default: try changedFields()
        }
    }

    private func changedFields() throws -> String {
        do {
            return try applied(changedProducts() + changedValues())
        } catch ConfigurationEditRefusal.absent(let place) {
            // A list has no gaps.
            guard let cell = try cells.first(where: { try path($0.steps) == place }) else { throw ConfigurationEditRefusal.absent(place) }
            throw ConfigurationFormRefusal(cell.field, words.needsEarlier)
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
        try cells.compactMap { cell in
            guard form[cell.field] != nil else { return nil }
            let typed = raw(cell.field)
            // Browsers send every line break as the same one.
            guard typed != EditedText.withLineFeeds(cell.said) else { return nil }
            return .set(try path(cell.steps), to: try cell.kind.value(typed, cell.field, words))
        }
    }

    /// A field of the form's table, with what it begins with.
    private struct Cell {
        let field: String
        let steps: [ConfigurationEditPath.Step]
        /// As problems of the file name it.
        let place: String
        let kind: RemoteConfigKind
        let said: String
    }

    private var cells: [Cell] {
        guard let grid = RemoteConfigGrid(node, locale: form["locale"]) else { return [] }
        return grid.rows.enumerated().flatMap { index, row in
            row.cells.enumerated().compactMap { column, cell in
                guard let said = cell.said, row.kind(column) != .structure else { return nil }
                let locale = grid.columns[column].code, start = ConfigurationPath([section, name, "remoteConfig", locale]).description
                return Cell(
                    field: "value.\(index).\(column)", steps: [.key("remoteConfig"), .key(locale)] + row.steps,
                    place: start + (row.path.hasPrefix("[") ? "" : ".") + row.path, kind: row.kind(column), said: said)
            }
        }
    }

    /// The field of the form that a problem of the file is about.
    func paywallField(of problem: ConfigurationProblem) -> String? {
        func isIn(_ start: String) -> Bool {
            problem.path == start || problem.path.hasPrefix(start + ".") || problem.path.hasPrefix(start + "[")
        }
        if isIn(ConfigurationPath([section, name, "products"]).description) { return "products" }
        return cells.first { isIn($0.place) }?.field
    }
}
