// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a condition may refer to, and what is noted at its end.
struct ConditionContext {
    let attributeTypes: [String: AttributeType]
    let accessLevels: [AccessLevel]
    let products: FileProducts
    var segments = Named<Segment>()
    fileprivate var negatives: [(subject: ConditionSubject, symbol: String, place: ConfigurationNode.Place)] = []
    fileprivate var existing: Set<String> = []

    init(attributeTypes: [String: AttributeType], accessLevels: [AccessLevel], products: FileProducts) {
        (self.attributeTypes, self.accessLevels, self.products) = (attributeTypes, accessLevels, products)
    }
}

/// The products that the file names, of which one name may cover several ids.
struct FileProducts {
    let names: [String]
    let covers: (_ id: String) -> Bool
}

extension ConfigurationReader {
    private static let deepestCondition = 16
    /// Comparisons, with those of its segments.
    private static let largestCondition = 2000
    private static let vocabulary = AudienceAttribute.allCases.map(\.rawValue) + ["share", "segment", "all", "any", "not"]

    /// A whole rule: of an audience, or of a segment.
    mutating func rule(_ node: ConfigurationNode, _ context: inout ConditionContext) -> Condition? {
        (context.negatives, context.existing) = ([], [])
        let condition = condition(node, &context, depth: 0, path: "")
        for (subject, symbol, place) in context.negatives where !context.existing.contains(subject.name) {
            let name = subject.name.shortened
            warn(
                place,
                "'\(symbol)' does not match an install whose '\(name)' is missing. Add 'exists: true' beside it if that is meant; "
                    + "else write any: [{ \(name): { exists: false } }, …] around it.", lacked: subject)
        }
        guard let condition else { return nil }
        guard condition.size <= Self.largestCondition else {
            note(node.place, "This is \(condition.size) comparisons, counting its segments; at most \(Self.largestCondition) fit. Split it.")
            return nil
        }
        guard condition.depth <= 2 * Self.deepestCondition else {
            note(node.place, "Conditions and their segments are nested deeper than \(2 * Self.deepestCondition) levels. Flatten them.")
            return nil
        }
        return condition
    }

