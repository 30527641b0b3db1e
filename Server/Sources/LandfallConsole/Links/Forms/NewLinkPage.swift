// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// The form that makes a link, or one for each of several channels.
struct NewLinkPage {
    let frame: Frame
    let draft: LinkDraft
    /// Where links can be; the first is the usual one.
    let hosts: [String]
    let names: LinkList.Names
    /// Names of the configuration.
    let templates: [String]
    let problems: [FieldProblem]

    /// With one domain there is no field for it.
    private var shownProblems: [FieldProblem] { hosts.count > 1 ? problems : problems.without(fields: ["domain"]) }

    init(frame: Frame, draft: LinkDraft, hosts: [String], names: LinkList.Names, templates: [String] = [], problems: [FieldProblem] = []) {
        self.frame = frame
        self.draft = draft
        self.hosts = hosts
        self.names = names
        self.templates = templates
        self.problems = problems
    }

    private var words: Words { frame.words }
    private var fields: LinkDraftFields { LinkDraftFields(words: words, draft: draft, names: names, problems: problems) }

    var html: HTML {
        frame.page(words.linkNew, .links) {
            section(.class("block narrow")) {
                shownProblems.summary(words)
                if hosts.isEmpty { p { words.linkNoHost } }
                form(Attribute("method", "post"), .action(Place("/console/links/new"))) {
                    frame.proof
                    fields.destination
                    if hosts.count > 1 {
                        ChoiceField(name: "domain", title: words.linkHost, choices: hosts.map { ($0, $0) }, chosen: draft.domain).html
                    }
                    fields.field("suffix", words.linkSuffix, draft.suffix, hint: words.linkSuffixHint(hosts.first ?? ""))
                    if !templates.isEmpty {
                        ChoiceField(
                            name: "template", title: words.linkTemplate, choices: [("", words.none)] + templates.map { ($0, $0) },
                            chosen: draft.template
                        ).html
                        p(.class("hint")) { words.linkTemplateHint }
                    }
                    fields.labels
                    LinkField(
                        name: "channels", title: words.linkChannels, value: draft.channels, hint: words.linkChannelsHint, isLong: true,
                        problems: problems
                    ).html
                    fields.more
                    button(.class("primary")) { words.linkNew }
                }
            }
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
                p { a(.class("button"), .href(Place("/console/links"))) { words.linkAll } }
            }
        }
    }
}
