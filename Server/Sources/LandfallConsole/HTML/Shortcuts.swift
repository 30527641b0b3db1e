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
            shortcut(["/", "Ctrl K", "⌘ K"], words.findAnything)
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
    var shortcuts: String { translate("Keyboard shortcuts") }
    var shortcutsText: String { translate("They work while no field has the focus. The choice is kept in this browser.") }
    var shortcutsOff: String { translate("Switch shortcuts off") }
    var shortcutsOn: String { translate("Switch shortcuts on") }
    var shortcutsClose: String { translate("Close") }
    var shortcutHelp: String { translate("This list") }
    var shortcutEscape: String { translate("Close, or leave a field") }
}
