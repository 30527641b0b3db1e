// SPDX-License-Identifier: Apache-2.0

enum ConditionOperator: String, CaseIterable {
    case isEqual = "is", isNot, isIn = "in"
    case below = "<", atMost = "<=", above = ">", atLeast = ">="

    static let membership: [ConditionOperator] = [.isEqual, .isNot, .isIn]
}

/// What a condition of the file looks at: decides which operators fit and how values are read.
enum ConditionSubject {
    case text(TextAttribute)
    case version(VersionAttribute)
    case custom(String, AttributeType)

    var operators: [ConditionOperator] {
        switch self {
        case .text, .custom(_, .string): ConditionOperator.membership
        case .version, .custom(_, .number): ConditionOperator.allCases
        case .custom(_, .boolean): [.isEqual, .isNot]
        }
    }

    /// Nil after noting what is wrong with the value.
    func test(_ symbol: ConditionOperator, _ node: ConfigurationNode, _ reader: inout ConfigurationReader) -> Condition? {
        switch self {
        case .text(let attribute):
            membership(symbol, node, &reader) { reader, node in text(node, attribute, &reader) }.map { .text(attribute, $0) }
        case .custom(let name, .string):
            membership(symbol, node, &reader) { reader, node in reader.text(node, "A value of '\(name)'") }.map {
                .customText(name, $0)
            }
        case .custom(let name, .boolean):
            membership(symbol, node, &reader) { reader, node in reader.flag(node, "A value of '\(name)'") }.map {
                .customFlag(name, $0)
            }
        case .version(let attribute):
            comparison(symbol, node, &reader) { reader, node in version(node, attribute, &reader) }.map {
                .version(attribute, $0)
            }
        case .custom(let name, .number):
            comparison(symbol, node, &reader) { reader, node in number(node, name, &reader) }.map { .customNumber(name, $0) }
        }
    }

    private typealias ReadValue<Value> = (inout ConfigurationReader, ConfigurationNode) -> Value?

    private func comparison<Value>(
        _ symbol: ConditionOperator, _ node: ConfigurationNode, _ reader: inout ConfigurationReader, _ read: ReadValue<Value>
    ) -> Comparison<Value>? {
        switch symbol {
        case .below: read(&reader, node).map { .below($0) }
        case .atMost: read(&reader, node).map { .atMost($0) }
        case .above: read(&reader, node).map { .above($0) }
        case .atLeast: read(&reader, node).map { .atLeast($0) }
        case .isEqual, .isNot, .isIn: membership(symbol, node, &reader, read).map { .membership($0) }
        }
    }

    private func membership<Value>(
        _ symbol: ConditionOperator, _ node: ConfigurationNode, _ reader: inout ConfigurationReader, _ read: ReadValue<Value>
    ) -> Membership<Value>? {
        switch symbol {
        case .isNot: return read(&reader, node).map { .isNot($0) }
        case .isIn:
            guard let elements = reader.list(node, of: "'in'") else { return nil }
            if elements.isEmpty { reader.note(node.place, "'in' is empty, so nothing would match. List at least one value.") }
            let values = elements.compactMap { read(&reader, $0) }
            return values.count == elements.count && !values.isEmpty ? .isOne(of: Set(values)) : nil
        default: return read(&reader, node).map { .isOne(of: [$0]) }
        }
    }
}
