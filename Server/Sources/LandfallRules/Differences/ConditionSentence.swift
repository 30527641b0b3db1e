// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Describes in words what an audience needs: `country DE`, `app.version at least 2.1`.
struct ConditionSentence {
    /// `audience spring`.
    let subject: String
    /// The attribute, or `all`, `any`, `not`.
    let key: String

    func sentences(_ before: ConfigurationNode?, _ after: ConfigurationNode?) -> [String] {
        if ["any", "all"].contains(key), let old = before?.elements, let new = after?.elements { return elements(old, new) }
        let old = before.map { Self.phrase(key, $0) }, new = after.map { Self.phrase(key, $0) }
        switch (old, new) {
        case (nil, let new?): return ["\(subject) now also needs \(new)"]
        case (let old?, nil): return ["\(subject) no longer needs \(old)"]
        case (let old?, let new?): return ["\(subject) now needs \(new) instead of \(old)"]
        default: return []
        }
    }

    /// The conditions that a list gained or lost; their order has no meaning.
    private func elements(_ old: [ConfigurationNode], _ new: [ConfigurationNode]) -> [String] {
        let added = new.filter { node in !old.contains { $0.hasSameMeaning(as: node, false) } }
        let removed = old.filter { node in !new.contains { $0.hasSameMeaning(as: node, false) } }
        let verbs = key == "any" ? ("now also matches", "no longer matches") : ("now also needs", "no longer needs")
        return added.map { "\(subject) \(verbs.0) \(Self.phrase($0))" } + removed.map { "\(subject) \(verbs.1) \(Self.phrase($0))" }
    }

    /// A mapping of conditions that all hold.
    static func phrase(_ node: ConfigurationNode, depth: Int = 0) -> String {
        guard case .mapping(let entries) = node.content, depth < 8 else { return ConfigurationSentence.said(node) }
        return entries.map { phrase($0.key, $0.value, depth: depth) }.joined(separator: " and ").bounded
    }

    private static func phrase(_ key: String, _ node: ConfigurationNode, depth: Int = 0) -> String {
        switch (key, node.content) {
        case ("any", .list(let elements)):
            "(" + elements.map { phrase($0, depth: depth + 1) }.joined(separator: " or ").bounded + ")"
        case ("all", .list(let elements)):
            "(" + elements.map { phrase($0, depth: depth + 1) }.joined(separator: " and ").bounded + ")"
        case ("not", .mapping): "none of (" + phrase(node, depth: depth + 1) + ")"
        case (_, .mapping(let operations)):
            operations.map { test(key.shortened, $0.key, $0.value) }.joined(separator: " and ").bounded
        default: "\(key.shortened) \(said(node))"
        }
    }

    private static func test(_ attribute: String, _ symbol: String, _ value: ConfigurationNode) -> String {
        if symbol == "exists" {
            return value.text?.lowercased() == "false" ? "no \(attribute)" : "any \(attribute)"
        }
        let word = words[symbol] ?? " \(symbol.shortened)"
        return "\(attribute)\(word) \(said(value))"
    }

    private static let words = [
        "is": "", "isNot": " other than", "in": " one of", "notIn": " none of", ">": " above", ">=": " at least", "<": " below",
        "<=": " at most", "between": " between", "startsWith": " starting with", "endsWith": " ending with",
        "contains": " containing", "anyOf": " with any of", "allOf": " with all of", "noneOf": " with none of",
        "within": " within the last", "olderThan": " longer ago than", "before": " before", "after": " after",
    ]

    /// Codes and numbers, without quotes.
    private static func said(_ node: ConfigurationNode) -> String {
        if let text = node.text { return text.shortened }
        return ConfigurationSentence.said(node)
    }
}

extension ConfigurationNode {
    fileprivate var elements: [ConfigurationNode]? { if case .list(let elements) = content { elements } else { nil } }
}

extension String {
    /// A long condition is cut after its beginning.
    fileprivate var bounded: String { utf8.count > 320 ? cut(toBytes: 320) + "…" : self }
}
