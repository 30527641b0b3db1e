// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The comparisons at the top of an audience's rule. Groups, segments and shares stay as the file has them.
extension ConfigurationFormChange {
    private static let groups: Set = ["all", "any", "not", "segment", "share"]

    static func rows(of audience: ConfigurationNode) -> [AudiencePage.Row] {
        audience.entries.filter { !groups.contains($0.key) }.flatMap { entry in
            entry.value.entries.map { AudiencePage.Row(attribute: entry.key, operation: $0.key, value: said($0.value)) }
        }
    }

    /// Of each attribute at most so many values, from at most so many audiences.
    private static let mostSuggestions = 50, mostLookedAt = 500

    /// The values that an attribute of the server can have, and those that audiences of the file compare it with.
    /// - Parameter ads: ids of Apple Ads, by attribute.
    static func suggestions(
        _ attributes: Set<ExactText>, in document: ConfigurationDocument, ads: [String: [String]] = [:]
    ) -> [String: [String]] {
        var found: [String: [String]] = [:]
        func add(_ value: String, to attribute: String) {
            guard attributes.contains(ExactText(attribute)), !value.isEmpty, found[attribute]?.contains(value) != true,
                found[attribute]?.count ?? 0 < mostSuggestions
            else { return }
            found[attribute, default: []].append(value)
        }
        for platform in ["ios", "macos", "tvos", "watchos", "visionos"] { add(platform, to: AudienceAttribute.platform.rawValue) }
        for source in [AttributionSource.appleAds, .link] { add(source.rawValue, to: AudienceAttribute.attributionSource.rawValue) }
        for (attribute, ids) in ads { for id in ids { add(id, to: attribute) } }
        for level in document.accessLevels {
            for state in AccessField.states { add(state, to: AccessField.state.name(of: level)) }
        }
        for product in document.entries("products") { add(product.key, to: AudienceAttribute.purchasesProducts.rawValue) }
        for audience in document.entries("audiences").prefix(mostLookedAt) {
            for row in rows(of: audience.value) where row.operation == "is" || row.operation == "isNot" { add(row.value, to: row.attribute) }
        }
        return found
    }

    /// The elements of a list as they stand between its brackets.
    private static func said(_ node: ConfigurationNode) -> String {
        guard case .list = node.content else { return node.text ?? "" }
        return ConfigurationValue(node).map { String($0.inLine.dropFirst().dropLast()) } ?? ""
    }

    package func changedAudience() throws -> String {
        switch field("change") {
        case "yaml": try written()
        case "delete": try deleted(document.uses(ofAudience: name))
        default: try changedRows()
        }
    }

    /// What the form says the rows are; those that it does not have stay.
    private func wanted(_ said: [AudiencePage.Row]) throws -> [AudiencePage.Row] {
        var wanted: [AudiencePage.Row] = []
        var seen: Set<AudiencePage.Row.Test> = []
        for index in 0..<max(said.count, AudiencePage.mostRows) {
            guard form["attribute.\(index)"] != nil else {
                if index < said.count { wanted.append(said[index]) }
                continue
            }
            let row = AudiencePage.Row(
                attribute: field("attribute.\(index)"), operation: field("operation.\(index)"), value: field("value.\(index)"))
            guard !row.attribute.isEmpty else { continue }
            guard !Self.groups.contains(row.attribute) else {
                throw ConfigurationFormRefusal("attribute.\(index)", words.isGroup(row.attribute))
            }
            guard AudiencePage.operations.contains(row.operation) else {
                throw ConfigurationFormRefusal("attribute.\(index)", words.needsCondition)
            }
            guard !row.value.isEmpty || row.operation == "exists" else { throw ConfigurationFormRefusal("value.\(index)", words.needsValue) }
            guard seen.insert(row.test).inserted else {
                throw ConfigurationFormRefusal("attribute.\(index)", words.twice(row.attribute + " " + row.operation))
            }
            wanted.append(row)
        }
        return wanted
    }

