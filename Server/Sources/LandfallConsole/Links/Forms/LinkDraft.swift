// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// What a person typed about a link.
struct LinkDraft: Hashable, Sendable {
    var to = "", domain = "", suffix = "", template = "", starts = "", expires = "", channels = ""
    var campaign = "", adGroup = "", creative = "", label = "", channel = ""
    var tags = "", folder = ""
    var ios = "", android = "", desktop = ""
    /// Rules by country and platform, one a line.
    var when = ""
    var ppid = "", pt = "", ct = ""
    var title = "", description = "", image = ""
    var pasteboard = false, code = false

    init() {}

    /// True if a field is used that the form shows only when asked.
    var hasMore: Bool {
        ![ios, android, desktop, when, ppid, pt, ct, title, description, image].allSatisfy(\.isEmpty) || pasteboard || code
    }
}

/// The fields that making and changing a link have in common.
struct LinkDraftFields {
    let words: Words
    let draft: LinkDraft
    let names: LinkList.Names
    let problems: [FieldProblem]

    var destination: HTML { field("to", words.linkDestination, draft.to, hint: words.linkDestinationHint, isRequired: true) }

    @HTMLBuilder var labels: HTML {
        field("campaign", words.campaign, draft.campaign, suggestions: names.campaigns)
        field("adGroup", words.name(of: LinkEntry.LabelName.adGroup), draft.adGroup)
        field("creative", words.name(of: LinkEntry.LabelName.creative), draft.creative)
        field("label", words.name(of: LinkEntry.LabelName.label), draft.label)
        field("channel", words.name(of: LinkEntry.LabelName.channel), draft.channel)
        field("tags", words.linkTags, draft.tags, hint: words.linkTagsHint, suggestions: names.tags)
        field("folder", words.linkFolder, draft.folder, suggestions: names.folders)
        field("starts", words.linkStart, draft.starts, hint: words.linkStartHint, type: "date")
        field("expires", words.linkExpiry, draft.expires, hint: words.linkExpiryHint, type: "date")
    }

    var more: HTML {
        details(.flag("open", draft.hasMore)) {
            summary { words.linkMore }
            div(.class("link-more")) {
                p(.class("hint")) { words.linkWaysHint }
                field("ios", words.linkWay(words.linkDevice(.ios)), draft.ios)
                field("android", words.linkWay(words.linkDevice(.android)), draft.android)
                field("desktop", words.linkWay(words.linkDevice(.desktop)), draft.desktop)
                LinkField(
                    name: "when", title: words.linkRoutes, value: draft.when, hint: words.linkRoutesHint, isLong: true, problems: problems
                ).html
                field("ppid", words.linkPPID, draft.ppid)
                field("pt", words.linkPT, draft.pt)
                field("ct", words.linkCT, draft.ct, hint: words.linkCTHint)
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
    }

    func field(
        _ name: StaticString, _ title: String, _ value: String, hint: String? = nil, type: StaticString = "text",
        suggestions: [String] = [], isRequired: Bool = false
    ) -> HTML {
        LinkField(
            name: name, title: title, value: value, hint: hint, type: type, suggestions: suggestions, isRequired: isRequired,
            problems: problems
        ).html
    }
}

extension [FieldProblem] {
    /// The same sentences without a way to fields that the form does not have.
    func without(fields: Set<String>) -> [FieldProblem] {
        map { fields.contains($0.field) ? FieldProblem("", $0.sentence) : $0 }
    }
}
