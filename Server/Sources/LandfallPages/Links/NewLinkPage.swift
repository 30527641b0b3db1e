// SPDX-License-Identifier: Apache-2.0

/// What a person typed about a new link.
package struct LinkDraft: Hashable, Sendable {
    package var to = "", domain = "", suffix = "", expires = "", channels = ""
    package var campaign = "", adGroup = "", creative = "", label = "", channel = ""
    package var ios = "", android = "", desktop = ""
    package var title = "", description = "", image = ""
    package var pasteboard = false, code = false

    package init() {}

    /// True if a field is used that the form shows only when asked.
    var hasMore: Bool { ![ios, android, desktop, title, description, image].allSatisfy(\.isEmpty) || pasteboard || code }
}

/// The form that makes a link, or one for each of several channels.
package struct NewLinkPage {
    package let frame: Frame
    package let draft: LinkDraft
    /// Where links can be; the first is the usual one.
    package let hosts: [String]
    package let campaigns: [String]
    package let problems: [FieldProblem]

    package init(frame: Frame, draft: LinkDraft, hosts: [String], campaigns: [String], problems: [FieldProblem] = []) {
        self.frame = frame
        self.draft = draft
        self.hosts = hosts
        self.campaigns = campaigns
        self.problems = problems
    }

    private var words: Words { frame.words }

    package var html: HTML {
        frame.page(words.linkNew, .links) {
            section(.class("block narrow")) {
                problems.summary(words)
                if hosts.isEmpty { p { words.linkNoHost } }
                form(Attribute("method", "post"), .action(Place("/console/links/new"))) {
                    frame.proof
                    field("to", words.linkDestination, draft.to, hint: words.linkDestinationHint, isRequired: true)
                    if hosts.count > 1 {
                        LinkChoice(name: "domain", title: words.linkHost, choices: hosts.map { ($0, $0) }, chosen: draft.domain).html
                    }
                    field("suffix", words.linkSuffix, draft.suffix, hint: words.linkSuffixHint(hosts.first ?? ""))
                    field("campaign", words.campaign, draft.campaign, suggestions: campaigns)
                    field("adGroup", words.name(of: LinkEntry.LabelName.adGroup), draft.adGroup)
                    field("creative", words.name(of: LinkEntry.LabelName.creative), draft.creative)
                    field("label", words.name(of: LinkEntry.LabelName.label), draft.label)
                    field("channel", words.name(of: LinkEntry.LabelName.channel), draft.channel)
                    field("expires", words.linkExpiry, draft.expires, hint: words.linkExpiryHint, type: "date")
                    LinkField(
                        name: "channels", title: words.linkChannels, value: draft.channels, hint: words.linkChannelsHint, isLong: true,
                        problems: problems
                    ).html
                    details(.flag("open", draft.hasMore)) {
                        summary { words.linkMore }
                        more
                    }
                    button(.class("primary")) { words.linkNew }
                }
            }
        }
    }

    private var more: HTML {
        div(.class("link-more")) {
            p(.class("hint")) { words.linkWaysHint }
            field("ios", words.linkWay(words.linkDevice(.ios)), draft.ios)
            field("android", words.linkWay(words.linkDevice(.android)), draft.android)
            field("desktop", words.linkWay(words.linkDevice(.desktop)), draft.desktop)
            field("title", words.linkPreviewTitle, draft.title)
            field("description", words.linkPreviewText, draft.description)
            field("image", words.linkPreviewImage, draft.image)
            label(.class("choice")) {
                input(.type("checkbox"), .name("pasteboard"), .value("1"), .flag("checked", draft.pasteboard))
                span { words.linkPasteboard }
            }
            label(.class("choice")) {
                input(.type("checkbox"), .name("code"), .value("1"), .flag("checked", draft.code))
                span { words.linkCode }
            }
        }
    }

    private func field(
        _ name: StaticString, _ title: String, _ value: String, hint: String? = nil, type: StaticString = "text",
        suggestions: [String] = [], isRequired: Bool = false
    ) -> HTML {
        LinkField(
            name: name, title: title, value: value, hint: hint, type: type, suggestions: suggestions, isRequired: isRequired,
            problems: problems
        ).html
    }
}

/// Several links that were made together, to be copied.
package struct MadeLinksPage {
    package let frame: Frame
    package let entries: [LinkEntry]
    /// Channels whose link was not made: somebody took its place in this moment.
    package let missing: [String]

    package init(frame: Frame, entries: [LinkEntry], missing: [String]) {
        self.frame = frame
        self.entries = entries
        self.missing = missing
    }

    package var html: HTML {
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
