// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// The fields of a rule: conditions in groups, each with buttons that move it by one line. The page's script takes the parts with
/// an id from the answers of the form.
struct AudienceRuleForm {
    let frame: Frame
    let forms: ConfigurationForms
    let rule: AudienceRule
    let choices: AttributeChoices
    let suggestions: AudienceSuggestions
    /// The id of what has the focus; nil leaves it.
    var focus: String?

    /// About 40 kB. With more, each choice is shorter.
    private static let mostOptions = 600

    private var words: Words { frame.words }

    var html: HTML {
        HTMLBuilder.buildBlock(
            div(.id("rule-form")) { group(rule, []) },
            div(.id("rule-values")) { suggestions.html(words) },
            p(.class("note")) { words.severalValues })
    }

    private func group(_ group: AudienceRule, _ place: [Int]) -> HTML {
        let name = place.isEmpty ? words.conditions : words.group(Self.said(place))
        return fieldset(.class("rule-group")) {
            legend(.class("hidden")) { name }
            div(.class("rule-line")) {
                picker("group", place, words.combining, group.kind.rawValue, AudienceRule.Kind.allCases.map { ($0.rawValue, words.name(of: $0)) })
                if !place.isEmpty { moves(place, name) }
            }
            if !group.parts.isEmpty {
                ol(.class("rule-parts")) {
                    for (index, part) in group.parts.enumerated() { li { html(part, place + [index]) } }
                }
            }
            div(.class("toolbar")) {
                adding(.add, place, words.addCondition)
                adding(.nest, place, words.addGroup)
            }
        }
    }

    private func html(_ part: AudienceRule.Part, _ place: [Int]) -> HTML {
        switch part {
        case .group(let inner): group(inner, place)
        case .line(let line): html(line, place)
        }
    }

    private func html(_ line: AudienceRule.Line, _ place: [Int]) -> HTML {
        let name = words.condition(Self.said(place))
        return div(.class("rule-line"), Attribute("role", "group"), .label(name)) {
            control("attribute", place, words.attribute) { attribute(line, $0) }
            values(line, place)
            moves(place, name)
        }
    }

    @HTMLBuilder private func values(_ line: AudienceRule.Line, _ place: [Int]) -> HTML {
        let kind = choices.subject(line.attribute)?.kind
        switch line.attribute {
        case AudienceRule.Line.segment:
            let known = choices.segments.contains(line.value) || line.value.isEmpty ? choices.segments : [line.value] + choices.segments
            picker("value", place, words.name(ofAttribute: line.attribute), line.value, known.map { ($0, $0) })
        case AudienceRule.Line.share:
            box("value", place, words.draw, line.value, isHidden: false)
            box("from", place, words.shareFrom, line.from, hint: "0%", isHidden: false)
            box("to", place, words.shareTo, line.to, hint: "100%", isHidden: false)
        default:
            picker("operation", place, words.operation, line.operation, operations(line, kind))
            if kind == .boolean, !line.needsNoValue {
                picker("value", place, words.value, line.value.lowercased(), ["true", "false"].map { ($0, words.said($0)) })
            } else if !line.needsNoValue {
                box(
                    "value", place, words.value, line.value, hint: Self.example(line.operation, kind),
                    list: line.attribute.isEmpty ? nil : AudienceSuggestions.list(line.attribute))
            }
        }
    }

    private func operations(_ line: AudienceRule.Line, _ kind: ValueKind?) -> [(value: String, name: String)] {
        let known = choices.operations(line.attribute)
        let all = known.contains(line.operation) || line.operation.isEmpty ? known : [line.operation] + known
        return all.map { ($0, words.operation($0, of: kind)) }
    }

    /// How a value is written, where that is not plain.
    private static func example(_ operation: String, _ kind: ValueKind?) -> String? {
        switch (operation, kind) {
        case ("within", _), ("olderThan", _): "7d"
        case ("between", .date): "2026-01-01T00:00:00Z, 2026-02-01T00:00:00Z"
        case (_, .date): "2026-01-01T00:00:00Z"
        case ("between", _): "1, 5"
        case (_, .version): "2.1"
        default: nil
        }
    }

    private func attribute(_ line: AudienceRule.Line, _ attributes: [Attribute]) -> HTML {
        let groups = choices.groups(around: line.attribute, isLong: rule.lines.count * choices.count > Self.mostOptions)
        var options = groups.map { group, ids in
            optgroup(Attribute("label", words.name(of: group))) {
                for id in ids {
                    let name = words.name(ofAttribute: id)
                    option(.value(id), .flag("selected", id == line.attribute)) { group == .named ? name : name + " – " + id }
                }
            }
        }
        // Nothing is chosen yet, or what the file no longer has.
        if !groups.contains(where: { $0.ids.contains(line.attribute) }) {
            let name = line.attribute.isEmpty ? words.chooseAttribute : line.attribute
            options.insert(option(.value(line.attribute), .flag("selected")) { name }, at: 0)
        }
        return select(attributes, HTMLBuilder.buildArray(options))
    }

    private func adding(_ verb: AudienceRule.Order.Verb, _ place: [Int], _ title: String) -> HTML? {
        guard rule.hasRoom(for: verb, at: place) else { return nil }
        return order(verb, place, [.class("plain")], title)
    }

    private func moves(_ place: [Int], _ name: String) -> HTML {
        div(.class("moves")) {
            order(.up, place, [.label(words.moveUp(name))], "↑")
            order(.down, place, [.label(words.moveDown(name))], "↓")
            order(.remove, place, [.class("danger"), .label(words.remove(name))], "×")
        }
    }

    private func order(_ verb: AudienceRule.Order.Verb, _ place: [Int], _ attributes: [Attribute], _ title: String) -> HTML {
        let order = AudienceRule.Order(verb, place).text
        return button(attributes + [.id(order), .name("change"), .value(order), .flag("autofocus", order == focus)], HTML(title))
    }

    private func picker(
        _ field: String, _ place: [Int], _ title: String, _ chosen: String, _ options: [(value: String, name: String)]
    ) -> HTML {
        control(field, place, title) { attributes in
            select(attributes, HTMLBuilder.buildArray(options.map { one in
                option(.value(one.value), .flag("selected", one.value == chosen)) { one.name }
            }))
        }
    }

    private func box(
        _ field: String, _ place: [Int], _ title: String, _ value: String, hint: String? = nil, list: String? = nil, isHidden: Bool = true
    ) -> HTML {
        control(field, place, title, isHidden: isHidden) { attributes in
            input(attributes + [.value(value), Attribute("autocomplete", "off"), .optional("placeholder", hint), .optional("list", list)])
        }
    }

    private func control(
        _ field: String, _ place: [Int], _ title: String, isHidden: Bool = true, _ content: ([Attribute]) -> HTML
    ) -> HTML {
        let id = AudienceRule.name(field, place)
        return frame.control(id, title, forms, isHidden: isHidden) {
            content([.id(id), Attribute("name", id), .flag("autofocus", id == focus)] + frame.described(id, forms))
        }
    }

    /// The place as people count: from 1.
    private static func said(_ place: [Int]) -> String { place.map { "\($0 + 1)" }.joined(separator: ".") }
}
