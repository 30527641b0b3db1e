// SPDX-License-Identifier: Apache-2.0
import LandfallPages

extension ConditionPart {
    /// Deeper conditions are shown in the text of the file only.
    private static let deepest = 40

    /// - Parameters:
    ///   - node: a mapping of conditions that must all hold.
    ///   - segments: the section of that name.
    init(_ node: ConfigurationNode, segments: ConfigurationNode?, depth: Int = 0) {
        let parts = node.entries.flatMap { Self.parts($0, segments, depth) }
        self = parts.count == 1 ? parts[0] : .all(parts)
    }

    private static func parts(_ entry: ConfigurationNode.Entry, _ segments: ConfigurationNode?, _ depth: Int) -> [ConditionPart] {
        guard depth < deepest else { return [] }
        func inner(_ node: ConfigurationNode) -> ConditionPart { ConditionPart(node, segments: segments, depth: depth + 1) }
        switch (entry.key, entry.value.content) {
        case ("all", .list(let elements)): return [.all(elements.map(inner))]
        case ("any", .list(let elements)): return [.any(elements.map(inner))]
        case ("not", .mapping): return [.not(inner(entry.value))]
        case ("segment", .scalar(let name, _)): return [.segment(name, segments?[name].map(inner))]
        case ("share", .mapping):
            return [.share(of: entry.value.text("of") ?? "", from: entry.value.text("from"), to: entry.value.text("to") ?? "")]
        case (let attribute, .mapping(let operations)):
            return operations.map { .test(attribute: attribute, operation: $0.key, values: $0.value.said) }
        default: return []
        }
    }
}

extension ConfigurationNode {
    /// A scalar, or the scalars of a list, as they are written.
    fileprivate var said: [String] {
        switch content {
        case .scalar(let text, _): [text]
        case .list(let elements): elements.map { $0.text ?? "…" }
        case .mapping: ["…"]
        }
    }
}
