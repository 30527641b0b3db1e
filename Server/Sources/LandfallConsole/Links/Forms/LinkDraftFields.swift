// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// The fields that making and changing a link have in common.
struct LinkDraftFields {
    let words: Words
    let draft: LinkDraft
    let names: LinkList.Names
    let problems: [FieldProblem]
    /// The form can make a link for each of several channels.
    var hasChannels = false

    /// - Parameter hasFocus: a person begins to write here.
    @HTMLBuilder func destination(hasFocus: Bool = false) -> HTML {
        input(.type("hidden"), .id("was"), .name("was"), .value(draft.to))
        LinkField(
            name: "to", title: words.linkDestination, value: draft.to, hint: words.linkDestinationHint, isRequired: true, hasFocus: hasFocus,
            problems: problems
        ).html
    }

    var folds: HTML {
        div(.class("folds")) {
            for fold in LinkFold.allCases {
                let said = draft.said(in: fold, words)
                details(.flag("open", !said.isEmpty || problems.contains { fold.fields.contains($0.field) })) {
                    summary {
                        fold.title(words)
                        span(.class("quiet"), .id(fold.place), Attribute("translate", "no")) { said }
                    }
                    div(.class("link-more")) { fields(of: fold) }
                }
            }
        }
    }

    private func fields(of fold: LinkFold) -> HTML {
        switch fold {
        case .labels: labels
        case .analytics: analytics
        case .ways: ways
        case .times: times
        case .card: card
        case .targets: targets
        }
    }

    @HTMLBuilder private var labels: HTML {
        field("campaign", words.campaign, draft.campaign, suggestions: names.campaigns)
        field("adGroup", words.name(of: LinkEntry.LabelName.adGroup), draft.adGroup)
        field("creative", words.name(of: LinkEntry.LabelName.creative), draft.creative)
        field("label", words.name(of: LinkEntry.LabelName.label), draft.label)
        field("channel", words.name(of: LinkEntry.LabelName.channel), draft.channel)
        if hasChannels { long("channels", words.linkChannels, draft.channels, hint: words.linkChannelsHint) }
        field("tags", words.linkTags, draft.tags, hint: words.linkTagsHint, suggestions: names.tags)
        field("folder", words.linkFolder, draft.folder, suggestions: names.folders)
    }

    @HTMLBuilder private var analytics: HTML {
        p(.class("hint")) { words.linkAnalyticsHint }
        for name in TaggedAddress.names { field(name, words.linkAnalytics("\(name)"), draft.tag("\(name)")) }
    }

    @HTMLBuilder private var ways: HTML {
        p(.class("hint")) { words.linkWaysHint }
        field("ios", words.linkWay(words.linkDevice(.ios)), draft.ios)
        field("android", words.linkWay(words.linkDevice(.android)), draft.android)
        field("desktop", words.linkWay(words.linkDevice(.desktop)), draft.desktop)
        label(.class("choice")) {
            input(.type("checkbox"), .name("pasteboard"), .value("1"), .flag("checked", draft.pasteboard))
            span { words.linkPasteboard }
        }
        label(.class("choice")) {
            input(.type("checkbox"), .name("code"), .value("1"), .flag("checked", draft.code))
            span { words.linkCode }
        }
    }

    @HTMLBuilder private var times: HTML {
        field("starts", words.linkStart, draft.starts, hint: words.linkStartHint, type: "date")
        field("expires", words.linkExpiry, draft.expires, hint: words.linkExpiryHint, type: "date")
    }

    @HTMLBuilder private var card: HTML {
        field("title", words.linkPreviewTitle, draft.title)
        field("description", words.linkPreviewText, draft.description)
        field("image", words.linkPreviewImage, draft.image)
    }

    @HTMLBuilder private var targets: HTML {
        long("when", words.linkRoutes, draft.when, hint: words.linkRoutesHint)
        field("ppid", words.linkPPID, draft.ppid)
        field("pt", words.linkPT, draft.pt)
        field("ct", words.linkCT, draft.ct, hint: words.linkCTHint)
    }

    func field(
        _ name: StaticString, _ title: String, _ value: String, hint: String? = nil, type: StaticString = "text", suggestions: [String] = []
    ) -> HTML {
        LinkField(name: name, title: title, value: value, hint: hint, type: type, suggestions: suggestions, problems: problems).html
    }

    private func long(_ name: StaticString, _ title: String, _ value: String, hint: String) -> HTML {
        LinkField(name: name, title: title, value: value, hint: hint, isLong: true, problems: problems).html
    }
}

extension [FieldProblem] {
    /// The same sentences without a way to fields that the form does not have.
    func without(fields: Set<String>) -> [FieldProblem] {
        map { fields.contains($0.field) ? FieldProblem("", $0.sentence) : $0 }
    }
}
