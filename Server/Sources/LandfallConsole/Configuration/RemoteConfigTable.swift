// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// One value of a remote config that contains no other values.
struct RemoteConfigLeaf: Sendable {
    let steps: [ConfigurationEditPath.Step]
    let node: ConfigurationNode

    /// As the page names it: `texts[0].title`.
    var path: String { ConfigurationEditPath(steps)?.description ?? "" }

    /// As the page shows it: a text without quotes.
    var said: String {
        switch node.content {
        case .scalar(let text, _): node.isNull ? "null" : text
        case .list: "[]"
        case .mapping: "{}"
        }
    }

    var isScalar: Bool { if case .scalar = node.content { true } else { false } }

    /// The first values of a remote config, in the order of the file.
    static func first(_ most: Int, of node: ConfigurationNode) -> [RemoteConfigLeaf] {
        var leaves: [RemoteConfigLeaf] = [], steps: [ConfigurationEditPath.Step] = []
        func add(_ node: ConfigurationNode) {
            guard leaves.count < most else { return }
            guard !node.isLeaf else { return leaves.append(RemoteConfigLeaf(steps: steps, node: node)) }
            node.forEachPart { step, part in
                steps.append(step)
                add(part)
                steps.removeLast()
            }
        }
        add(node)
        return leaves
    }
}

/// How many values the default locale has at each place, so that each other locale is compared with it in the time of its own length.
struct RemoteConfigShape: Sendable {
    let count: Int
    private var parts: [ConfigurationEditPath.Step: RemoteConfigShape] = [:]

    init(_ node: ConfigurationNode) {
        var parts: [ConfigurationEditPath.Step: RemoteConfigShape] = [:]
        if !node.isLeaf { node.forEachPart { parts[$0] = RemoteConfigShape($1) } }
        count = node.isLeaf ? 1 : parts.values.reduce(0) { $0 + $1.count }
        self.parts = parts
    }

    /// How many of its values another locale lacks.
    func missing(in other: ConfigurationNode) -> Int { count - covered(by: other) }

    /// A text where the default has an object is another form, and lacks nothing.
    private func covered(by other: ConfigurationNode) -> Int {
        guard !other.isLeaf else { return count }
        var covered = 0
        if !parts.isEmpty { other.forEachPart { covered += parts[$0]?.covered(by: $1) ?? 0 } }
        return covered
    }
}

/// The remote config of a paywall in one locale beside the one in its default locale.
struct RemoteConfigTable: Sendable {
    /// More values are in the text of the file only.
    static let mostRows = 500

    struct Row: Sendable {
        let leaf: RemoteConfigLeaf
        /// Nil where the locale lacks the value that the default locale has.
        let said: String?
    }

    /// The values of the locale, then those that it lacks.
    private(set) var rows: [Row]

    init(_ node: ConfigurationNode, default other: ConfigurationNode?) {
        rows = RemoteConfigLeaf.first(Self.mostRows, of: node).map { Row(leaf: $0, said: $0.said) }
        var steps: [ConfigurationEditPath.Step] = []
        if let other { addMissing(other, beside: node, &steps) }
    }

    private mutating func addMissing(_ node: ConfigurationNode, beside own: ConfigurationNode?, _ steps: inout [ConfigurationEditPath.Step]) {
        if rows.count >= Self.mostRows || own?.isLeaf == true { return }
        guard !node.isLeaf else { return rows.append(Row(leaf: RemoteConfigLeaf(steps: steps, node: node), said: nil)) }
        var parts: [ConfigurationEditPath.Step: ConfigurationNode] = [:]
        own?.forEachPart { parts[$0] = $1 }
        node.forEachPart { step, part in
            steps.append(step)
            addMissing(part, beside: parts[step], &steps)
            steps.removeLast()
        }
    }
}

extension ConfigurationNode {
    /// True for what contains no other values.
    fileprivate var isLeaf: Bool {
        switch content {
        case .scalar: true
        case .list(let elements): elements.isEmpty
        case .mapping(let entries): entries.isEmpty
        }
    }

    fileprivate func forEachPart(_ body: (ConfigurationEditPath.Step, ConfigurationNode) -> Void) {
        switch content {
        case .scalar: break
        case .list(let elements): for (index, element) in elements.enumerated() { body(.index(index), element) }
        case .mapping(let entries): for entry in entries { body(.key(entry.key), entry.value) }
        }
    }

    /// As JSON that people read, with sorted keys.
    var readableJSON: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value(isJSON: true))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension PaywallPreview {
    private static let headings: Set = ["title", "headline", "heading"]
    private static let buttons: Set = ["button", "cta", "buttontitle", "action"]
    private static let mostTexts = 20
    /// Texts behind so many values are not looked for.
    private static let mostLookedAt = 2_000

    init(_ config: ConfigurationNode?, products: [String], locale: String?) {
        self.init(config.map { RemoteConfigLeaf.first(Self.mostLookedAt, of: $0) } ?? [], products: products, locale: locale)
        ready = config.flatMap { ReadyPaywallPreview($0.value(isJSON: true), products: products, locale: locale ?? "en") }
    }

    /// Picks the texts that most paywalls show: a heading, lines, a button. The app decides what it shows indeed.
    private init(_ leaves: [RemoteConfigLeaf], products: [String], locale: String?) {
        var heading: String?, button: String?, lines: [String] = []
        for leaf in leaves {
            guard case .scalar(let text, _) = leaf.node.content, case .string? = leaf.node.value(isJSON: true) as JSONValue?, !text.isEmpty,
                text.contains(" ") || !text.contains("://")
            else { continue }
            let key = leaf.steps.reversed().lazy.compactMap { step -> String? in if case .key(let key) = step { key } else { nil } }.first
            let name = (key ?? "").lowercased()
            if heading == nil, Self.headings.contains(name) {
                heading = text
            } else if button == nil, Self.buttons.contains(name) {
                button = text
            } else if lines.count < Self.mostTexts {
                lines.append(text)
            }
        }
        self.init(locale: locale, heading: heading, lines: lines, products: products, button: button)
    }
}
