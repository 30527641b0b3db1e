// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Reads the rules of a file as people read them, also those of a draft that nobody has checked. A rule grows with every use of a
/// segment, so the reading has a bound: far beyond the lines that a page shows.
package struct ConditionPartReader {
    /// Deeper conditions are shown in the text of the file only.
    private static let deepest = 40
    /// What is read of one rule: conditions, elements of lists and comparisons. A line of a page is three of them at most.
    static let mostSteps = 2_000
    /// So many bytes of a text count as a step more.
    private static let stepBytes = 4_096

    private let segments: [ExactText: ConfigurationNode]

    /// - Parameter segments: the section of that name.
    package init(segments: ConfigurationNode?) {
        let named = (segments?.entries ?? []).map { (ExactText($0.key), $0.value) }
        self.segments = Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter rule: a mapping of conditions that must all hold.
    package func part(_ rule: ConfigurationNode) -> ConditionPart {
        var way = Way()
        return part(rule, &way)
    }

    /// The way through one rule.
    private struct Way {
        private var left = ConditionPartReader.mostSteps
        var depth = 0
        /// The segments around this place: none of them is opened again.
        var segments: [String] = []

        /// - Returns: false where nothing more is read.
        mutating func step(_ texts: String...) -> Bool {
            guard left > 0 else { return false }
            left -= 1 + texts.reduce(0) { $0 + $1.utf8.count } / ConditionPartReader.stepBytes
            return true
        }
    }

    private func part(_ node: ConfigurationNode, _ way: inout Way) -> ConditionPart {
        var parts: [ConditionPart] = []
        for entry in node.entries {
            guard way.step(entry.key) else {
                parts.append(.rest)
                break
            }
            parts += self.parts(entry, &way)
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private func parts(_ entry: ConfigurationNode.Entry, _ way: inout Way) -> [ConditionPart] {
        guard way.depth < Self.deepest else { return [] }
        switch (entry.key, entry.value.content) {
        case ("all", .list(let elements)): return [.all(inner(elements, &way))]
        case ("any", .list(let elements)): return [.any(inner(elements, &way))]
        case ("not", .mapping): return [.not(inner(entry.value, &way))]
        case ("segment", .scalar(let name, _)): return way.step(name) ? [segment(name, &way)] : [.rest]
        case ("share", .mapping):
            let name = entry.value.text("of") ?? "", from = entry.value.text("from"), to = entry.value.text("to") ?? ""
            return way.step(name, from ?? "", to) ? [.share(of: name, from: from, to: to)] : [.rest]
        case (let attribute, .mapping(let operations)): return tests(attribute, operations, &way)
        default: return []
        }
    }

    private func inner(_ node: ConfigurationNode, _ way: inout Way) -> ConditionPart {
        way.depth += 1
        defer { way.depth -= 1 }
        return part(node, &way)
    }

    private func inner(_ elements: [ConfigurationNode], _ way: inout Way) -> [ConditionPart] {
        var parts: [ConditionPart] = []
        for element in elements {
            guard way.step() else { return parts + [.rest] }
            parts.append(inner(element, &way))
        }
        return parts
    }

    private func segment(_ name: String, _ way: inout Way) -> ConditionPart {
        guard !way.segments.contains(where: { $0.hasSameBytes(as: name) }), let rule = segments[ExactText(name)] else {
            return .segment(name, nil)
        }
        way.segments.append(name)
        defer { way.segments.removeLast() }
        return .segment(name, inner(rule, &way))
    }

    private func tests(_ attribute: String, _ operations: [ConfigurationNode.Entry], _ way: inout Way) -> [ConditionPart] {
        var tests: [ConditionPart] = []
        for operation in operations {
            let values = operation.value.said
            guard way.step(attribute, operation.key, values.joined()) else { return tests + [.rest] }
            tests.append(.test(attribute: attribute, operation: operation.key, values: values))
        }
        return tests
    }
}

extension ConfigurationNode {
    /// A scalar, or the first scalars of a list, as they are written: one more than a page shows.
    fileprivate var said: [String] {
        switch content {
        case .scalar(let text, _): [text]
        case .list(let elements): elements.prefix(ConditionPart.mostValues + 1).map { $0.text ?? "…" }
        case .mapping: ["…"]
        }
    }
}
