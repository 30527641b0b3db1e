// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Reads and checks the values of conditions. A value that could never match is reported as a problem.
extension ConfigurationReader {
    /// Nil after noting what is wrong with the value.
    mutating func operand(
        _ symbol: ConditionOperator, _ node: ConfigurationNode, _ subject: ConditionSubject
    ) -> ConditionOperand? {
        switch symbol {
        case .exists: return flag(node, "'exists'").map { .flag($0) }
        case .within, .olderThan: return span(node, symbol)
        case .share: return nil
        default: break
        }
        switch subject.kind {
        case .boolean: return flag(node, "A value of '\(subject.name)'").map { .flag($0) }
        case .number: return values(node, symbol) { $0.number($1, subject) }.flatMap { numbers(node, symbol, $0) }
        case .date: return values(node, symbol) { $0.instant($1, subject) }.flatMap { instants(node, symbol, $0) }
        case .version: return values(node, symbol) { $0.version($1, subject) }.flatMap { versions(node, symbol, $0) }
        case .locale: return values(node, symbol) { $0.locale($1, subject) }.map { .texts(Self.unique($0)) }
        case .text, .list: return values(node, symbol) { $0.text($1, subject, isPart: symbol.isOfParts) }.map { .texts(Self.unique($0)) }
        }
    }

    /// One value or several, as the operator takes them.
    private mutating func values<Value>(
        _ node: ConfigurationNode, _ symbol: ConditionOperator,
        _ read: (inout ConfigurationReader, ConfigurationNode) -> Value?
    ) -> [Value]? {
        let what = "'\(symbol.rawValue)'"
        if symbol.takesOneOrMany, case .scalar = node.content { return read(&self, node).map { [$0] } }
        guard symbol.takesMany else { return read(&self, node).map { [$0] } }
        guard let elements = list(node, of: what) else { return nil }
        if symbol == .between, elements.count != 2 {
            note(node.place, "'between' takes two values, the lower one first. Write [1, 5].")
            return nil
        }
        if elements.isEmpty { note(node.place, "\(what) is empty. List at least one value.") }
        var values: [Value] = []
        for element in elements { if let value = read(&self, element) { values.append(value) } }
        return values.count == elements.count && !values.isEmpty ? values : nil
    }

    private mutating func numbers(_ node: ConfigurationNode, _ symbol: ConditionOperator, _ values: [Double]) -> ConditionOperand? {
        guard symbol == .between else { return .numbers(Set(values).sorted()) }
        return isInOrder(values[0] <= values[1], node) ? .numbers(values) : nil
    }

    private mutating func instants(_ node: ConfigurationNode, _ symbol: ConditionOperator, _ values: [Instant]) -> ConditionOperand? {
        guard symbol == .between else { return .instants(values) }
        return isInOrder(values[0] <= values[1], node) ? .instants(values) : nil
    }

    private mutating func versions(_ node: ConfigurationNode, _ symbol: ConditionOperator, _ values: [String]) -> ConditionOperand? {
        guard symbol == .between else { return .texts(Self.unique(values)) }
        guard let lower = SemanticVersion(values[0]), let upper = SemanticVersion(values[1]) else { return nil }
        return isInOrder(lower <= upper, node) ? .texts(values) : nil
    }

    private mutating func isInOrder(_ isInOrder: Bool, _ node: ConfigurationNode) -> Bool {
        if !isInOrder { note(node.place, "No value is between these two. Write the lower one first.") }
        return isInOrder
    }

    private mutating func span(_ node: ConfigurationNode, _ symbol: ConditionOperator) -> ConditionOperand? {
        guard let text = text(node, "'\(symbol.rawValue)'") else { return nil }
        if let span = TimeSpan(text) { return .span(span) }
        note(
            node.place,
            "'\(symbol.rawValue)' cannot be '\(text.shortened)'. Write a number and s, m, h, d or w: 30m, 12h, 7d, 2w.")
        return nil
    }

