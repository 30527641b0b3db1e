// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// What a form with a rule asks for.
struct AudienceEditing: Sendable {
    /// As it is typed, after what a button did to it; nil for a form without a rule.
    private(set) var rule: AudienceRule?
    /// The id of what has the focus then.
    private(set) var focus: String?
    /// False while somebody is still editing: then what is not whole is left out.
    let isDone: Bool

    /// - Parameter form: its fields, without the spaces around them.
    init(_ form: ConfigurationFormChange) {
        let change = form.field("change"), order = AudienceRule.Order(change)
        rule = ["yaml", "delete"].contains(change) ? nil : AudienceRule { name in form.form[name].map { _ in form.field(name) } }
        isDone = order == nil && change != "show"
        if let order { focus = rule?.apply(order) }
        guard !isDone else { return }
        let choices = AttributeChoices(form.document)
        rule?.changeLines { choices.settle(&$0) }
    }
}

extension AudienceRule {
    mutating func changeLines(_ body: (inout Line) -> Void) {
        parts = parts.map { part in
            switch part {
            case .line(var line):
                body(&line)
                return .line(line)
            case .group(var rule):
                rule.changeLines(body)
                return .group(rule)
            }
        }
    }
}

/// A whole rule, or the text of the entry. Lines of the file that say the same stay.
extension ConfigurationFormChange {
    package func changedAudience() throws -> String {
        switch field("change") {
        case "yaml": try written()
        case "delete": try deleted(document.uses(ofAudience: name))
        default: try changedRule()
        }
    }

    /// - Throws: ``ConfigurationFormRefusal``, also where the rule of the file is one that no form shows.
    func changedRule() throws -> String {
        let editing = AudienceEditing(self)
        if editing.isDone { try check(editing.rule) }
        guard let new = editing.rule?.written() else { return document.text }
        guard !node.entries.isEmpty else { return try applied([.set(path(), to: new.value)]) }
        guard let old = AudienceRule(node)?.written() else { throw ConfigurationFormRefusal("", words.ruleIsNoForm) }
        return try applied(new.value.edits(of: node, from: old.value, at: [.key(section), .key(name)]))
    }

    private func check(_ rule: AudienceRule?) throws {
        let choices = AttributeChoices(document)
        for (place, line) in rule?.lines ?? [] {
            if let lacking = line.lacking {
                throw ConfigurationFormRefusal("\(lacking).\(place)", lacking == "operation" ? words.needsOperation : words.needsValue)
            }
            if choices.subject(line.attribute) != nil, !choices.operations(line.attribute).contains(line.operation) {
                throw ConfigurationFormRefusal("operation.\(place)", words.wrongOperation)
            }
        }
        if rule?.written() == nil { throw ConfigurationFormRefusal("attribute." + (rule?.lines.first?.place ?? "0"), words.needsCondition) }
    }

    /// The field of the form that a problem of the file is about.
    func field(of problem: ConfigurationProblem) -> String? {
        switch section {
        case "paywalls": return field("change") == "locale" ? "newLocale" : paywallField(of: problem)
        case "audiences":
            guard problem.path != ConfigurationPath([section, name]).description else { return nil }
            return AudienceEditing(self).rule?.written(at: [section, name])?.place(of: problem.path).map { "value." + $0 }
        default: return nil
        }
    }
}
