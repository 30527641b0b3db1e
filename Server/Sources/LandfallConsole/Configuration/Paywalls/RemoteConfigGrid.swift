// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The remote config of a paywall as a table: its values down, its locales across. A page and the form that it sends make the same one.
struct RemoteConfigGrid: Sendable {
    /// Further values are in the text of the file only.
    static let mostRows = 120
    /// So many fit into a form, beside its other fields.
    static let mostCells = 150

    struct Locale: Hashable, Sendable {
        let code: String
        let isDefault: Bool
        /// How many values of the default locale it lacks.
        let missing: Int
    }

    enum Cell: Sendable {
        case value(ConfigurationNode)
        /// The default locale has a value there.
        case missing
        /// Only another locale has a value there.
        case absent
        /// Another form than the row: only the text of the file changes it.
        case other(String)

        /// What a form begins with; nil where it has no field.
        var said: String? {
            switch self {
            case .value(let node): node.leafText
            case .missing, .absent: ""
            case .other: nil
            }
        }
    }

    struct Row: Sendable {
        let steps: [ConfigurationEditPath.Step]
        /// As the page names it: `texts[0].title`.
        let path: String
        let kind: RemoteConfigKind
        /// The value of the default locale, with its name, where that one is no column.
        let original: String?
        /// One for each column.
        let cells: [Cell]

        /// A value of its own may be of another kind than those of the other locales.
        func kind(_ column: Int) -> RemoteConfigKind {
            if case .value(let node) = cells[column] { RemoteConfigKind(node) } else { kind }
        }
    }

    /// Every locale of the paywall.
    let locales: [Locale]
    /// Those of the table: the default one, the chosen one and as many others as fit. With very many values it is the chosen one alone.
    let columns: [Locale]
    let rows: [Row]
    let chosen: Locale
    /// How many values are in the text only.
    let unlisted: Int
    private let configs: [ConfigurationNode]

    /// The values of a locale.
    func config(of locale: Locale) -> ConfigurationNode? { locales.firstIndex(of: locale).map { configs[$0] } }

    /// Nil for a paywall without remote config.
    /// - Parameter wanted: an unknown locale is ignored.
    init?(_ paywall: ConfigurationNode, locale wanted: String?) {
        let entries = paywall["remoteConfig"]?.entries ?? []
        guard !entries.isEmpty else { return nil }
        let named = { (name: String?) in name.flatMap { name in entries.firstIndex { $0.key.hasSameBytes(as: name) } } }
        let first = named(paywall.text("defaultLocale")) ?? 0, chosen = named(wanted) ?? first
        let configs = entries.map(\.value), shape = RemoteConfigShape(configs[first])
        let locales = entries.enumerated().map { index, entry in
            Locale(code: entry.key, isDefault: index == first, missing: index == first ? 0 : shape.missing(in: entry.value))
        }
        var leaves = Self.leaves(configs[first])
        let fitting = max(1, Self.mostCells / max(1, leaves.count))
        let others = (Array(configs.indices[chosen...]) + configs.indices[..<chosen]).filter { $0 != first }
        let shown = fitting == 1 ? [chosen] : [first] + others.prefix(fitting - 1).sorted()
        var known = Set(leaves.map(\.steps))
        for index in shown where index != first { leaves += Self.leaves(configs[index]).filter { known.insert($0.steps).inserted } }
        rows = leaves.prefix(min(Self.mostRows, Self.mostCells / shown.count)).map { leaf in
            let original = configs[first].part(leaf.steps[...])
            return Row(
                steps: leaf.steps, path: leaf.path, kind: RemoteConfigKind(leaf.node),
                original: shown.contains(first) ? nil : original.flatMap(\.text).map { locales[first].code + ": " + $0 },
                cells: shown.map { Self.cell(configs[$0], leaf.steps, isMissing: original != nil) })
        }
        unlisted = max(0, (shown.map { configs[$0].isLeaf ? 0 : RemoteConfigShape(configs[$0]).count }.max() ?? 0) - rows.count)
        (self.locales, columns, self.chosen, self.configs) = (locales, shown.map { locales[$0] }, locales[chosen], configs)
    }

    /// An object without anything in it has no values.
    private static func leaves(_ config: ConfigurationNode) -> [RemoteConfigLeaf] {
        config.isLeaf ? [] : RemoteConfigLeaf.first(mostRows, of: config)
    }

    private static func cell(_ config: ConfigurationNode, _ steps: [ConfigurationEditPath.Step], isMissing: Bool) -> Cell {
        if let node = config.part(steps[...]) {
            return RemoteConfigKind(node) == .structure ? .other(node.isLeaf ? node.leafText : "…") : .value(node)
        }
        // A text where the default has an object is another form, and lacks nothing.
        for count in steps.indices.dropFirst() where config.part(steps[..<count])?.isLeaf == true { return .other("–") }
        return isMissing ? .missing : .absent
    }
}

extension ConfigurationNode {
    /// Nil where there is none.
    fileprivate func part(_ steps: ArraySlice<ConfigurationEditPath.Step>) -> ConfigurationNode? {
        steps.reduce(self as ConfigurationNode?) { node, step in
            switch step {
            case .key(let key): node?[key]
            case .index(let index): node.flatMap { $0.items.indices.contains(index) ? $0.items[index] : nil }
            }
        }
    }
}
