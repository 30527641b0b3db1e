// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension ConfigurationReader {
    /// Notes each value of a remote config that does not fit its schema, at the value's line and column.
    mutating func check(_ config: ConfigurationNode, of locale: LocaleCode, by schema: RemoteConfigSchema) {
        var checking = RemoteConfigChecker(schema: schema, locale: locale)
        checking.check(config, by: 0, &self)
    }
}

/// One pass over one remote config. The work is bounded by its size: each value is looked at by at most
/// ``RemoteConfigSchema/longestReference`` rules, and the look ends when the reader has problems enough.
private struct RemoteConfigChecker {
    let schema: RemoteConfigSchema
    let locale: LocaleCode
    /// `offers[2].price`.
    private var path: [String] = []

    init(schema: RemoteConfigSchema, locale: LocaleCode) {
        self.schema = schema
        self.locale = locale
    }

    mutating func check(_ node: ConfigurationNode, by number: Int, _ reader: inout ConfigurationReader) {
        var next: Int? = number
        while let number = next {
            guard reader.problems.count < ConfigurationReader.mostProblems else { return }
            let rule = schema.rules[number]
            checkItself(node, by: rule, &reader)
            checkParts(node, by: rule, &reader)
            next = rule.reference
        }
    }

    private func note(_ node: ConfigurationNode, _ what: String, _ advice: String, _ reader: inout ConfigurationReader) {
        let name = path.isEmpty ? "The remote config" : "'\(path.joined().shortened)'"
        reader.note(node.place, "\(name) of '\(locale)' \(what) by the paywall's schema. \(advice)")
    }

    private func checkItself(_ node: ConfigurationNode, by rule: RemoteConfigSchema.Rule, _ reader: inout ConfigurationReader) {
        guard !rule.allowsNothing else { return note(node, "is not allowed", "Remove it.", &reader) }
        let needsValue = rule.values != nil || rule.minimum != nil || rule.maximum != nil
        let value = needsValue || node.isScalar ? reader.json(node) : nil
        if let kinds = rule.kinds, !node.kinds(value).contains(where: kinds.contains) {
            let names = kinds.map(\.rawValue).sorted().joined(separator: " or ")
            let given = node.kinds(value).last?.rawValue ?? "nothing"
            return note(node, "must be \(names), and is \(given),", "Correct it, or the schema.", &reader)
        }
        if let values = rule.values, let value, !values.contains(ExactJSON(value)) {
            let listed = rule.listed.isEmpty ? "" : ": \(rule.listed.joined(separator: ", "))"
            note(node, "must be one of the listed values\(listed),", "Write one of them, or add it to the schema.", &reader)
        }
        if let minimum = rule.minimum, let value, value.isBelow(minimum) {
            note(node, "must be at least \(minimum.numberText),", "Write a larger number.", &reader)
        }
        if let maximum = rule.maximum, let value, maximum.isBelow(value) {
            note(node, "must be at most \(maximum.numberText),", "Write a smaller number.", &reader)
        }
        if rule.lengths != 0...Int.max, case .string(let text)? = value, !rule.lengths.contains(text.unicodeScalars.count) {
            note(node, "must have \(rule.lengths.words) characters, and has \(text.unicodeScalars.count),", "Change it.", &reader)
        }
    }

    private mutating func checkParts(
        _ node: ConfigurationNode, by rule: RemoteConfigSchema.Rule, _ reader: inout ConfigurationReader
    ) {
        switch node.content {
        case .scalar: break
        case .list(let elements):
            if !rule.counts.contains(elements.count) {
                note(node, "must have \(rule.counts.words) elements, and has \(elements.count),", "Add or remove some.", &reader)
            }
            guard let items = rule.items else { return }
            for (index, element) in elements.enumerated() { step("[\(index)]") { $0.check(element, by: items, &reader) } }
        case .mapping(let entries):
            if !rule.required.isEmpty {
                let names = Set(entries.map { ExactText($0.key) })
                for name in rule.required where !names.contains(ExactText(name)) {
                    note(node, "needs '\(name.shortened)'", "Add it.", &reader)
                }
            }
            for entry in entries {
                guard let part = rule.properties[ExactText(entry.key)] ?? rule.additional else { continue }
                if schema.rules[part].allowsNothing {
                    step(name(entry.key)) { checking in
                        let key = ConfigurationNode(place: entry.keyPlace, content: .scalar(entry.key, isQuoted: true))
                        let known = rule.properties.keys.map(\.text)
                        let advice = "Remove it.\(Suggestion.sentence(for: entry.key, among: known))"
                        checking.note(key, "is not allowed", advice, &reader)
                    }
                } else {
                    step(name(entry.key)) { $0.check(entry.value, by: part, &reader) }
                }
                guard reader.problems.count < ConfigurationReader.mostProblems else { return }
            }
        }
    }

    private mutating func step(_ name: String, _ body: (inout Self) -> Void) {
        path.append(name)
        body(&self)
        path.removeLast()
    }

    private func name(_ key: String) -> String { path.isEmpty ? key.shortened : "." + key.shortened }
}

extension ConfigurationNode {
    fileprivate var isScalar: Bool { if case .scalar = content { true } else { false } }

    /// The types of the value, the most specific first; messages use the last one.
    fileprivate func kinds(_ value: JSONValue?) -> [RemoteConfigSchema.Kind] {
        switch content {
        case .mapping: [.object]
        case .list: [.array]
        case .scalar:
            switch value {
            case nil: []
            case .null: [.null]
            case .bool: [.boolean]
            case .integer: [.number, .integer]
            case .number(let number): number.rounded() == number ? [.integer, .number] : [.number]
            default: [.string]
            }
        }
    }
}

extension JSONValue {
    /// False if one of the two is not a number.
    fileprivate func isBelow(_ other: JSONValue) -> Bool {
        if case .integer(let integer) = self, case .integer(let otherInteger) = other { return integer < otherInteger }
        guard let double, let otherDouble = other.double else { return false }
        return double < otherDouble
    }

    fileprivate var numberText: String {
        switch self {
        case .integer(let integer): String(integer)
        case .number(let number): "\(number)"
        default: ""
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var words: String {
        upperBound == .max ? "\(lowerBound) or more" : lowerBound == 0 ? "at most \(upperBound)" : "\(lowerBound) to \(upperBound)"
    }
}
