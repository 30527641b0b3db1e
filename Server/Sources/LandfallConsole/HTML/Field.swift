// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a field of a form that was sent.
struct FieldProblem: Hashable, Sendable {
    /// The name of the field; empty for the whole form.
    let field: String
    let sentence: String
    /// It comes from the checker of the configuration, which speaks English only.
    let isEnglish: Bool

    /// What the sentence is about, such as a line; empty where the field says it.
    let place: String

    init(_ field: String, _ sentence: String, isEnglish: Bool = false, at place: String = "") {
        self.field = field
        self.sentence = sentence
        self.isEnglish = isEnglish
        self.place = place
    }

    /// The sentence, marked with its language where that is not the page's.
    var text: HTML {
        let sentence = isEnglish ? span(.lang(.english)) { self.sentence } : HTML(self.sentence)
        return place.isEmpty ? sentence : span { place + ": "; sentence }
    }
}

/// One line of a form: a label, the field, what to know about it, and its problem.
struct Field {
    let name: StaticString
    let title: String
    var type: StaticString = "text"
    var value = ""
    var hint: String?
    var complete: StaticString = "off"
    var isRequired = true
    /// A person begins to write here.
    var hasFocus = false
    var problems: [FieldProblem] = []

    var html: HTML {
        let problem = problems.first { $0.field == "\(name)" }?.text
        let described = [hint.map { _ in "\(name)-hint" }, problem.map { _ in "\(name)-problem" }].compactMap { $0 }
        return div(.class("field")) {
            label(Attribute("for", "\(name)")) { title }
            input(
                .id("\(name)"), .name(name), .type(type), .value(value), Attribute("autocomplete", "\(complete)"),
                .flag("required", isRequired), .optional("aria-invalid", problem == nil ? nil : "true"),
                .optional("aria-describedby", described.isEmpty ? nil : described.joined(separator: " ")), .flag("autofocus", hasFocus))
            if let hint { p(.class("hint"), .id("\(name)-hint")) { hint } }
            if let problem { p(.class("problem"), .id("\(name)-problem")) { problem } }
        }
    }
}

extension [FieldProblem] {
    /// The list above a form; nothing where there is no problem.
    func summary(_ words: Words) -> HTML? {
        guard !isEmpty else { return nil }
        return div(.class("alert"), Attribute("role", "alert"), Attribute("tabindex", "-1")) {
            p { words.errorSummary }
            ul {
                for problem in self {
                    li {
                        if problem.field.isEmpty { problem.text } else {
                            a(Attribute("href", "#" + problem.field)) { problem.text }
                        }
                    }
                }
            }
        }
    }
}
