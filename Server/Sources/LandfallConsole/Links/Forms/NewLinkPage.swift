// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// The form that makes a link, or one for each of several channels; beside it, the link as it will be.
struct NewLinkPage {
    let frame: Frame
    let draft: LinkDraft
    let drafted: DraftedLink
    /// Where links can be; the first is the usual one.
    let hosts: [String]
    let names: LinkList.Names
    /// Names of the configuration.
    var templates: [String] = []
    var problems: [FieldProblem] = []

    /// With one domain there is no field for it.
    private var shownProblems: [FieldProblem] { hosts.count > 1 ? problems : problems.without(fields: ["domain"]) }

    private var words: Words { frame.words }
    private var fields: LinkDraftFields {
        LinkDraftFields(words: words, draft: draft, names: names, problems: problems, hasChannels: true)
    }

    var html: HTML {
        frame.page(words.linkNew, .links) {
            shownProblems.summary(words)
            div(.class("columns making")) {
                section(.class("block")) {
                    if hosts.isEmpty { p { words.linkNoHost } }
                    entries
                }
                if !hosts.isEmpty { drafted.aside(of: "new-link", words) }
            }
        }
    }

    private var entries: HTML {
        form(
            .id("new-link"), Attribute("method", "post"), .action(Place("/console/links/new")),
            .optional("data-parts", hosts.isEmpty ? nil : Place("/console/links/draft").text)
        ) {
            frame.proof
            input(.type("hidden"), .name("drawn"), .value(draft.drawn))
            fields.destination(hasFocus: draft.to.isEmpty && problems.isEmpty)
            if hosts.count > 1 {
                ChoiceField(name: "domain", title: words.linkHost, choices: hosts.map { ($0, $0) }, chosen: draft.domain).html
            }
            fields.field("suffix", words.linkSuffix, draft.suffix, hint: words.linkSuffixHint(hosts.first ?? ""))
            // What was refused is told at the field.
            p(.id("suffix-state"), .class("hint"), Attribute("role", "status")) {
                if !problems.contains(where: { $0.field == "suffix" }) { drafted.suffixState(words) }
            }
            if !templates.isEmpty {
                ChoiceField(
                    name: "template", title: words.linkTemplate, choices: [("", words.none)] + templates.map { ($0, $0) },
                    chosen: draft.template
                ).html
                p(.class("hint")) { words.linkTemplateHint }
            }
            fields.folds
            button(.class("primary")) { words.linkNew }
        }
    }
}

/// Several links that were made together, to be copied.
struct MadeLinksPage {
    let frame: Frame
    let entries: [LinkEntry]
    /// Channels whose link was not made: somebody took its place in this moment.
    let missing: [String]

    var html: HTML {
        let words = frame.words
        return frame.page(words.linkMadeTitle, .links) {
            if !missing.isEmpty { p(.class("alert"), Attribute("role", "alert")) { words.linkNotMade(missing) } }
            section(.class("block")) {
                scrollingTable(words.links, titles: [words.link, words.name(of: LinkEntry.LabelName.channel)]) {
                    for entry in entries {
                        tr {
                            th(Attribute("scope", "row")) { a(.href(entry.place)) { entry.address } }
                            td { entry.labels.first { $0.name == .channel }?.value ?? "–" }
                        }
                    }
                }
                p(.class("toolbar")) {
                    if let entry = entries.first { a(.class("button"), .href(entry.next)) { words.linkLike } }
                    a(.class("button"), .href(Place("/console/links"))) { words.linkAll }
                }
            }
        }
    }
}
