// SPDX-License-Identifier: Apache-2.0

/// The form that adds an entry to the file. What it makes is a draft, as every other change.
struct NewEntryPage {
    enum Kind: String, CaseIterable, Hashable, Sendable {
        case paywall, audience, placement, experiment

        /// Of the file, and of the addresses of the console.
        var section: String { rawValue + "s" }

        var room: Frame.Section {
            switch self {
            case .paywall: .paywalls
            case .audience: .audiences
            case .placement: .placements
            case .experiment: .experiments
            }
        }

        var place: Place { Place("/console/new", [rawValue]) }
    }

    let frame: Frame
    let kind: Kind
    var forms: ConfigurationForms
    /// What a placement can show.
    var paywalls: [String] = []
    var experiments: [String] = []
    /// Of an audience: its rule, what it says so far, and whom it matches.
    var form: AudienceRuleForm?
    var condition: ConditionPart?
    var matches = AudiencePage.Matches.notCounted

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.new(kind), kind.room, note: words.version(forms.base)) {
            section(.class("block")) {
                if form == nil { forms.problems.summary(words) }
                if forms.draft != nil { p(.class("note")) { words.addsToDraft } }
                if let form {
                    frame.ruleForm(kind.place, forms) {
                        name
                        form.html
                        frame.ruleNow(condition, matches, forms, form.rule, counting: nil)
                        div(.class("toolbar")) {
                            create
                            button(.name("change"), .value("show")) { words.show }
                        }
                    }
                } else {
                    frame.editing(kind.place, forms) {
                        name
                        fields
                        create
                    }
                }
            }
            frame.draft(forms)
        }
    }

    private var name: HTML {
        Field(
            name: "name", title: words.entryName, value: forms.value("name", ""), hint: words.entryNameHint, isRequired: false,
            hasFocus: forms.isOpened, problems: forms.problems
        ).html
    }

    private var create: HTML { button(.class("primary"), .name("change"), .value("create")) { words.new(kind) } }

    @HTMLBuilder private var fields: HTML {
        switch kind {
        case .paywall: paywall
        case .placement:
            frame.control("shows", words.everyoneSees, forms) {
                frame.choice("shows", showings, forms)
            }
            p(.class("note")) { words.moreAudiencesLater }
        // The rule has a form of its own; an experiment has a page of its own: ``NewExperimentPage``.
        case .audience, .experiment: HTML.empty
        }
    }

    private var showings: [(value: String, name: String)] {
        paywalls.map { ("paywall:" + $0, $0) } + experiments.map { ("experiment:" + $0, words.name(of: .experiment) + " " + $0) }
    }

    @HTMLBuilder private var paywall: HTML {
        frame.control("products", words.products, forms, hint: words.productsNote) {
            frame.area("products", forms.value("products", ""), forms, isHinted: true)
        }
        Field(
            name: "locale", title: words.firstLocale, value: forms.value("locale", ""), hint: words.localeHint, isRequired: false,
            problems: forms.problems
        ).html
        frame.control("config", words.remoteConfig, forms, hint: words.configHint) {
            frame.area("config", forms.value("config", ""), forms, isHinted: true)
        }
    }
}

extension Frame {
    /// - Parameter said: what is chosen while nobody has typed anything.
    func choice(_ field: String, _ options: [(value: String, name: String)], _ forms: ConfigurationForms, said: String? = nil) -> HTML {
        select([.id(field), Attribute("name", field)] + described(field, forms), HTML(markup: options.map { one in
            option(.value(one.value), .flag("selected", (forms.typed[field] ?? said) == one.value)) { one.name }.markup
        }.joined()))
    }

    /// The way to the form, for members who may publish.
    func adding(_ kind: NewEntryPage.Kind, version: Int64?) -> HTML? {
        guard version != nil, can(.publishing) else { return nil }
        return p(.class("toolbar")) { a(.class("button"), .href(kind.place)) { words.new(kind) } }
    }
}
