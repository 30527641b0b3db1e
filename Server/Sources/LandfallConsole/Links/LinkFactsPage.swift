// SPDX-License-Identifier: Apache-2.0
import LandfallRules

/// Where a link leads, how often it was followed, and what happens to a person who taps it.
struct LinkFactsPage {
    /// What clicks are told apart by.
    enum Part: String, CaseIterable, Sendable { case country, referrer, browser, language, productPage }

    struct Share: Hashable, Sendable {
        /// Nil where it is not known.
        let value: String?
        let clicks: Int64
    }

    /// Clicks of the last days. Empty where nothing could be read.
    struct Numbers: Hashable, Sendable {
        let days: [DayChart.Day]
        let clicks: Int64
        let unique: Int64
        /// The most clicks first.
        let shares: [Part: [Share]]
        /// Taps on the buttons of the link's pages, by where they lead.
        var taps: [LinkTapOutcome.Way: Int64] = [:]
        /// As many days as were asked for.
        let isWhole: Bool
    }

    let frame: Frame
    let entry: LinkEntry
    let numbers: Numbers
    /// Empty for a link of an old domain, which only the app follows.
    let happenings: [LinkTapOutcome]
    let preview: LinkCard?
    /// Nil for an address that is too long for a phone's camera.
    let picture: LinkPicture?
    /// Where browsers go, as the file writes it, for devices of which the link says it itself.
    let ways: [(device: LinkTapOutcome.Device, text: String)]
    /// How the app finds the tap after the store.
    let handover: [LinkTapOutcome.Way]
    var storePage = StorePage()
    /// Where some visitors are led instead, as the form writes it.
    var routes: [String] = []
    var isMade = false
    var isChanged = false
    /// The numbers have what came before.
    var completeToMs: Int64?
    var problems: [FieldProblem] = []

    private var words: Words { frame.words }
    private var language: Language { frame.language }

    var html: HTML {
        frame.page(entry.name, .links, note: completeToMs.map { words.completeTo($0) }) {
            problems.summary(words)
            if isMade || isChanged {
                p(.class("alert good"), Attribute("role", "status")) { isMade ? words.linkMade : words.linkEdited }
            }
            div(.class("columns")) {
                facts
                shared
            }
            clicks
            if !happenings.isEmpty { LinkTapOutcome.table(happenings, words) }
            if frame.can(.links), !entry.isInFile { removal }
        }
    }

    private var facts: HTML {
        section(.class("block")) {
            h2 { words.linkFacts }
            LinkCopying(address: entry.address, isShared: true).html(words)
            p { entry.badges(words) }
            dl(.class("link-facts")) {
                fact(words.linkDestination, destination)
                for label in entry.labels { fact(words.name(of: label.name), HTML(label.value)) }
                if !entry.tags.isEmpty { fact(words.linkTags, HTML(entry.tags.joined(separator: ", "))) }
                if let folder = entry.folder { fact(words.linkFolder, HTML(folder)) }
                if let start = entry.startsAtMs { fact(words.linkStart, HTML(language.instant(start) + " UTC")) }
                fact(words.linkExpiry, HTML(entry.expiresAtMs.map { language.instant($0) + " UTC" } ?? words.linkNever))
                for way in ways { fact(words.linkWay(words.linkDevice(way.device)), HTML(way.text)) }
                if !routes.isEmpty {
                    fact(words.linkRoutes, HTMLBuilder.buildArray(routes.map { route in span(.class("line link-address")) { route } }))
                }
                for (name, value) in [(words.linkPPID, storePage.ppid), (words.linkPT, storePage.pt), (words.linkCT, storePage.ct)] {
                    if let value { fact(name, HTML(value)) }
                }
                if !handover.isEmpty {
                    fact(words.linkHandover, HTML(handover.map { words.linkWayOn($0) }.joined(separator: " · ")))
                }
            }
            if entry.isInFile { p(.class("note")) { words.linkInFile } }
            if frame.can(.links) {
                p(.class("toolbar")) {
                    if !entry.isInFile {
                        a(.class("button"), .href(Place("/console/links/edit", query: [("url", entry.address)]))) { words.linkEdit }
                    }
                    a(.class("button"), .href(entry.next)) { words.linkLike }
                }
            }
        }
    }

