// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer
import LandfallWire

extension LandfallTools {
    private static let filters = [
        ToolArgument("query", ToolArgument.shortText, "Occurs in the address or in the destination; A to Z match a to z."),
        ToolArgument("domain", ToolArgument.shortText, "The host of the links."),
        ToolArgument("campaign", ToolArgument.shortText, "The whole campaign."),
        ToolArgument("tag", ToolArgument.shortText, "One of the link's tags."), ToolArgument("folder", ToolArgument.shortText, "Where people find it."),
        ToolArgument("state", .choice(["live", "scheduled", "expired", "file"]), "The state; 'file' is the links of landfall.yaml and no others."),
        ToolArgument("limit", .number(1...Int64(LinkList.longestPage)), "The most links to list (50)."),
        ToolArgument("cursor", ToolArgument.shortText, "Where a list that was cut goes on: 'next' of the answer before."),
    ]

    private static let address = ToolArgument.Kind.text(2_048)
    private static let ways = ToolArgument.Kind.list(address, 10)

    private static let fields = [
        ToolArgument("to", address, "Where it leads: https, or the app's own scheme.", isRequired: true),
        ToolArgument("domain", ToolArgument.shortText, "One of the brand domains (the first one)."),
        ToolArgument("suffix", ToolArgument.shortText, "The path, such as summer or shop/shoes (a random code)."),
        ToolArgument("template", ToolArgument.shortText, "A name below 'linkTemplates' of the configuration; it gives what the other fields leave open."),
        ToolArgument("campaign", ToolArgument.shortText, "The campaign that a tap is credited to."),
        ToolArgument("adGroup", ToolArgument.shortText, "The group in the campaign."), ToolArgument("creative", ToolArgument.shortText, "The picture or text."),
        ToolArgument("label", ToolArgument.shortText, "Any word of your own."), ToolArgument("channel", ToolArgument.shortText, "Such as mail or poster."),
        ToolArgument("tags", .list(.text(64), 20), "By which people find it."), ToolArgument("folder", ToolArgument.shortText, "Where people find it."),
        ToolArgument("startsAt", ToolArgument.shortText, "Before it the link leads nowhere, such as 2027-06-01T18:00:00Z."),
        ToolArgument("expiresAt", ToolArgument.shortText, "From then on the link leads nowhere."),
        ToolArgument("ios", ways, "Where browsers on an iPhone go, in order: app, store, page, web or https addresses."),
        ToolArgument("android", ways, "The same on Android."), ToolArgument("desktop", ways, "The same elsewhere."),
        ToolArgument(
            "preview",
            .object([
                ToolArgument("title", .text(1_024), "The title."), ToolArgument("description", .text(4_096), "The text."),
                ToolArgument("image", address, "The https address of the picture."),
                ToolArgument("icon", .text(64), "One or two characters on the link's page, such as an emoji."),
                ToolArgument("colour", .text(16), "The colour of the link's page, as #0a7cff."),
            ]), "What messages and feeds show."),
        ToolArgument(
            "when",
            .list(
                .object([
                    ToolArgument("country", .list(.text(2), 250), "Two letters each, such as DE (every country)."),
                    ToolArgument("platform", .list(.choice(["ios", "android", "desktop"]), 3), "The platforms (all)."),
                    ToolArgument("to", address, "Where these visitors are led.", isRequired: true),
                ]), 20), "Leads visitors of some countries and platforms elsewhere; the first match counts."),
        ToolArgument("pasteboard", .flag, "Its page copies the link to the pasteboard for a fresh install, if the person taps there."),
        ToolArgument("code", .flag, "Its page shows a code that a fresh install takes within an hour."),
        ToolArgument("ppid", ToolArgument.shortText, "The id of a custom product page of the App Store."),
        ToolArgument("pt", ToolArgument.shortText, "The number of the provider in App Store Connect."),
        ToolArgument("ct", ToolArgument.shortText, "The campaign in App Store Connect."),
    ]

    var links: [MCPTool] { [list, show, create] }

    private var list: MCPTool {
        MCPTool(
            "list_links", "List links", "Links in the order of their addresses. Every filter has to match. A page may have fewer links than its limit.",
            Self.filters
        ) { arguments in
            let names = ["domain", "campaign", "tag", "folder", "state", "cursor"]
            let body = try await get(
                "/v1/links",
                [("q", arguments.text("query")), ("limit", "\(arguments.number("limit") ?? 50)")] + names.map { ($0, arguments.text($0)) })
            let page = try WireCoding.decode(LinkListRoutes.Page.self, from: Data(body))
            var lines = page.links.isEmpty ? ["No link matches on this page."] : page.links.map(\.line)
            if let next = page.next { lines.append("There are more links: call again with the cursor '\(next)'.") }
            return try ToolAnswer(lines: lines, json: body)
        }
    }

    private var show: MCPTool {
        MCPTool(
            "show_link", "Show a link", "Everything that one link has.",
            [ToolArgument("url", Self.address, "The address of the link, such as https://links.example.com/beach.", isRequired: true)]
        ) { arguments in
            let url = arguments.text("url") ?? ""
            guard let address = LinkAddressArgument(argument: url) else {
                throw ArgumentFault("'url' is not the address of a link. Write https, the brand domain and the path.")
            }
            let link = try await address.read(reach)
            return try ToolAnswer(lines: try link.fieldLines(), encoding: link)
        }
    }

    private var create: MCPTool {
        MCPTool(
            "create_link", "Create a link",
            "Makes a short link that works at once, and answers its address. It changes and removes no other link. A suffix that another link has is an error; the same link again is none.",
            effect: .adds, Self.fields
        ) { arguments in
            let link = try WireCoding.decode(NewLink.self, from: WireCoding.encode(JSONValue.object(arguments.values)))
            let outcome = try await LinkCatalog { try await reach.call($0) }.make(link)
            guard let url = outcome.url else { return .failed(outcome.problem ?? "The link was refused.") }
            return try ToolAnswer(lines: [url], encoding: outcome)
        }
    }
}
