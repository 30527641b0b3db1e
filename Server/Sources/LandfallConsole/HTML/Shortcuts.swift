// SPDX-License-Identifier: Apache-2.0

/// The keys that work on every page, while no field has the focus. They can be switched off (WCAG 2.1.4): then pages do not have
/// them at all.
extension Frame {
    /// Opened by `?`. Without script nothing opens it, and the account page has the same list.
    var shortcutsDialog: HTML {
        dialog(.id("shortcuts"), Attribute("aria-labelledby", "shortcuts-title")) {
            h2(.id("shortcuts-title")) { words.shortcuts }
            shortcutsList
            p(.class("hint")) { a(.href(Place("/console/account"))) { words.shortcutsOff } }
            button(.type("button")) { words.shortcutsClose }
        }
    }

    var shortcutsList: HTML {
        dl(.class("shortcuts")) {
            shortcut(["/"], words.shortcutSearch)
            for item in SectionGroup.allCases.flatMap(\.sections) where can(item.right) {
                if let letter = item.letter { shortcut(["g", letter], words.name(of: item)) }
            }
            shortcut(["?"], words.shortcutHelp)
            shortcut(["Esc"], words.shortcutEscape)
        }
    }

    private func shortcut(_ keys: [String], _ name: String) -> HTML {
        div {
            dt { for key in keys { kbd { key } } }
            dd { name }
        }
    }
}

extension Frame.Section {
    /// What leads here after `g`: the first letter of the section's name that no section before it has. The same in every language.
    var letter: String? { Self.letters[self] }

    private static let letters: [Frame.Section: String] = {
        var letters: [Frame.Section: String] = [:]
        for section in allCases {
            letters[section] = section.rawValue.lowercased().map { String($0) }.first { !letters.values.contains($0) }
        }
        return letters
    }()
}

extension Words {
    var shortcuts: String { say("Keyboard shortcuts", "キーボードショートカット", "键盘快捷键") }
    var shortcutsText: String {
        say(
            "They work while no field has the focus. The choice is kept in this browser.",
            "入力欄にフォーカスがないときに使えます。設定はこのブラウザーに保存されます。", "焦点不在输入框时可用。此设置保存在当前浏览器中。")
    }
    var shortcutsOff: String { say("Switch shortcuts off", "ショートカットをオフにする", "关闭快捷键") }
    var shortcutsOn: String { say("Switch shortcuts on", "ショートカットをオンにする", "启用快捷键") }
    var shortcutsClose: String { say("Close", "閉じる", "关闭") }
    var shortcutSearch: String { say("To the search field, or to a page with one", "検索欄、または検索欄のあるページへ移動", "转到搜索框,或有搜索框的页面") }
    var shortcutHelp: String { say("This list", "この一覧", "显示此列表") }
    var shortcutEscape: String { say("Close, or leave a field", "閉じる、または入力欄から出る", "关闭,或离开输入框") }
}
