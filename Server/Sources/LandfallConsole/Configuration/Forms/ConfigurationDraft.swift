// SPDX-License-Identifier: Apache-2.0

/// What a member changed on the page, and did not publish yet. The page carries it: the server keeps nothing of it.
struct ConfigurationDraft: Hashable, Sendable {
    /// Where the draft can go.
    enum Way: Hashable, Sendable {
        case review
        /// A file has the last word: `--config-owner file`.
        case ownedByFile
        /// The file is too large for a form.
        case tooLarge
    }

    /// The changed file; empty where it is too large for a form.
    let text: String
    let changes: LineChanges
    let way: Way
    /// The changed entry, to be copied; nil where it is removed.
    let entry: String?
}

/// The forms of a page. Nil on a page means that the member may only read.
struct ConfigurationForms: Hashable, Sendable {
    /// The version from which the member began.
    let base: Int64
    /// Nil where nothing is changed yet.
    var draft: ConfigurationDraft?
    var problems: [FieldProblem] = []
    /// What was typed into a form that was refused; empty where the page shows what the file says.
    var typed: [String: String] = [:]
    /// Why it changes, as far as somebody wrote that.
    var message: String

    init(base: Int64, message: String = "") { (self.base, self.message) = (base, message) }

    func value(_ field: String, _ said: String) -> String { typed[field] ?? said }

    /// The page was opened, and answers no form that somebody has filled.
    var isOpened: Bool { problems.isEmpty && [nil, "open"].contains(typed["change"]) }
}

extension Frame {
    /// The hidden fields of a form that goes on from the draft, also with the reason that was written for it.
    func carriedOn(_ forms: ConfigurationForms) -> HTML {
        guard forms.draft != nil else { return carried(forms) }
        return HTML(markup: carried(forms).markup + input(.type("hidden"), .name("message"), .value(forms.message)).markup)
    }

    /// The hidden fields that carry what was changed so far.
    private func carried(_ forms: ConfigurationForms) -> HTML {
        HTML(markup: [
            proof, input(.type("hidden"), .name("base"), .value("\(forms.base)")),
            forms.draft.map { $0.way == .tooLarge ? .empty : input(.type("hidden"), .name("text"), .value($0.text)) } ?? .empty,
        ].map(\.markup).joined())
    }

    /// What is changed, and the way on.
    func draft(_ forms: ConfigurationForms?) -> HTML? {
        guard let forms, let draft = forms.draft else { return nil }
        return section(.class("block"), .flag("data-draft", draft.way == .review)) {
            div(.class("alert good"), Attribute("role", "status")) { p { words.draftNote } }
            draft.changes.html(words.versions, name: words.draftLines)
            switch draft.way {
            case .review:
                form(Attribute("method", "post"), .action(Place("/console/versions/draft/check"))) {
                    carried(forms)
                    Field(name: "message", title: words.draftMessage, value: forms.message, hint: words.draftMessageHint, isRequired: false).html
                    button(.class("primary")) { words.review }
                    div(.class("toolbar")) {
                        span(.class("quiet")) { words.addMore }
                        for kind in NewEntryPage.Kind.allCases {
                            button(Attribute("formaction", kind.place.text), .name("change"), .value("open")) { words.new(kind) }
                        }
                    }
                }
            case .ownedByFile, .tooLarge:
                p { draft.way == .ownedByFile ? words.ownedByFile : words.tooLargeToCarry }
                if let entry = draft.entry { Self.source(entry) } else { p { words.removeFromFile } }
            }
        }
    }

    /// A form around the controls of a page. Its first button is the one that Enter presses.
    func editing(_ place: Place, _ forms: ConfigurationForms, @HTMLBuilder content: () -> HTML) -> HTML {
        form(.class("entry"), Attribute("method", "post"), .action(place)) {
            carriedOn(forms)
            content()
        }
    }

    /// The text of an entry, to be written by hand.
    func yamlField(_ yaml: String, _ forms: ConfigurationForms, isOpen: Bool = false) -> HTML {
        details(.flag("open", isOpen || forms.problems.contains { $0.field == "yaml" })) {
            summary { words.asYAML }
            control("yaml", words.yamlOf, forms) {
                area("yaml", forms.value("yaml", yaml), forms)
            }
            button(.name("change"), .value("yaml")) { words.takeYAML }
        }
    }

    /// One control with its label, what to know about it, and its problem.
    func control(
        _ field: String, _ title: String, _ forms: ConfigurationForms, isHidden: Bool = false, hint: String? = nil,
        @HTMLBuilder content: () -> HTML
    ) -> HTML {
        div(.class("field")) {
            label([Attribute("for", field)] + (isHidden ? [.class("hidden")] : []), HTML(title))
            content()
            if let hint { p(.class("hint"), .id(field + "-hint")) { hint } }
            if let problem = forms.problems.first(where: { $0.field == field }) {
                p(.class("problem"), .id(field + "-problem")) { problem.text }
            }
        }
    }

    /// Browsers drop the first line break.
    func area(_ field: String, _ text: String, _ forms: ConfigurationForms, isHinted: Bool = false) -> HTML {
        textarea(
            [.id(field), Attribute("name", field), Attribute("spellcheck", "false")] + described(field, forms, isHinted: isHinted),
            HTML("\n" + text))
    }

    /// - Parameters:
    ///   - mode: which keys a phone offers.
    ///   - hasFocus: a person begins to write here.
    func box(
        _ field: String, _ text: String, _ forms: ConfigurationForms, list: String? = nil, mode: String? = nil, hasFocus: Bool = false
    ) -> HTML {
        let isWrong = forms.problems.contains { $0.field == field }
        return input(
            .id(field), Attribute("name", field), .value(text), Attribute("autocomplete", "off"), .optional("list", list), .optional("inputmode", mode),
            .optional("aria-invalid", isWrong ? "true" : nil), .optional("aria-describedby", isWrong ? field + "-problem" : nil),
            .flag("autofocus", hasFocus))
    }

    func described(_ field: String, _ forms: ConfigurationForms, isHinted: Bool = false) -> [Attribute] {
        let isWrong = forms.problems.contains { $0.field == field }
        let texts = (isHinted ? [field + "-hint"] : []) + (isWrong ? [field + "-problem"] : [])
        return [
            .optional("aria-invalid", isWrong ? "true" : nil),
            .optional("aria-describedby", texts.isEmpty ? nil : texts.joined(separator: " ")),
        ]
    }
}

/// A page with a draft alone: its entry is removed, or the page of the entry shows what is published only.
struct RemovedEntryPage {
    let frame: Frame
    let section: Frame.Section
    let name: String
    let forms: ConfigurationForms

    var html: HTML {
        frame.page(name, section, note: frame.words.version(forms.base)) {
            forms.problems.summary(frame.words)
            frame.draft(forms)
        }
    }
}
