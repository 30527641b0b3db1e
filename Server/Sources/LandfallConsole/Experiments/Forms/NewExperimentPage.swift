// SPDX-License-Identifier: Apache-2.0

/// The form of a new experiment, in the order in which a team decides: the question, what is tried, who takes part, how long, the start.
struct NewExperimentPage {
    let frame: Frame
    let forms: ConfigurationForms
    /// How long it takes, for what the form has; nil where nothing is computed.
    let plan: ExperimentPlan?
    var paywalls: [String] = []
    var placements: [String] = []
    var audiences: [String] = []
    var metrics: [String] = []

    private var words: Words { frame.words }
    private var told: ExperimentWords { words.experiments }

    var html: HTML {
        frame.page(words.new(.experiment), .experiments, note: words.version(forms.base)) {
            forms.problems.summary(words)
            if forms.draft != nil { p(.class("note")) { words.addsToDraft } }
            frame.editing(NewEntryPage.Kind.experiment.place, forms) {
                step(told.question) { question }
                step(told.tried) { tried }
                step(told.takesPart) { takesPart }
                step(told.howLong) { howLong }
                step(told.start) { start }
            }
            frame.draft(forms)
        }
    }

    private func step(_ title: String, @HTMLBuilder content: () -> HTML) -> HTML {
        section(.class("block")) {
            h2 { title }
            content()
        }
    }

    private func has(_ fields: [String]) -> Bool { forms.problems.contains { fields.contains($0.field) } }

    private var asksForNumbers: Bool {
        let fields = ["rate", "perDay"]
        return plan?.lacksNumbers == true || has(fields) || fields.contains { !forms.value($0, "").isEmpty }
    }

    private func box(_ field: String, _ title: String, hint: String? = nil) -> HTML {
        frame.control(field, title, forms) {
            if let hint { p(.class("hint")) { hint } }
            frame.box(field, forms.value(field, ""), forms)
        }
    }

    private func choice(_ field: String, _ title: String, _ names: [String], none: Bool) -> HTML {
        frame.control(field, title, forms) {
            frame.choice(field, (none ? [("", "–")] : []) + names.map { ($0, $0) }, forms)
        }
    }

    @HTMLBuilder private var question: HTML {
        frame.control("question", told.question, forms, isHidden: true) {
            p(.class("hint")) { told.questionHint + " " + words.draftMessageHint }
            frame.box("question", forms.value("question", ""), forms, hasFocus: forms.isOpened)
        }
        box("name", words.entryName, hint: words.entryNameHint + " " + told.nameIsOptional)
    }

    @HTMLBuilder private var tried: HTML {
        p(.class("note")) { told.triedNote }
        for index in 0..<NewExperiment.mostVariations {
            choice("paywall.\(index)", index == 0 ? words.controlVariation : words.variation(index + 1), paywalls, none: index > 0)
        }
        let fields = (0..<NewExperiment.mostVariations).flatMap { ["variation.\($0)", "weight.\($0)"] }
        details(.flag("open", has(fields))) {
            summary { told.namesAndWeights }
            p(.class("note")) { told.weightsNote }
            for index in 0..<NewExperiment.mostVariations {
                fieldset(.class("adding")) {
                    legend { index == 0 ? words.controlVariation : words.variation(index + 1) }
                    frame.control("variation.\(index)", words.entryName, forms) {
                        frame.box("variation.\(index)", forms.value("variation.\(index)", NewExperiment.names[index]), forms)
                    }
                    box("weight.\(index)", words.weight)
                }
            }
        }
    }

    @HTMLBuilder private var takesPart: HTML {
        p(.class("note")) { told.takesPartNote }
        choice("placement", words.placement, placements, none: true)
        frame.control("audience", words.audience, forms) {
            frame.choice("audience", [(PlacementEntry.everyone, words.everyone)] + audiences.map { ($0, $0) }, forms)
        }
    }

    @HTMLBuilder private var howLong: HTML {
        if metrics.isEmpty {
            p(.class("empty")) { told.noMetrics }
            p(.class("toolbar")) { a(.class("button"), .href(Place("/console/versions/draft"))) { words.versions.edit } }
        } else {
            choice("primary", told.primary, metrics, none: true)
            box("effect", told.effect, hint: told.effectHint)
            details(.flag("open", asksForNumbers)) {
                summary { told.otherNumbers }
                box("rate", told.controlRate)
                box("perDay", told.dailyUnits)
            }
            output(.id("plan")) { for sentence in plan?.sentences(told) ?? [] { span(.class("line")) { sentence } } }
            button(.name("change"), .value("compute")) { told.compute }
        }
    }

    @HTMLBuilder private var start: HTML {
        fieldset {
            legend(.class("hidden")) { told.start }
            if !metrics.isEmpty { radio("live", told.atOnce) }
            radio("draft", told.asDraft)
        }
        button(.class("primary"), .name("change"), .value("create")) { told.checkChange }
    }

    private func radio(_ state: String, _ title: String) -> HTML {
        label(.class("choice")) {
            input(.type("radio"), .name("state"), .value(state), .flag("checked", forms.value("state", "draft") == state))
            span { title }
        }
    }
}
