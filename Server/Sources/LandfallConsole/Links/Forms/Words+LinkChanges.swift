// SPDX-License-Identifier: Apache-2.0

/// Changing several links at once.
extension Words {
    func linkChange(_ kind: LinkChangeKind) -> String {
        switch kind {
        case .archive: say("Archive links", "リンクをアーカイブ", "归档链接")
        case .takeUp: say("Take up links again", "リンクを再開", "恢复链接")
        case .relabel: say("Change labels of links", "リンクのラベルを変更", "更改链接标签")
        }
    }
    func linkChange(_ kind: LinkChangeKind, _ count: Int) -> String {
        switch kind {
        case .archive: say(count == 1 ? "Archive 1 link" : "Archive \(count) links", "\(count) 件のリンクをアーカイブ", "归档 \(count) 个链接")
        case .takeUp: say(count == 1 ? "Take up 1 link again" : "Take up \(count) links again", "\(count) 件のリンクを再開", "恢复 \(count) 个链接")
        case .relabel: say(count == 1 ? "Change labels of 1 link" : "Change labels of \(count) links", "\(count) 件のリンクのラベルを変更", "更改 \(count) 个链接的标签")
        }
    }
    /// A button under the list.
    func linkChangeChosen(_ kind: LinkChangeKind) -> String {
        switch kind {
        case .archive: say("Archive", "アーカイブ", "归档")
        case .takeUp: say("Take up again", "再開", "恢复")
        case .relabel: say("Change labels", "ラベルを変更", "更改标签")
        }
    }
    func linkChangeNote(_ kind: LinkChangeKind) -> String {
        switch kind {
        case .archive:
            say(
                "An archived link has expired: a person who taps it sees a page that says so. It can be taken up again.",
                "アーカイブしたリンクは期限切れになり、タップするとその旨のページが表示されます。あとで再開できます。",
                "归档的链接即为过期:点击后会看到说明页面。之后可以恢复。")
        case .takeUp:
            say(
                "Expired links lead to their destination again, and no longer expire. Links that have not expired stay as they are.",
                "期限切れのリンクが再び使えるようになり、有効期限はなくなります。期限内のリンクは変わりません。",
                "已过期的链接将重新可用,且不再到期。未过期的链接保持不变。")
        case .relabel:
            say(
                "Fields that are left empty change nothing. Clicks of the past keep the labels that they were counted under.",
                "空欄の項目は変更しません。これまでのクリックのラベルは変わりません。", "留空的字段不会更改。过去的点击保留原有标签。")
        }
    }

    var linkChoice: String { say("Choose", "選択", "选择") }
    func linkChoose(_ name: String) -> String { say("Choose \(name)", "\(name) を選択", "选择 \(name)") }
    var linkChooseAll: String { say("Choose all of this page", "このページをすべて選択", "全选本页") }
    var linkChosenActions: String {
        say(
            "For the chosen links. The next page says what will change.", "選択したリンクが対象です。変更内容は次のページで確認できます。",
            "用于所选链接。下一页会说明将更改的内容。")
    }
    var linkFileUnchosen: String {
        say(
            "Links of the file cannot be chosen: change them in the configuration.", "設定ファイルのリンクは選択できません。設定で変更してください。",
            "配置文件中的链接无法选择,请在配置中修改。")
    }
    func linkChosen(_ count: Int64) -> String {
        let number = language.count(count)
        return say(count == 1 ? "1 link is chosen" : "\(number) links are chosen", "\(number) 件のリンクを選択中", "已选择 \(number) 个链接")
    }
    func linkClear(_ label: String) -> String { say("Remove this label: \(label)", "ラベルを削除: \(label)", "移除此标签:\(label)") }
    var linkChangeChecked: String { say("Checked: nothing is changed yet", "確認結果 (まだ変更していません)", "检查结果(尚未更改)") }
    var linkChangeDone: String { say("The change is done", "変更が完了しました", "更改完成") }
    var linkToChange: String { say("To be changed", "変更予定", "将更改") }
    var linkChanged: String { say("Changed", "変更済み", "已更改") }
    var linkUnchanged: String { say("As it is already", "変更なし", "无需更改") }
    func linkChangeMore(_ count: Int64) -> String {
        let number = language.count(count)
        return say(
            count == 1 ? "1 more link is not named here." : "\(number) more links are not named here.", "ほかに \(number) 件あります。",
            "另有 \(number) 个链接未列出。")
    }
    var linkChangeBack: String { say("Back to the links", "リンクの一覧に戻る", "返回链接列表") }
}

/// What is wrong with a change of links.
extension Words {
    var linkChangeNone: String { say("Choose at least one link.", "リンクを 1 件以上選択してください。", "请至少选择一个链接。") }
    func linkChangeTooMany(_ most: Int) -> String {
        say(
            "Choose at most \(most) links at once. Nothing was changed.", "一度に選択できるリンクは \(most) 件までです。何も変更していません。",
            "一次最多选择 \(most) 个链接。未做任何更改。")
    }
    var linkChangeNoLabel: String {
        say("Write at least one label, or choose one to remove.", "ラベルを 1 つ以上入力するか、削除するラベルを選んでください。", "请至少填写一个标签,或选择要移除的标签。")
    }
    var linkChangeBoth: String {
        say("Write this label or remove it, not both.", "このラベルは入力か削除のどちらかにしてください。", "此标签只能填写或移除其一。")
    }
    var linkChangeRefused: String {
        say("A link like this could not be made now.", "このようなリンクは現在作成できません。", "目前无法创建这样的链接。")
    }
    var linkNotThere: String { say("There is no such link.", "このリンクはありません。", "没有此链接。") }
    var linkChangedMeanwhile: String {
        say(
            "Somebody changed this link in this moment. Check again.", "ほかのメンバーがこのリンクを変更しました。もう一度確認してください。",
            "其他成员刚刚更改了此链接。请重新检查。")
    }
}