    /// In the order of the bytes, so that the order of the file makes no difference.
    private static func unique(_ texts: [String]) -> [String] {
        Set(texts.map(ExactText.init)).map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension ConditionOperator {
    fileprivate var takesMany: Bool {
        switch self {
        case .isIn, .notIn, .between, .startsWith, .endsWith, .contains, .anyOf, .allOf, .noneOf: true
        default: false
        }
    }

    /// A single value may stand without its list.
    fileprivate var takesOneOrMany: Bool { isOfParts || [.anyOf, .allOf, .noneOf].contains(self) }

    /// Compares with a part of the value.
    fileprivate var isOfParts: Bool { [.startsWith, .endsWith, .contains].contains(self) }
}

// MARK: Single values

extension ConfigurationReader {
    private static let statuses = ["attributed", "notAttributed", "pending", "unavailable"]

    /// - Parameter isPart: the value is a piece of what it is compared with.
    private mutating func text(_ node: ConfigurationNode, _ subject: ConditionSubject, isPart: Bool) -> String? {
        guard let text = text(node, "A value of '\(subject.name)'") else { return nil }
        if case .access(_, .state) = subject, !AccessField.states.contains(text) {
            note(node.place, "'\(subject.name)' is never '\(text.shortened)'.\(Suggestion.sentence(for: text, among: AccessField.states))")
            return nil
        }
        guard case .known(let attribute) = subject else { return text }
        // A part of a link's code stays as it is: only a whole one may be an address.
        let value = isPart && attribute == .linkCode ? text : attribute.normalised(text)
        guard !isPart, let advice = advice(against: value, of: attribute) else { return value }
        note(node.place, "'\(attribute.rawValue)' is never '\(text.shortened)'.\(advice)")
        return nil
    }

    private func advice(against value: String, of attribute: AudienceAttribute) -> String? {
        switch attribute {
        case .attributionStatus: Self.statuses.contains(value) ? nil : Suggestion.sentence(for: value, among: Self.statuses)
        case .attributionSource, .attributionSources: sourceAdvice(value)
        case .country, .attributionCountry:
            value.utf8.count == 2 && value.allSatisfy { $0.isASCII && $0.isLetter } ? nil : " Write the two letters of ISO 3166, such as US."
        case .language:
            (2...8).contains(value.utf8.count) && value.allSatisfy { $0.isASCII && $0.isLetter }
                ? nil : " Write the language alone, such as en, without a region. 'locale' compares script and region too."
        case .deviceClass:
            DeviceClass(rawValue: value) != nil ? nil : Suggestion.sentence(for: value, among: DeviceClass.allCases.map(\.rawValue))
        case .linkCode: value.contains("/") ? nil : " Write host and path of the link, such as links.example.com/beach."
        default: nil
        }
    }

    private func sourceAdvice(_ value: String) -> String? {
        let letters = value.filter(\.isLetter)
        let isAppleAds =
            ["appleads", "applesearchads", "asa"].contains(letters) && value != AttributionSource.appleAds.rawValue
        return isAppleAds ? " Write '\(AttributionSource.appleAds.rawValue)'." : nil
    }

    private mutating func version(_ node: ConfigurationNode, _ subject: ConditionSubject) -> String? {
        guard let text = text(node, "A value of '\(subject.name)'") else { return nil }
        if SemanticVersion(text) != nil { return text }
        note(node.place, "'\(text.shortened)' is not a version. Write numbers and dots, such as 2.10 or 2.10.0-beta.1.")
        return nil
    }

    private mutating func locale(_ node: ConfigurationNode, _ subject: ConditionSubject) -> String? {
        guard let text = text(node, "A value of '\(subject.name)'") else { return nil }
        if let locale = LocaleCode(rawValue: text) { return locale.rawValue }
        note(node.place, "'\(text.shortened)' is not a locale. Write language, script and region as far as they matter: zh-Hant, pt-BR.")
        return nil
    }

    private mutating func instant(_ node: ConfigurationNode, _ subject: ConditionSubject) -> Instant? {
        guard let text = text(node, "A value of '\(subject.name)'") else { return nil }
        if let instant = Instant(text) { return instant }
        note(node.place, "'\(text.shortened)' is not a date with time and zone. Write 2026-11-22T09:30:00Z or 2026-11-22T10:30:00+01:00.")
        return nil
    }

    private mutating func number(_ node: ConfigurationNode, _ subject: ConditionSubject) -> Double? {
        switch json(node) {
        case .integer(let value): return Double(value)
        case .number(let value): return value
        case nil: return nil
        default:
            note(node.place, "A value of '\(subject.name)' is a number. Write it without quotes.")
            return nil
        }
    }
}
