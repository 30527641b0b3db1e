// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
    private static let deepestCondition = 16
    private static let vocabulary =
        TextAttribute.allCases.map(\.rawValue) + VersionAttribute.allCases.map(\.rawValue) + ["all", "any", "not"]

    /// A mapping of conditions that must all hold.
    mutating func condition(_ node: ConfigurationNode, _ types: [String: AttributeType], depth: Int) -> Condition? {
        guard depth <= Self.deepestCondition else {
            note(node.place, "Conditions are nested deeper than \(Self.deepestCondition) levels. Split the audience.")
            return nil
        }
        guard let entries = entries(node, of: "A condition") else { return nil }
        if entries.isEmpty { note(node.place, "A condition is empty. Remove it, or use the audience 'everyone'.") }
        let conditions = entries.compactMap { entry -> Condition? in
            switch entry.key {
            case "all": group(entry.value, "'all'", types, depth).map { .all($0) }
            case "any": group(entry.value, "'any'", types, depth).map { .any($0) }
            case "not": condition(entry.value, types, depth: depth + 1).map { .not($0) }
            default: test(entry, types)
            }
        }
        guard conditions.count == entries.count else { return nil }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    private mutating func group(
        _ node: ConfigurationNode, _ what: String, _ types: [String: AttributeType], _ depth: Int
    ) -> [Condition]? {
        guard let elements = list(node, of: what) else { return nil }
        if elements.isEmpty { note(node.place, "\(what) is empty. List conditions below it, or remove it.") }
        let conditions = elements.compactMap { condition($0, types, depth: depth + 1) }
        return conditions.count == elements.count && !elements.isEmpty ? conditions : nil
    }

    /// `attribute: { operator: value, … }`; several operators must all hold.
    private mutating func test(_ entry: ConfigurationNode.Entry, _ types: [String: AttributeType]) -> Condition? {
        guard let subject = subject(entry, types) else { return nil }
        guard case .mapping(let operations) = entry.value.content, !operations.isEmpty else {
            note(entry.value.place, "'\(entry.key)' needs an operator. Write for example { is: value }.")
            return nil
        }
        let tests = operations.compactMap { operation -> Condition? in
            guard let symbol = ConditionOperator(rawValue: operation.key), subject.operators.contains(symbol) else {
                note(
                    operation.keyPlace,
                    "'\(entry.key)' cannot be tested with '\(operation.key.shortened)'."
                        + Suggestion.sentence(for: operation.key, among: subject.operators.map(\.rawValue))
                )
                return nil
            }
            return subject.test(symbol, operation.value, &self)
        }
        guard tests.count == operations.count else { return nil }
        return tests.count == 1 ? tests[0] : .all(tests)
    }

    private mutating func subject(_ entry: ConfigurationNode.Entry, _ types: [String: AttributeType]) -> ConditionSubject? {
        if let attribute = TextAttribute(rawValue: entry.key) { return .text(attribute) }
        if let attribute = VersionAttribute(rawValue: entry.key) { return .version(attribute) }
        let prefix = "attributes."
        if entry.key.hasPrefix(prefix), let type = types[String(entry.key.dropFirst(prefix.count))] {
            return .custom(String(entry.key.dropFirst(prefix.count)), type)
        }
        if entry.key.hasPrefix(prefix) {
            note(
                entry.keyPlace,
                "'\(entry.key.shortened)' is not declared. Declare its type under 'attributes'."
                    + Suggestion.sentence(for: String(entry.key.dropFirst(prefix.count)), among: types.keys)
            )
        } else {
            note(
                entry.keyPlace,
                "'\(entry.key.shortened)' is nothing that an audience can look at."
                    + Suggestion.sentence(for: entry.key, among: Self.vocabulary + types.keys.map { prefix + $0 })
            )
        }
        return nil
    }
}