    func changedRows() throws -> String {
        let said = Self.rows(of: node), wanted = try wanted(said)
        guard !wanted.isEmpty || node.entries.contains(where: { Self.groups.contains($0.key) }) else {
            throw ConfigurationFormRefusal("", words.needsCondition)
        }
        let old = Dictionary(said.map { ($0.test, $0) }) { first, _ in first }, known = Set(said.map { ExactText($0.attribute) })
        let kept = Set(wanted.map(\.test)), attributes = Set(wanted.map { ExactText($0.attribute) })
        var settings: [ConfigurationEdit] = [], removals: [ConfigurationEdit] = []
        var added: [ExactText] = [], tests: [ExactText: [ConfigurationValue.Member]] = [:]
        for row in wanted {
            let attribute = ExactText(row.attribute)
            if !known.contains(attribute) {
                if tests[attribute] == nil { added.append(attribute) }
                tests[attribute, default: []].append(.init(name: row.operation, value: Self.value(row)))
            } else if old[row.test]?.value.hasSameBytes(as: row.value) != true {
                settings.append(.set(try path([.key(row.attribute), .key(row.operation)]), to: Self.value(row)))
            }
        }
        for attribute in added { settings.append(.set(try path([.key(attribute.text)]), to: .mapping(tests[attribute] ?? []))) }
        var gone: Set<ExactText> = []
        for row in said where !kept.contains(row.test) {
            let attribute = ExactText(row.attribute)
            if attributes.contains(attribute) {
                removals.append(.remove(try path([.key(row.attribute), .key(row.operation)])))
            } else if gone.insert(attribute).inserted {
                removals.append(.remove(try path([.key(row.attribute)])))
            }
        }
        return try applied(settings + removals)
    }

    /// The field of the form that a problem of the file is about.
    func field(of problem: ConfigurationProblem) -> String? {
        if field("change") == "locale" { return "newLocale" }
        if section == "paywalls" { return paywallField(of: problem) }
        for index in 0..<AudiencePage.mostRows {
            guard let attribute = form["attribute.\(index)"], !attribute.isEmpty else { continue }
            let start = ConfigurationPath([section, name, attribute]).description
            if problem.path == start || problem.path.hasPrefix(start + ".") || problem.path.hasPrefix(start + "[") { return "value.\(index)" }
        }
        return nil
    }

    /// What is typed as the value, in the form of the file: one value, or several with commas between.
    private static func value(_ row: AudiencePage.Row) -> ConfigurationValue {
        let single: Set = ["startsWith", "endsWith", "contains"], several: Set = ["in", "notIn", "between", "anyOf", "allOf", "noneOf"]
        if row.operation == "exists", row.value.isEmpty { return .flag(true) }
        if single.contains(row.operation) || several.contains(row.operation), let values = list(row.value) {
            return single.contains(row.operation) && values.count == 1 ? values[0] : .list(values)
        }
        return scalar(row.value)
    }

    private static func list(_ text: String) -> [ConfigurationValue]? {
        var source = ConfigurationText()
        if let node = source.parse("[" + text + "]"), source.problems.isEmpty, case .list(let nodes) = node.content,
            nodes.allSatisfy({ $0.text?.isEmpty == false }), case .list(let values)? = ConfigurationValue(node)
        {
            return values
        }
        return text.split(separator: ",").map { scalar(String($0)) }
    }

    private static func scalar(_ text: String) -> ConfigurationValue {
        var source = ConfigurationText()
        guard let node = source.parse(text), source.problems.isEmpty, node.text?.isEmpty == false, !node.isNull,
            let value = ConfigurationValue(node)
        else { return .text(text) }
        return value
    }
}

extension AudiencePage.Row {
    /// What a rule has once.
    fileprivate struct Test: Hashable { let attribute: ExactText, operation: ExactText }

    fileprivate var test: Test { Test(attribute: ExactText(attribute), operation: ExactText(operation)) }
}
