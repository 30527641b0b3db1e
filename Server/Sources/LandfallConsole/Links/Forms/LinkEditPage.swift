// SPDX-License-Identifier: Apache-2.0

/// The form that changes one stored link; its address stays.
struct LinkEditPage {
    let frame: Frame
    let entry: LinkEntry
    let draft: LinkDraft
    /// Of the link as the form shows it: if it is another one by then, nothing is changed.
    let mark: String
    let campaigns: [String]
    var problems: [FieldProblem] = []

    private var words: Words { frame.words }

    var html: HTML {
        let fields = LinkDraftFields(words: words, draft: draft, campaigns: campaigns, problems: problems)
        return frame.page(words.linkEdit, .links, note: entry.name) {
            section(.class("block narrow")) {
                // The form has no fields for the address.
                problems.without(fields: ["domain", "suffix"]).summary(words)
                p(.class("note")) { words.linkEditNote }
                form(Attribute("method", "post"), .action(Place("/console/links/edit"))) {
                    frame.proof
                    input(.type("hidden"), .name("url"), .value(entry.address))
                    input(.type("hidden"), .name("mark"), .value(mark))
                    fields.destination
                    fields.labels
                    fields.more
                    p(.class("toolbar")) {
                        button(.class("primary")) { words.linkEditSave }
                        a(.class("button"), .href(entry.place)) { words.linkEditLeave }
                    }
                }
            }
        }
    }
}

extension Words {
    var linkEdit: String { say("Change the link", "リンクを変更", "更改链接") }
    var linkEditSave: String { say("Save the change", "変更を保存", "保存更改") }
    var linkEditLeave: String { say("Leave it as it is", "変更しない", "保持不变") }
    var linkEditNote: String {
        say(
            "Taps follow the change within a second. Clicks of the past keep the labels that they were counted under.",
            "タップには 1 秒以内に反映されます。過去のクリックは、集計時のラベルのままです。", "点击会在一秒内按更改处理。过去的点击保留当时统计的标签。")
    }
    var linkEdited: String { say("The link is changed.", "リンクを変更しました。", "链接已更改。") }
    var linkEditedMeanwhile: String {
        say(
            "Somebody changed this link after this form was opened. Your entries are still here: saving them replaces that change.",
            "このフォームを開いたあとに、ほかのメンバーがリンクを変更しました。入力内容は残っています。保存するとその変更を置き換えます。",
            "打开此表单后,其他成员更改了此链接。您的输入仍在;保存将替换对方的更改。")
    }
}
