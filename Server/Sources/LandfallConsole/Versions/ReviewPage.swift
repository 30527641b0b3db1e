// SPDX-License-Identifier: Apache-2.0

/// A text that can be served: what it changes, and for whom. From here it is published.
struct ReviewPage {
    /// Why the text is not published.
    enum Refusal: Hashable, Sendable {
        case ownedByFile
        /// Sections that need another role.
        case protected([String])
        /// The text is another one than the checked one.
        case unchecked
        /// Keys or identity keys change, and the password was given too long ago.
        case unproven
    }

    let frame: Frame
    let draft: DraftText
    /// Tells which text this page shows.
    let checked: String
    let changes: ChangeList
    let lineChanges: LineChanges
    var warnings: [TextRemark] = []
    /// Nil if it was not measured.
    var impact: ImpactSample?
    var refusal: Refusal?
    var problems: [FieldProblem] = []
    /// When it is to be published, as the form had it.
    var at = ""
    var timeZone = "UTC"
    /// Another version waits for its time.
    var isScheduled = false

    private var words: VersionWords { frame.words.versions }

    private var canPublish: Bool {
        switch refusal {
        case nil, .unchecked, .unproven: true
        case .ownedByFile, .protected: false
        }
    }

    var html: HTML {
        frame.page(words.review, .versions, note: draft.base > 0 ? words.madeFrom(draft.base) : nil) {
            if let refusal {
                div(.class("alert"), Attribute("role", "alert"), Attribute("tabindex", "-1")) {
                    p { words.sentence(of: refusal) }
                    if refusal == .unproven { frame.passwordLink }
                }
            }
            problems.summary(frame.words)
            section(.class("block")) {
                h2 { words.whatChanges }
                changes.html(words)
            }
            section(.class("block")) {
                h2 { words.impact }
                if let impact { impact.html(words) } else { p(.class("note")) { words.notMeasured } }
            }
            if !warnings.isEmpty {
                section(.class("block")) {
                    h2 { words.warnings }
                    remarkList(warnings, words)
                }
            }
            section(.class("block")) {
                h2 { words.byLine }
                lineChanges.html(words, name: words.byLine)
            }
            section(.class("block")) {
                h2 { canPublish ? words.publish : words.text }
                publication
            }
        }
    }

    private var publication: HTML {
        let check = Place("/console/versions/draft/check")
        return form(
            .class("editor"), Attribute("method", "post"), .action(canPublish ? Place("/console/versions/draft/publish") : check)
        ) {
            frame.proof
            input(.type("hidden"), .name("base"), .value("\(draft.base)"))
            input(.type("hidden"), .name("checked"), .value(checked))
            if canPublish {
                Field(
                    name: "message", title: words.message, value: draft.message, hint: words.messageHint, isRequired: false,
                    problems: problems
                ).html
                Field(
                    name: "at", title: words.publishAt(timeZone), type: "datetime-local", value: at, hint: words.publishAtHint,
                    isRequired: false, problems: problems
                ).html
                if isScheduled { p(.class("note")) { words.anotherIsScheduled } }
                p { button(.class("primary")) { words.publish } }
                details {
                    summary { words.editFurther }
                    configurationText(draft.text, title: words.text)
                    p(.class("toolbar")) { button(Attribute("formaction", check.text)) { words.checkAgain } }
                }
            } else {
                input(.type("hidden"), .name("message"), .value(draft.message))
                p(.class("note")) { words.copyHint }
                configurationText(draft.text, title: words.copyYAML)
                button { words.checkAgain }
            }
        }
    }
}

extension Frame {
    /// The way to give the password again, while the form stays open.
    var passwordLink: HTML {
        p {
            a(.href(Place("/console/confirm")), Attribute("target", "_blank"), Attribute("rel", "noopener")) { words.versions.confirmPassword }
        }
    }
}
