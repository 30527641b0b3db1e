// SPDX-License-Identifier: Apache-2.0

/// One line of a form about links: with suggestions, or of several lines.
struct LinkField {
    let name: StaticString
    let title: String
    var value = ""
    var hint: String?
    var type: StaticString = "text"
    /// Values that are there already.
    var suggestions: [String] = []
    var isRequired = false
    var hasFocus = false
    var isLong = false
    var problems: [FieldProblem] = []

    var html: HTML {
        let problem = problems.first { $0.field == "\(name)" }?.sentence
        let described = [hint.map { _ in "\(name)-hint" }, problem.map { _ in "\(name)-problem" }].compactMap { $0 }
        let invalid = Attribute.optional("aria-invalid", problem == nil ? nil : "true")
        let about = Attribute.optional("aria-describedby", described.isEmpty ? nil : described.joined(separator: " "))
        return div(.class("field")) {
            label(Attribute("for", "\(name)")) { title }
            if isLong {
                // Browsers remove the first line break of a text area.
                textarea(
                    [.id("\(name)"), .name(name), .flag("required", isRequired), Attribute("spellcheck", "false"), invalid, about],
                    HTML("\n" + value))
            } else {
                input(
                    .id("\(name)"), .name(name), .type(type), .value(value), Attribute("autocomplete", "off"),
                    .flag("required", isRequired), .flag("autofocus", hasFocus),
                    .optional("list", suggestions.isEmpty ? nil : "\(name)-known"), invalid, about)
            }
            if !suggestions.isEmpty {
                Element("datalist")(.id("\(name)-known")) { for suggestion in suggestions { option(.value(suggestion)) {} } }
            }
            if let hint { p(.class("hint"), .id("\(name)-hint")) { hint } }
            if let problem { p(.class("problem"), .id("\(name)-problem")) { problem } }
        }
    }
}