    /// A mapping of conditions that must all hold.
    private mutating func condition(
        _ node: ConfigurationNode, _ context: inout ConditionContext, depth: Int, path: String
    ) -> Condition? {
        guard depth <= Self.deepestCondition else {
            note(node.place, "Conditions are nested deeper than \(Self.deepestCondition) levels. Split the audience.")
            return nil
        }
        guard let entries = entries(node, of: "A condition") else { return nil }
        if entries.isEmpty { note(node.place, "A condition is empty. Remove it, or use the audience 'everyone'.") }
        var conditions: [Condition] = []
        for entry in entries {
            let condition: Condition? =
                switch entry.key {
                case "all": group(entry.value, "all", &context, depth, path).map { .all($0) }
                case "any": group(entry.value, "any", &context, depth, path).map { .any($0) }
                case "not": condition(entry.value, &context, depth: depth + 1, path: path + "not.").map { .not($0) }
                case "segment": reference(entry.value, "segment", context.segments).map { .segment($0, at: path) }
                case "share": share(entry.value, path: path + "share").map { .test($0) }
                default: tests(entry, &context, path: path)
                }
            if let condition { conditions.append(condition) }
        }
        guard conditions.count == entries.count, !entries.isEmpty else { return nil }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    private mutating func group(
        _ node: ConfigurationNode, _ key: String, _ context: inout ConditionContext, _ depth: Int, _ path: String
    ) -> [Condition]? {
        guard let elements = list(node, of: "'\(key)'") else { return nil }
        if elements.isEmpty { note(node.place, "'\(key)' is empty. List conditions below it, or remove it.") }
        var conditions: [Condition] = []
        for (index, element) in elements.enumerated() {
            let condition = condition(element, &context, depth: depth + 1, path: path + "\(key)[\(index)].")
            if let condition { conditions.append(condition) }
        }
        return conditions.count == elements.count && !elements.isEmpty ? conditions : nil
    }

    /// `{ of: name, to: 10% }`: a part of all installs that stays the same.
    private mutating func share(_ node: ConfigurationNode, path: String) -> ConditionTest? {
        guard let fields = fields(node, of: "'share'", required: ["of", "to"], optional: ["from"]) else { return nil }
        let salt = fields["of"].flatMap { node in
            text(node, "'of'").flatMap { isName($0, at: node.place, of: "A share") ? $0 : nil }
        }
        let from = fields["from"].map { percentage($0, "'from'") } ?? .zero
        let to = fields["to"].flatMap { percentage($0, "'to'") }
        guard let salt, let from, let to else { return nil }
        guard from < to else {
            note(node.place, "A share from \(from) to \(to) contains no install. Write a larger 'to'.")
            return nil
        }
        return ConditionTest(subject: .unit, symbol: .share, operand: .share(salt: salt, from: from, to: to), path: path)
    }

    mutating func percentage(_ node: ConfigurationNode, _ what: String) -> Percentage? {
        guard let text = text(node, what) else { return nil }
        if let percentage = Percentage(text) { return percentage }
        note(node.place, "\(what) cannot be '\(text.shortened)'. Write 0% to 100%, with at most four decimals, such as 12.5%.")
        return nil
    }

    /// `attribute: { operator: value, … }`; several operators must all hold.
    private mutating func tests(
        _ entry: ConfigurationNode.Entry, _ context: inout ConditionContext, path: String
    ) -> Condition? {
        guard let subject = subject(entry, context.attributeTypes, context.accessLevels) else { return nil }
        guard case .mapping(let operations) = entry.value.content, !operations.isEmpty else {
            note(entry.value.place, "'\(entry.key)' needs an operator. Write for example { is: value }.")
            return nil
        }
        let operators = ConditionOperator.all(for: subject)
        var tests: [Condition] = []
        for operation in operations {
            guard let symbol = ConditionOperator(rawValue: operation.key), operators.contains(symbol) else {
                note(
                    operation.keyPlace,
                    "'\(entry.key)' cannot be tested with '\(operation.key.shortened)'."
                        + Suggestion.sentence(for: operation.key, among: operators.map(\.rawValue))
                )
                continue
            }
            if symbol == .exists { context.existing.insert(subject.name) }
            if symbol.isNegative, !subject.isAlwaysThere { context.negatives.append((subject, operation.key, operation.keyPlace)) }
            guard let operand = operand(symbol, operation.value, subject) else { continue }
            if case .known(.purchasesProducts) = subject, case .texts(let products) = operand {
                warn(of: products, at: operation.value.place, context.products)
            }
            let place = path + subject.name + "." + symbol.rawValue
            tests.append(.test(ConditionTest(subject: subject, symbol: symbol, operand: operand, path: place)))
        }
        guard tests.count == operations.count else { return nil }
        return tests.count == 1 ? tests[0] : .all(tests)
    }

    /// Any product that was bought counts, so one that the file does not name is allowed.
    mutating func warn(of products: [String], at place: ConfigurationNode.Place, _ known: FileProducts) {
        for product in products where !known.covers(product) {
            warn(
                place,
                "'\(product.shortened)' is not under 'products'. Correct it, or name it there."
                    + Suggestion.sentence(for: product, among: known.names))
        }
    }

    private mutating func subject(
        _ entry: ConfigurationNode.Entry, _ types: [String: AttributeType], _ levels: [AccessLevel]
    ) -> ConditionSubject? {
        if let subject = ConditionSubject(entry.key, types: types, levels: levels) { return subject }
        let prefix = ConditionSubject.customPrefix
        if entry.key.hasPrefix(prefix) {
            note(
                entry.keyPlace,
                "'\(entry.key.shortened)' is not declared. Declare its type under 'attributes'."
                    + Suggestion.sentence(for: String(entry.key.dropFirst(prefix.count)), among: types.keys)
            )
        } else if entry.key.hasPrefix(AccessField.prefix) {
            note(
                entry.keyPlace,
                "'\(entry.key.shortened)' is no access level. List it under 'accessLevels'."
                    + Suggestion.sentence(for: entry.key, among: levels.flatMap { level in AccessField.allCases.map { $0.name(of: level) } })
            )
        } else {
            note(
                entry.keyPlace,
                "'\(entry.key.shortened)' is not an attribute of audiences."
                    + Suggestion.sentence(for: entry.key, among: Self.vocabulary + types.keys.map { prefix + $0 })
            )
        }
        return nil
    }
}
