// SPDX-License-Identifier: Apache-2.0

extension OrderedJSON {
    /// The document as text, its keys in their order.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        // Counts are whole numbers, and are written as such.
        case .number(let number):
            if let whole = Int64(exactly: number), abs(whole) < 1 << 53 { String(whole) } else { number.isFinite ? "\(number)" : "null" }
        case .text(let text): Self.quoted(text)
        case .list(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
