// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

extension Explanation.Condition {
    /// The comparison as the file has it: `any[0].country in CA, US`.
    package var rule: String {
        // A share is its own operator.
        if attribute == self.operator { return "\(path) \(Explanation.text(of: expected))" }
        let end = "." + self.operator
        let place = path.hasSuffix(end) ? String(path.dropLast(end.count)) : path
        return "\(place) \(self.operator) \(Explanation.text(of: expected))"
    }
}

extension Explanation {
    /// A compared value for people; of a long list the beginning.
    package static func text(of value: JSONValue) -> String {
        switch value {
        case .null: return "nothing"
        case .bool(let flag): return "\(flag)"
        case .integer(let number): return "\(number)"
        case .number(let number): return number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .string(let text): return text
        case .array(let values):
            let shown = values.prefix(5).map { text(of: $0) }.joined(separator: ", ")
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
