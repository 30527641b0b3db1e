// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// The form that changes one stored link, whose address stays; beside it, the link as it will be.
struct LinkEditPage {
    let frame: Frame
    let entry: LinkEntry
    let draft: LinkDraft
    let drafted: DraftedLink
    /// Of the link as the form shows it: if it is another one by then, nothing is changed.
    let mark: String
    let names: LinkList.Names
    var problems: [FieldProblem] = []

    private var words: Words { frame.words }

    var html: HTML {
        let fields = LinkDraftFields(words: words, draft: draft, names: names, problems: problems)
        return frame.page(words.linkEdit, .links, note: entry.name) {
            // The form has no fields for the address.
            problems.without(fields: ["domain", "suffix"]).summary(words)
            div(.class("columns making")) {
                section(.class("block")) {
                    p(.class("note")) { words.linkEditNote }
                    form(
                        .id("link-change"), Attribute("method", "post"), .action(Place("/console/links/edit")),
                        Attribute("data-parts", Place("/console/links/draft").text)
                    ) {
                        frame.proof
                        input(.type("hidden"), .name("url"), .value(entry.address))
                        input(.type("hidden"), .name("mark"), .value(mark))
                        fields.destination()
                        fields.folds
                        p(.class("toolbar")) {
                            button(.class("primary")) { words.linkEditSave }
                            a(.class("button"), .href(entry.place)) { words.linkEditLeave }
                        }
                    }
                }
                drafted.aside(of: "link-change", words)
            }
        }
    }
}

extension Words {
    var linkEdit: String { translate("Change the link") }
    var linkEditSave: String { translate("Save the change") }
    var linkEditLeave: String { translate("Leave it as it is") }
    var linkEditNote: String {
        translate("Taps follow the change within a second. Clicks of the past keep the labels that they were counted under.")
    }
    var linkEdited: String { translate("The link is changed.") }
    var linkEditedMeanwhile: String {
        translate("Somebody changed this link after this form was opened. Your entries are still here: saving them replaces that change.")
    }
}
