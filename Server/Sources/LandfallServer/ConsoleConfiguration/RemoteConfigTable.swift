// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPages
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

    /// The values of a remote config, in the order of the file.
    static func all(of node: ConfigurationNode, below steps: [ConfigurationEditPath.Step] = []) -> [RemoteConfigLeaf] {
        switch node.content {
        case .mapping(let entries) where !entries.isEmpty:
            entries.flatMap { all(of: $0.value, below: steps + [.key($0.key)]) }
        case .list(let elements) where !elements.isEmpty:
            elements.enumerated().flatMap { all(of: $1, below: steps + [.index($0)]) }
        default: [RemoteConfigLeaf(steps: steps, node: node)]
        }
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

    private(set) var rows: [Row] = []

    init(_ node: ConfigurationNode, default other: ConfigurationNode?) {
        let own = RemoteConfigLeaf.all(of: node)
        let known = Set(own.map(\.steps))
        rows = own.map { Row(leaf: $0, said: $0.said) }
        for leaf in other.map({ RemoteConfigLeaf.all(of: $0) }) ?? [] where !known.contains(leaf.steps) {
            // A text where the default has an object is another form, and lacks nothing.
            guard !leaf.steps.indices.contains(where: { known.contains(Array(leaf.steps[..<$0])) }) else { continue }
            rows.append(Row(leaf: leaf, said: nil))
        }
    }

    var missing: Int { rows.count { $0.said == nil } }
}

extension ConfigurationNode {
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

    /// Picks the texts that most paywalls show: a heading, lines, a button. The app decides what it shows indeed.
    init(_ leaves: [RemoteConfigLeaf], products: [String], locale: String?) {
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
