// SPDX-License-Identifier: Apache-2.0

/// The text of the configuration, to be edited.
struct DraftPage {
    let frame: Frame
    let draft: DraftText
    let isFileOwned: Bool
    var problems: [FieldProblem] = []
    /// What keeps the text from being served.
    var remarks: [TextRemark] = []
    var isUnchanged = false

    var html: HTML {
        let words = frame.words.versions
        return frame.page(words.edit, .versions, note: draft.base > 0 ? words.madeFrom(draft.base) : nil) {
            if isFileOwned { p(.class("note")) { words.ownedByFileEdit } }
            if isUnchanged { div(.class("alert good"), Attribute("role", "status")) { p { words.unchanged } } }
            problems.summary(frame.words)
            if !remarks.isEmpty {
                div(.class("alert"), Attribute("role", "alert"), Attribute("tabindex", "-1")) {
                    p { frame.words.errorSummary }
                    remarkList(remarks, words, isLinked: true)
                }
            }
            section(.class("block")) {
                form(.class("editor"), Attribute("method", "post"), .action(Place("/console/versions/draft/check"))) {
                    frame.proof
                    input(.type("hidden"), .name("base"), .value("\(draft.base)"))
                    configurationText(
                        draft.text, title: words.text, isWrong: !remarks.isEmpty || problems.contains { $0.field == "text" },
                        describedBy: "text-hint")
                    p(.class("hint"), .id("text-hint")) { words.checkHint }
                    Field(
                        name: "message", title: words.message, value: draft.message, hint: words.messageHint, isRequired: false,
                        problems: problems
                    ).html
                    p(.class("toolbar")) {
                        button(.class("primary")) { words.check }
                        a(.class("button"), .href(Place("/console/versions"))) { frame.words.cancel }
                    }
                }
            }
        }
    }
}
