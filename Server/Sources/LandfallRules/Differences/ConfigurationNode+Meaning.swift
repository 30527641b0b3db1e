// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

extension ConfigurationNode {
    /// The value of a mapping's key.
    package subscript(_ key: String) -> ConfigurationNode? {
        if case .mapping(let entries) = content { entries.first { $0.key.hasSameBytes(as: key) }?.value } else { nil }
    }

    package func text(_ key: String) -> String? { self[key]?.text }

    /// The value as JSON. Where the team reads the value as JSON, the rules of YAML 1.2 apply; elsewhere scalars are texts and
    /// flags.
    package func value(isJSON: Bool) -> JSONValue {
        switch content {
        case .mapping(let entries):
            return .object(
                Dictionary(entries.map { ($0.key, $0.value.value(isJSON: isJSON)) }, uniquingKeysWith: { first, _ in first }))
        case .list(let elements): return .array(elements.map { $0.value(isJSON: isJSON) })
        case .scalar(let text, let isQuoted):
            if isJSON {
                var reader = ConfigurationReader(secrets: SecretEnvironment(value: { _ in nil }))
                return reader.json(self) ?? .string(text)
            }
            if isNull { return .null }
            if !isQuoted, let flag = Bool(text.lowercased()) { return .bool(flag) }
            if !isQuoted, let number = Int64(text), "\(number)" == text { return .integer(number) }
            return .string(text)
        }
    }

    func hasSameMeaning(as other: ConfigurationNode, _ isJSON: Bool) -> Bool {
        switch (content, other.content) {
        case (.mapping(let left), .mapping(let right)):
            let left = left.filter { isJSON || !$0.value.isNull }, right = right.filter { isJSON || !$0.value.isNull }
            guard left.count == right.count else { return false }
            let byKey = Dictionary(right.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
            return left.allSatisfy { byKey[ExactText($0.key)]?.hasSameMeaning(as: $0.value, isJSON) == true }
        case (.list(let left), .list(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.hasSameMeaning(as: $1, isJSON) }
        case (.scalar(let left, let isLeftQuoted), .scalar(let right, let isRightQuoted)):
            if !isJSON { return left.hasSameBytes(as: right) && isNull == other.isNull }
            if isLeftQuoted, isRightQuoted { return left.hasSameBytes(as: right) }
            return value(isJSON: true) == other.value(isJSON: true)
        default: return false
        }
    }
}
