// SPDX-License-Identifier: Apache-2.0

/// Where the help begins: its parts, and what each page of the console is for.
struct HelpContentsPage {
    let frame: Frame

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.help, .help) {
            section(.class("block")) {
                dl(.class("glossary")) {
                    for part in HelpPart.allCases {
                        div {
                            dt { a(.href(part.place)) { words.name(of: part) } }
                            dd { words.about(part) }
                        }
                    }
                }
            }
            section(.class("block")) {
                h2 { words.helpPages }
                dl(.class("glossary")) {
                    for item in SectionGroup.allCases.flatMap(\.sections) where frame.can(item.right) {
                        div(.id(item.helpID)) {
                            dt { a(.href(item.place)) { words.name(of: item) } }
                            dd {
                                words.about(item)
                                if item.hasNumbers { a(.class("line"), Attribute("href", item.help)) { words.whatNumbersMean } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The nouns of the console, in one sentence each.
struct GlossaryPage {
    let frame: Frame

    var html: HTML {
        frame.page(frame.words.name(of: .glossary), .help) {
            frame.backToHelp
            for group in frame.words.glossary {
                section(.class("block")) {
                    h2 { group.title }
                    definitions(group.terms)
                }
            }
        }
    }
}

extension Frame {
    var backToHelp: HTML { p(.class("toolbar")) { a(.href(Place("/console/help"))) { words.help } } }
}

/// Words with what each of them means.
func definitions(_ terms: [(term: String, meaning: String)]) -> HTML {
    dl(.class("glossary")) {
        for (term, meaning) in terms {
            div {
                dt { term }
                dd { meaning }
            }
        }
    }
}
