// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

extension Explanation {
    /// The comparison as the file has it: `any[0].country in CA, US`.
    package func rule(of condition: Condition) -> String {
        let expected = text(of: condition.expected, condition.attribute)
        // A share is its own operator.
        if condition.attribute == condition.operator { return "\(condition.path) \(expected)" }
        let end = "." + condition.operator
        let place = condition.path.hasSuffix(end) ? String(condition.path.dropLast(end.count)) : condition.path
        return "\(place) \(condition.operator) \(expected)"
    }

    /// A value of an attribute for people, with the names of ids of Apple Ads and the product pages of their ads; of a long list the beginning.
    package func text(of value: JSONValue, _ attribute: String) -> String {
        let names = names?[attribute] ?? [:], pages = productPages?[attribute] ?? [:]
        return Self.text(of: value) { id in
            guard let name = names[id] else { return id }
            return "\(id) (\(([name] + (pages[id] ?? []).map { "ppid \($0.label)" }).joined(separator: ", ")))"
        }
    }

    private static func text(of value: JSONValue, named: (String) -> String = { $0 }) -> String {
        switch value {
        case .null: return "nothing"
        case .bool(let flag): return "\(flag)"
        case .integer(let number): return named("\(number)")
        case .number(let number): return named(number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)")
        case .string(let text): return named(text)
        case .array(let values):
            let shown = values.prefix(5).map { text(of: $0, named: named) }.joined(separator: ", ")
            return values.count > 5 ? "\(shown) … (\(values.count))" : shown
        case .object(let fields):
            if let bucket = fields["bucket"] { return "bucket \(text(of: bucket)) of 1000000" }
            if let of = fields["of"], let from = fields["from"], let to = fields["to"] {
                return "of \(text(of: of)) from \(text(of: from)) to \(text(of: to))"
            }
            return fields.keys.sorted().map { "\($0) \(text(of: fields[$0] ?? .null))" }.joined(separator: ", ")
        }
    }
}
