// SPDX-License-Identifier: Apache-2.0

/// What a search of the whole console has found, in groups. The command bar leads here without script, and by Enter before it has an answer.
struct FindPage {
    let frame: Frame
    let query: String
    let found: FoundThings

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.findAnything, nil) {
            form(.class("block narrow"), .action(Place("/console/find")), Attribute("role", "search")) {
                Field(
                    name: "q", title: words.findWhat, type: "search", value: query,
                    hint: frame.can(Frame.Section.profiles.right) ? words.findPeopleHint : nil, isRequired: false
                ).html
                button(.class("primary")) { words.search }
            }
            if found.groups.isEmpty { p(.class("empty")) { words.foundNothing } }
            for group in found.groups {
                section(.class("block")) {
                    h2 { group.name }
                    ul(.class("found")) { for thing in group.things { li { row(thing) } } }
                }
            }
        }
    }

    private func row(_ thing: FoundThings.Thing) -> HTML {
        a(Attribute("href", thing.place)) {
            span { thing.title }
            if let detail = thing.detail { span(.class("quiet")) { detail } }
        }
    }
}
