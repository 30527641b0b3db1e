// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

extension AudienceRule {
    /// Reads a rule of the file.
    /// - Returns: nil for a rule that no form shows: it is too long or too deep, or has what the form does not know.
    init?(_ node: ConfigurationNode) {
        guard let parts = Self.parts(node, depth: 0) else { return nil }
        if parts.count == 1, case .group(let rule) = parts[0] { self = rule } else { self.init(parts: parts) }
        guard fields <= Self.mostFields, levels <= Self.deepest + 1 else { return nil }
    }

    private static let groups: Set = ["all", "any", "not", Line.segment, Line.share]

    /// The conditions of a mapping, which must all hold.
    private static func parts(_ node: ConfigurationNode, depth: Int) -> [Part]? {
        guard depth <= deepest + 1, case .mapping(let entries) = node.content, (1...mostFields).contains(entries.count) else { return nil }
        var parts: [Part] = []
        for entry in entries {
            guard let found = self.parts(entry, depth) else { return nil }
            parts += found
        }
        return parts
    }

    private static func parts(_ entry: ConfigurationNode.Entry, _ depth: Int) -> [Part]? {
        switch (entry.key, entry.value.content) {
        case ("all", .list(let elements)): return group(.all, elements, depth)
        case ("any", .list(let elements)): return group(.any, elements, depth)
        case ("not", .mapping(let inner)):
            if inner.count == 1, inner[0].key == "any", case .list(let elements) = inner[0].value.content {
                return group(.neither, elements, depth)
            }
            return parts(entry.value, depth: depth + 1).map { [.group(AudienceRule(kind: $0.count == 1 ? .neither : .notAll, parts: $0))] }
        case (Line.segment, .scalar(let name, _)): return [.line(Line(attribute: Line.segment, value: name))]
        case (Line.share, .mapping(let fields)):
            guard fields.allSatisfy({ ["of", "from", "to"].contains($0.key) && $0.value.text != nil }) else { return nil }
            func said(_ name: String) -> String { entry.value.text(name) ?? "" }
            return [.line(Line(attribute: Line.share, value: said("of"), from: said("from"), to: said("to")))]
        case (let attribute, .mapping(let tests)) where !groups.contains(attribute):
            guard (1...mostFields).contains(tests.count) else { return nil }
            let lines = tests.compactMap { line(attribute, $0) }
            return lines.count == tests.count ? lines.map { .line($0) } : nil
        default: return nil
        }
    }

    private static func group(_ kind: Kind, _ elements: [ConfigurationNode], _ depth: Int) -> [Part]? {
        guard (1...mostFields).contains(elements.count) else { return nil }
        var parts: [Part] = []
        for element in elements {
            guard let inner = self.parts(element, depth: depth + 1) else { return nil }
            parts += inner.count == 1 ? inner : [.group(AudienceRule(parts: inner))]
        }
        return [.group(AudienceRule(kind: kind, parts: parts))]
    }

    private static func line(_ attribute: String, _ test: ConfigurationNode.Entry) -> Line? {
        guard let symbol = ConditionOperator(rawValue: test.key), symbol != .share, let value = said(test.value),
            !value.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" })
        else { return nil }
        guard symbol == .exists else { return Line(attribute: attribute, operation: test.key, value: value) }
        return Line(attribute: attribute, operation: value.lowercased() == "false" ? Line.missing : test.key)
    }

    /// The elements of a list as they stand between its brackets.
    private static func said(_ node: ConfigurationNode) -> String? {
        switch node.content {
        case .scalar(let text, _): text
        case .list(let elements) where elements.allSatisfy({ $0.text != nil }):
            ConfigurationValue(node).map { String($0.inLine.dropFirst().dropLast()) }
        case .list, .mapping: nil
        }
    }
}