    private var destination: HTML {
        guard let place = Place(web: entry.destination) else { return HTML(entry.destination) }
        return a(.href(place), Attribute("rel", "noreferrer")) { entry.destination }
    }

    private func fact(_ name: String, _ value: HTML) -> HTML {
        div {
            dt { name }
            dd { value }
        }
    }

    private var shared: HTML {
        section(.class("block")) {
            h2 { words.linkShared }
            if let picture {
                picture.html(words.linkQRCode(entry.name))
                p(.class("toolbar")) {
                    download("SVG", Place("/console/links/qr.svg", query: [("url", entry.address)]))
                    download("PNG", Place("/console/links/qr.png", query: [("url", entry.address)]))
                }
            } else {
                p(.class("note")) { words.linkNoQR }
            }
            if let preview {
                h3 { words.linkPreview }
                preview.html(on: entry.name.split(separator: "/").first.map(String.init) ?? entry.name, words)
            }
        }
    }

    private func download(_ format: String, _ place: Place) -> HTML {
        a(.class("button"), .href(place), Attribute("download", "")) { words.linkQRDownload(format) }
    }

    private var clicks: HTML {
        section(.class("block")) {
            h2 { words.linkClicks(numbers.days.count) }
            if !numbers.isWhole { p(.class("note")) { words.linkFewerDays } }
            dl(.class("figures")) {
                for (name, value) in [
                    (words.clicks, numbers.clicks), (words.uniqueClicks, numbers.unique), (words.linkButtonTaps, numbers.taps.values.reduce(0, +)),
                ] {
                    div(.class("figure")) {
                        dt { name }
                        dd(.class("value")) { numbers.days.isEmpty ? "–" : language.count(value) }
                    }
                }
                div(.class("figure")) {
                    dt { words.firstOpens }
                    dd(.class("value")) { entry.firstOpens(words) }
                }
            }
            if !numbers.taps.isEmpty { p(.class("note")) { tapsByWay } }
            if entry.hasFewOpens { p(.class("note")) { words.linkFewOpensNote } }
            p { a(.href(entry.people)) { words.linkPeople } }
            if numbers.clicks > 0 {
                DayChart(name: words.clicks, days: numbers.days).html(words)
                for part in Part.allCases { shares(of: part) }
            } else if !numbers.days.isEmpty {
                p(.class("empty")) { words.noClicks }
            }
        }
    }

    /// Nothing where no click says it: few links have a product page.
    private func shares(of part: Part) -> HTML {
        let shares = numbers.shares[part] ?? [], name = words.linkShares(words.field(part.rawValue))
        return HTMLBuilder.buildArray(
            shares.allSatisfy { $0.value == nil }
                ? [] : [h3 { name }, ShareBars(name: name, parts: shares.map { ($0.value ?? words.unknownSource, $0.clicks) }).html(language)])
    }

    private var tapsByWay: String {
        LinkTapOutcome.Way.allCases.compactMap { way in numbers.taps[way].map { words.linkWayOn(way) + " " + language.count($0) } }
            .joined(separator: " · ")
    }

    private var removal: HTML {
        section(.class("block narrow")) {
            h2 { words.linkRemoveTitle }
            details(.class("act")) {
                summary { words.linkRemoveTitle }
                p { words.linkRemoveText }
                form(Attribute("method", "post"), .action(Place("/console/links/remove"))) {
                    frame.proof
                    input(.type("hidden"), .name("url"), .value(entry.address))
                    button(.class("danger")) { words.remove(entry.name) }
                }
            }
        }
    }
}
