// SPDX-License-Identifier: Apache-2.0

/// The entries of a placement from top to bottom, as they are asked: who, what they see, and how much of all that was shown. With forms, an
/// entry moves by buttons or by its grip, and shows something else.
struct PlacementLadder {
    let frame: Frame
    let entries: [PlacementEntry]
    let shares: PlacementShares?
    let device: PlacementDevice?
    let forms: ConfigurationForms?
    /// What an entry can show; empty where that is not to be changed here.
    let showings: [(value: String, name: String)]

    private var words: Words { frame.words }

    var html: HTML {
        ol(.class("ladder")) {
            for (index, entry) in entries.enumerated() { rung(index, entry) }
        }
    }

    private func rung(_ index: Int, _ entry: PlacementEntry) -> HTML {
        li {
            div(.class("place")) {
                "\(index + 1)"
                // For a mouse, where the page's script is there; the buttons do the same.
                if forms != nil, !entry.isEveryone {
                    span(.class("grip"), Attribute("data-move", "\(index)"), Attribute("aria-hidden", "true"), .flag("hidden")) { "⠿" }
                }
            }
            div(.class("who")) {
                strong { frame.audience(entry.audience) }
                if let matches = entry.matches {
                    span(.class("line quiet")) { words.matchShare(matches.range(words) ?? matches.text(matches.count.yes, words)) }
                }
                device?.mark(entry.audience, words)
            }
            div {
                span(Attribute("aria-hidden", "true")) { "→ " }
                frame.showing(entry.showing)
                if let forms, !showings.isEmpty { choosing(index, entry, forms) }
            }
            if let shares { div { shares.html(of: entry.audience, words) } }
            if forms != nil { moves(index, entry) }
        }
    }

    /// What the entry shows, to be changed.
    private func choosing(_ index: Int, _ entry: PlacementEntry, _ forms: ConfigurationForms) -> HTML {
        let field = "shows.\(index)", name = name(of: entry)
        return div(.class("choosing")) {
            frame.control(field, words.shown(to: name), forms, isHidden: true) {
                frame.choice(field, entry.showing == .unknown ? [("", "–")] + showings : showings, forms, said: entry.showing.value)
            }
            button(.name("change"), .value("show.\(index)"), .label(words.changeShowing(name))) { words.change }
        }
    }

    /// Everyone stays where it is.
    private func moves(_ index: Int, _ entry: PlacementEntry) -> HTML {
        div(.class("moves")) {
            if !entry.isEveryone {
                if index > 0 {
                    button(.name("change"), .value("up.\(index)"), .label(words.moveUp(entry.audience))) { "↑" }
                }
                if index + 1 < entries.count, !entries[index + 1].isEveryone {
                    button(.name("change"), .value("down.\(index)"), .label(words.moveDown(entry.audience))) { "↓" }
                }
                button(.class("danger"), .name("change"), .value("remove.\(index)"), .label(words.remove(entry.audience))) { "×" }
            }
        }
    }

    private func name(of entry: PlacementEntry) -> String { entry.isEveryone ? words.everyone : entry.audience }
}
