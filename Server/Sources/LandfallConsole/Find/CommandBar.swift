// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// The command bar of every page: `/` or Ctrl-K opens it, and so does its link, which without script leads to the page of the search.
extension Frame {
    var findLink: HTML {
        a(
            .class("finder"), .href(Place("/console/find")), .flag("data-find"),
            .optional("aria-keyshortcuts", hasShortcuts ? "/ Control+K Meta+K" : nil)
        ) {
            span { words.find }
            if hasShortcuts { kbd(Attribute("aria-hidden", "true")) { "/" } }
        }
    }

    /// - Parameter current: the section of the page; the page itself may be worth to be found again.
    func commandBar(_ current: Section?) -> HTML {
        dialog(
            .id("find"), Attribute("closedby", "any"), .label(words.findAnything), .optional("data-memory", memory.isEmpty ? nil : memory),
            .optional("data-place", thing(current)?.text), .optional("data-section", current.map { words.name(of: $0) })
        ) {
            form(.action(Place("/console/find")), Attribute("role", "search")) {
                label(Attribute("for", "find-q")) { words.findWhat }
                input(
                    .id("find-q"), .name("q"), .type("text"), Attribute("role", "combobox"), Attribute("aria-expanded", "false"),
                    Attribute("aria-controls", "find-list"), Attribute("aria-autocomplete", "list"), Attribute("autocomplete", "off"),
                    Attribute("autocapitalize", "off"), Attribute("spellcheck", "false"))
            }
            div(.id("find-list"), .class("found"), Attribute("role", "listbox"), .label(words.foundThings), .flag("hidden")) {}
            p(
                .class("hint"), Attribute("role", "status"), Attribute("data-recent", words.findRecent),
                Attribute("data-none", words.foundNothing), Attribute("data-failed", words.findFailed)
            ) {}
            form(Attribute("method", "dialog")) { button(.class("plain")) { words.shortcutsClose } }
        }
    }

    /// Where a page about one thing is, such as a link or an audience; nil for lists, for forms and their answers, and for everything about
    /// people, whose names a browser does not keep.
    func thing(_ current: Section?) -> Place? {
        guard !answersForm else { return nil }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch current {
        case .links where parts[0] == "/console/links/show" && parts.count == 2:
            let address = FormText.fields(parts[1], most: ConsoleCall.mostFields)?["url"]
            return address.map { Place("/console/links/show", query: [("url", $0)]) }
        case .audiences, .experiments, .paywalls, .placements, .versions:
            let path = parts[0].split(separator: "/")
            guard path.count == 3, parts[0].hasPrefix(current?.place.text ?? "-"), path[2] != "draft" else { return nil }
            return Place(next: parts[0])
        default: return nil
        }
    }
}
