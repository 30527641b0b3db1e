// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Keyboard shortcuts", .timeLimit(.minutes(1)))
struct ShortcutsTests {
    @Test("Every section has a letter of its own")
    func letters() {
        let letters = Frame.Section.allCases.compactMap(\.letter)

        #expect(letters.count == Frame.Section.allCases.count)
        #expect(Set(letters).count == letters.count)
        #expect(letters.allSatisfy { $0.utf8.count == 1 && ("a"..."z").contains($0) })
        #expect(Frame.Section.overview.letter == "o" && Frame.Section.live.letter == "l")
    }

    @Test("A page names the sections that its role may see, in every language", arguments: Language.allCases, Role.allCases)
    func list(language: Language, role: Role) {
        let frame = Frame.sample(role, language)
        let markup = AuditPage(frame: frame, entries: [], before: nil).html.markup

        for section in Frame.Section.allCases {
            guard let letter = section.letter else { continue }
            #expect(frame.shortcutsList.markup.contains("<kbd>\(letter)</kbd></dt>") == frame.can(section.right), "\(section)")
            #expect(markup.contains("data-key=\"\(letter)\"") == frame.can(section.right), "\(section)")
        }
        #expect(markup.contains("<dialog id=\"shortcuts\""))
    }

    @Test("Switched off, a page has no shortcut, and the account page switches them on")
    func off() {
        var frame = Frame.sample()
        frame.hasShortcuts = false

        let markup = AccountPage(frame: frame, email: "m", sessions: []).html.markup

        #expect(!markup.contains("id=\"shortcuts\"") && !markup.contains("data-key=") && !markup.contains("aria-keyshortcuts"))
        #expect(markup.contains("name=\"shortcuts\" value=\"on\"") && !markup.contains("value=\"off\""))
    }
}
