// SPDX-License-Identifier: Apache-2.0

/// Links of the file and of the store, one page of them.
package struct LinkListPage {
    package let frame: Frame
    package let filter: LinkFilter
    package let entries: [LinkEntry]
    /// Where the next page begins; nil on the last one.
    package let next: String?
    /// The domains that links can have.
    package let hosts: [String]
    package let campaigns: [String]
    package var isFirst = true
    /// The search ended before it had enough links.
    package var isCut = false
    package var hasNumbers = true
    package var isRemoved = false

    package init(frame: Frame, filter: LinkFilter, entries: [LinkEntry], next: String?, hosts: [String], campaigns: [String]) {
        self.frame = frame
        self.filter = filter
        self.entries = entries
        self.next = next
        self.hosts = hosts
        self.campaigns = campaigns
    }

    private var words: Words { frame.words }

    package var html: HTML {
        frame.page(words.links, .links, note: words.linksNote) {
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
                    p(.class("empty")) { filter.isEmpty && isFirst ? words.linkNoneYet : words.linkNoMatch }
                } else {
                    table
                }
                if isCut { p(.class("note")) { words.linkCut } }
                pages
            }
        }
    }

    private var filters: HTML {
        form(.class("find"), Attribute("method", "get"), .action(Place("/console/links")), Attribute("role", "search")) {
            LinkField(name: "q", title: words.linkSearch, value: filter.query, type: "search").html
            LinkChoice(
                name: "host", title: words.linkHost, choices: [("", words.linkAny)] + hosts.map { ($0, $0) }, chosen: filter.host
            ).html
            LinkField(name: "campaign", title: words.campaign, value: filter.campaign, suggestions: campaigns).html
            LinkChoice(
                name: "state", title: words.linkStateTitle,
                choices: [("", words.linkAny)] + LinkFilter.State.allCases.map { ($0.rawValue, words.linkState($0)) },
                chosen: filter.state?.rawValue ?? ""
            ).html
            button { words.linkShowThese }
        }
    }

    private var table: HTML {
        scrollingTable(
            words.links, titles: [words.link, words.linkLabels, words.linkStateTitle], numbers: [words.clicks, words.uniqueClicks]
        ) {
            for entry in entries {
                tr {
                    th(Attribute("scope", "row")) {
                        a(.href(entry.place)) { entry.name }
                        span(.class("quiet line")) { entry.destination }
                    }
                    td {
                        for label in entry.labels {
                            span(.class("line")) { span(.class("quiet")) { words.name(of: label.name) + ": " }; label.value }
                        }
                        if entry.labels.isEmpty { "–" }
                    }
                    td {
                        entry.badges(words)
                        if let end = entry.expiresAtMs { span(.class("quiet line")) { words.linkEnd(words.language.instant(end)) } }
                    }
                    td(.class("number")) { entry.clicks.map { words.language.count($0) } ?? "–" }
                    td(.class("number")) { entry.unique.map { words.language.count($0) } ?? "–" }
                }
            }
        }
    }

    private var pages: HTML {
        p(.class("toolbar")) {
            if !isFirst { a(.class("button"), .href(Place("/console/links", query: filter.pairs))) { words.linkFirstPage } }
            if let next {
                a(.class("button"), .href(Place("/console/links", query: filter.pairs + [("page", next)]))) { words.linkNextPage }
            }
            a(.href(Place("/console/links.csv", query: filter.pairs))) { "CSV" }
            a(.href(Place("/console/links.json", query: filter.pairs))) { "JSON" }
        }
    }
}
