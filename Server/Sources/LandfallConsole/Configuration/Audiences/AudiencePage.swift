// SPDX-License-Identifier: Apache-2.0

/// One audience: what it needs, whom it matches, and where it is asked.
struct AudiencePage {
    /// What is known about how many it matches.
    enum Matches: Hashable, Sendable {
        case counted(MatchSample)
        case notCounted
        /// Another member's count is under way.
        case busy
        /// This node does not serve the version.
        case notServed
    }

    let frame: Frame
    let version: Int64
    let name: String
    /// Nil where the form has no condition.
    let condition: ConditionPart?
    let matches: Matches
    let uses: [ConfigurationUse]
    let yaml: String?
    var forms: ConfigurationForms?
    /// Nil for a rule that no form shows.
    var form: AudienceRuleForm?
    /// The page answers a form, which has counted.
    var isAnswer = false

    private var words: Words { frame.words }
    private var counting: Place { Place("/console/audiences", [name], query: [("count", "now")]) }

    var html: HTML {
        frame.page(name, .audiences, note: words.version(version)) {
            if let forms {
                change(forms)
                div(.id("draft")) { frame.draft(forms) }
            } else {
                section(.class("block")) {
                    h2 { words.conditions }
                    p(.class("note")) { words.conditionsNote }
                    condition?.html(words)
                }
                section(.class("block")) {
                    h2 { words.matches }
                    frame.numbers(matches, counting: counting)
                }
            }
            frame.uses(uses, none: words.noUsesOfAudience)
            if forms == nil || yaml == nil { frame.yaml(yaml, words.inTheFile) }
        }
    }

    private func change(_ forms: ConfigurationForms) -> HTML {
        section(.class("block")) {
            h2 { words.conditions }
            frame.ruleForm(Place("/console/audiences", [name]), forms) {
                if let form { form.html } else { p(.class("note")) { words.ruleIsNoForm } }
                frame.ruleNow(condition, matches, forms, form?.rule, counting: isAnswer ? nil : counting)
                if form != nil {
                    div(.class("toolbar")) {
                        button(.class("primary"), .name("change"), .value("rows")) { words.take }
                        button(.name("change"), .value("show")) { words.show }
                    }
                }
                div(.id("rule-yaml")) { if let yaml { frame.yamlField(yaml, forms, isOpen: form == nil) } }
                button(.class("danger"), .name("change"), .value("delete")) { words.delete(name) }
            }
        }
    }
}

extension Frame {
    /// A form with a rule. Its first button is the one that Enter presses: it is not seen.
    func ruleForm(_ place: Place, _ forms: ConfigurationForms, @HTMLBuilder content: () -> HTML) -> HTML {
        form(.class("entry"), Attribute("method", "post"), .action(place), .flag("data-rule")) {
            div(.id("carried"), .flag("hidden")) { carriedOn(forms) }
            button(.name("change"), .value("show"), .flag("hidden")) { words.show }
            content()
        }
    }

    /// What the rule says, and whom it matches.
    /// - Parameters:
    ///   - condition: nil where nothing is chosen yet.
    ///   - rule: as it is typed.
    ///   - counting: where the numbers are counted on request; nil where the form itself counts.
    func ruleNow(
        _ condition: ConditionPart?, _ matches: AudiencePage.Matches, _ forms: ConfigurationForms, _ rule: AudienceRule?, counting: Place?
    ) -> HTML {
        // The region stays while the script puts another part into it.
        div(Attribute("aria-live", "polite")) {
            div(.id("rule-now"), .class("rule-now")) {
                if forms.problems.isEmpty {
                    if let condition { condition.html(words) } else { p(.class("empty")) { words.needsCondition } }
                    if rule?.lines.contains(where: { $0.line.lacking != nil }) == true { p(.class("note")) { words.leftOut } }
                    if matches != .notCounted || counting != nil {
                        p { strong { words.matches } }
                        numbers(matches, counting: counting)
                    }
                } else {
                    forms.problems.summary(words)
                }
            }
        }
    }

    /// How many installs an audience matches.
    /// - Parameter counting: where they are counted on request; nil where that is not possible.
    @HTMLBuilder func numbers(_ matches: AudiencePage.Matches, counting: Place?) -> HTML {
        switch matches {
        case .notServed: p(.class("empty")) { words.notServed }
        case .busy:
            p(.class("empty"), Attribute("role", "status")) { words.countBusy }
            countLink(counting)
        case .notCounted:
            p(.class("empty")) { words.notCounted }
            countLink(counting)
        case .counted(let sample) where sample.sampled == 0: p(.class("empty")) { words.noInstalls }
        case .counted(let sample):
            dl(.class("figures")) {
                figure(words.matching, sample.count.yes, sample, share: sample.range(words))
                if sample.count.unknown > 0 { figure(words.matchUnknown, sample.count.unknown, sample) }
                figure(words.notMatching, sample.count.no, sample)
            }
            p(.class("note")) {
                sample.isEverything
                    ? words.ofAllInstalls(sample.total(words)) : words.ofSample(sample.total(words))
                words.countedAt(words.moment(sample.atMs))
            }
            countLink(counting)
        }
    }

    private func countLink(_ place: Place?) -> HTML? {
        place.map { place in p { a(.class("button"), .href(place)) { words.countMatches } } }
    }

    private func figure(_ title: String, _ value: Int, _ sample: MatchSample, share: String? = nil) -> HTML {
        div(.class("figure")) {
            dt { title }
            dd(.class("value")) { sample.text(value, words) }
            if let share { dd(.class("before")) { words.ofInstalls(share) } }
        }
    }
}
