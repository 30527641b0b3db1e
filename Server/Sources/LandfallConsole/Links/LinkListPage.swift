// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Links of the file and of the store, one page of them.
struct LinkListPage {
    let frame: Frame
    let filter: LinkFilter
    let entries: [LinkEntry]
    /// Where the next page begins; nil on the last one.
    let next: String?
    /// The domains that links can have.
    let hosts: [String]
    let names: LinkList.Names
    /// Where this page begins; nil for the first one.
    var page: String?
    /// The numbers have what came before; nil where there are none.
    var completeToMs: Int64?
    /// The search ended before it had enough links.
    var isCut = false
    var hasNumbers = true
    var isRemoved = false

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.links, .links, note: ([words.linksNote] + (completeToMs.map { [words.completeTo($0)] } ?? [])).joined(separator: " · ")) {
            if isRemoved { p(.class("alert good"), Attribute("role", "status")) { words.linkRemoved } }
            if frame.can(.links) {
                p(.class("toolbar")) {
                    a(.class("button primary"), .href(Place("/console/links/new"))) { words.linkNew }
                    a(.class("button"), .href(Place("/console/links/import"))) { words.linkImport }
                }
            }
            section(.class("block")) {
                filters
                if !hasNumbers { p(.class("note")) { words.linkNumbersMissing } }
                if entries.isEmpty {
                    p(.class("empty")) { filter.isEmpty && page == nil ? words.linkNoneYet : words.linkNoMatch }
                    if filter.isEmpty, page == nil { frame.helpForEmpty(.links) }
                } else if choosable.isEmpty {
                    table
                } else {
                    choice
                }
                if entries.contains(where: \.hasFewOpens) { p(.class("note")) { words.linkFewOpensNote } }
                if isCut { p(.class("note")) { words.linkCut } }
                pages
            }
        }
    }

    private var filters: HTML {
        form(.class("find"), Attribute("method", "get"), .action(Place("/console/links")), Attribute("role", "search")) {
            LinkField(name: "q", title: words.linkSearch, value: filter.query, type: "search").html
            ChoiceField(
                name: "host", title: words.linkHost, choices: [("", words.linkAny)] + hosts.map { ($0, $0) }, chosen: filter.host
            ).html
            LinkField(name: "campaign", title: words.campaign, value: filter.campaign, suggestions: names.campaigns).html
            LinkField(name: "tag", title: words.linkTag, value: filter.tag, suggestions: names.tags).html
            LinkField(name: "folder", title: words.linkFolder, value: filter.folder, suggestions: names.folders).html
            ChoiceField(
                name: "state", title: words.linkStateTitle,
                choices: [("", words.linkAny)] + LinkFilter.State.allCases.map { ($0.rawValue, words.linkState($0)) },
                chosen: filter.state?.rawValue ?? ""
            ).html
            button { words.linkShowThese }
        }
    }

    /// Those that a member may change here.
    private var choosable: [LinkEntry] { frame.can(.links) ? entries.filter { !$0.isInFile } : [] }

    /// The list as a form, with what can be done to the chosen links.
    private var choice: HTML {
        form(.class("choosing"), Attribute("method", "post"), .action(Place("/console/links/change"))) {
            frame.proof
            input(.type("hidden"), .name("back"), .value(place.text))
            label(.class("choice"), .flag("hidden")) {
                input(.type("checkbox"), .flag("data-all"))
                span { words.linkChooseAll }
            }
            table
            p(.class("note")) { words.linkChosenActions }
            if choosable.count < entries.count { p(.class("note")) { words.linkFileUnchosen } }
            p(.class("toolbar")) {
                for kind in LinkChangeKind.allCases {
                    button(.name("action"), .value(kind.rawValue)) { words.linkChangeChosen(kind) }
                }
            }
        }
    }

    private var table: HTML {
        let isChosen = !choosable.isEmpty
        return scrollingTable(
            words.links, titles: (isChosen ? [words.linkChoice] : []) + [words.link, words.linkLabels, words.linkStateTitle],
            numbers: [words.clicks, words.uniqueClicks, words.firstOpens]
        ) {
            for (index, entry) in entries.enumerated() {
                tr {
                    if isChosen { td { box(entry, index) } }
                    th(Attribute("scope", "row")) {
                        a(.href(entry.place)) { entry.name }
                        span(.class("quiet line")) { entry.destination }
                    }
                    td {
                        for label in entry.labels { named(words.name(of: label.name), label.value) }
                        if !entry.tags.isEmpty { named(words.linkTags, entry.tags.joined(separator: ", ")) }
                        if let folder = entry.folder { named(words.linkFolder, folder) }
                        if entry.labels.isEmpty, entry.tags.isEmpty, entry.folder == nil { "–" }
                    }
                    td {
                        entry.badges(words)
                        if entry.isEarly, let start = entry.startsAtMs {
                            span(.class("quiet line")) { words.linkBegin(words.language.instant(start)) }
                        }
                        if let end = entry.expiresAtMs { span(.class("quiet line")) { words.linkEnd(words.language.instant(end)) } }
                    }
                    td(.class("number")) { entry.clicks.map { words.language.count($0) } ?? "–" }
                    td(.class("number")) { entry.unique.map { words.language.count($0) } ?? "–" }
                    td(.class("number")) { entry.firstOpens(words) }
                }
            }
        }
    }

    private func named(_ name: String, _ value: String) -> HTML {
        span(.class("line")) { span(.class("quiet")) { name + words.language.colon }; value }
    }

    private func box(_ entry: LinkEntry, _ index: Int) -> HTML? {
        guard !entry.isInFile else { return nil }
        return input(
            .type("checkbox"), Attribute("name", "link\(index)"), .value(entry.address), .label(words.linkChoose(entry.name)))
    }

    /// This page of the list.
    private var place: Place { Place("/console/links", query: filter.pairs + [("page", page)]) }

    private var pages: HTML {
        p(.class("toolbar")) {
            if page != nil { a(.class("button"), .href(Place("/console/links", query: filter.pairs))) { words.linkFirstPage } }
            if let next {
                a(.class("button"), .href(Place("/console/links", query: filter.pairs + [("page", next)]))) { words.linkNextPage }
            }
            a(.href(Place("/console/links.csv", query: filter.pairs))) { "CSV" }
            a(.href(Place("/console/links.json", query: filter.pairs))) { "JSON" }
        }
    }
}
