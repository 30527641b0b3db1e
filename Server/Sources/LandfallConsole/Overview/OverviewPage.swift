// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// The first page: the numbers of the last days beside the days before, and what a new server still needs.
struct OverviewPage {
    /// A number with its definition and what it was before. The caller counts nothing: values come from reports.
    struct Figure: Hashable, Sendable {
        enum Name: Hashable, Sendable {
            case firstOpens, attributed, clicks, shown
            /// How many did what a metric counts.
            case converted(String)
            /// Milliseconds: of half of the exposures, and as ``further`` of 95 in 100.
            case timeToPaywall
            /// Net revenue, in thousandths of the currency.
            case net(currency: String)
        }
        let name: Name
        /// Nil where it cannot be known.
        let value: Int64?
        let before: Int64?
        /// What the value is a part of, for a percentage beside it.
        let whole: Int64?
        /// The report's own words.
        let definition: String
        /// A second number beside it.
        var further: Int64?

        init(_ name: Name, _ value: Int64?, before: Int64?, of whole: Int64? = nil, definition: String) {
            self.name = name
            self.value = value
            self.before = before
            self.whole = whole
            self.definition = definition
        }
    }

    struct Line: Hashable, Sendable {
        /// Nil: not known.
        let name: String?
        let values: [Int64?]
        /// The report about it.
        let report: ReportQuery?

        init(_ name: String?, _ values: [Int64?], report: ReportQuery? = nil) {
            self.name = name
            self.values = values
            self.report = report
        }
    }

    /// What somebody should look at, with the rows that say more.
    enum Warning: Hashable, Sendable {
        /// Installs that saw a paywall before their source was known.
        case late(Int64)
        /// Clicks of people on links that had expired.
        case expiredClicks(Int64)
        /// Reports are this many minutes behind.
        case behind(Int64)
        /// Checks of the server that found a problem.
        case unhealthy([HealthCheck.Finding])
    }

    let frame: Frame
    /// Days as 2026-11-22, both included.
    let from: String
    let to: String
    let length: Int
    /// As the clocks of ``timeZone`` show it.
    let completeToMilliseconds: Int64
    var timeZone = "UTC"
    var warnings: [Warning] = []
    /// Alerts that fire.
    var alerts: [AlertState] = []
    /// Paywalls are counted for everybody, and not only for the installs of these days.
    var isEverybody = false
    /// Nil once everything is done; a hidden one is only a button that shows it again.
    let checklist: Checklist?
    let figures: [Figure]
    let days: [DayChart.Day]
    /// Exposures by the origin of the paywall, as the server calls origins.
    let origins: [Line]
    /// First opens and paywalls shown by source and campaign.
    let campaigns: [Line]
    /// Clicks and unique clicks by link.
    let links: [Line]

    static let lengths = [7, 28, 90]

    private var words: Words { frame.words }
    private var language: Language { frame.language }

    var html: HTML {
        let (date, time) = Language.calendar(completeToMilliseconds)
        // The last day is today.
        let note = words.completeTo(date == to ? time : date + " " + time, zone: timeZone)
        return frame.page(words.overview, .overview, note: note, refreshes: checklist.map { !$0.isHidden } ?? false) {
            if let alerts = AlertBlock(alerts: alerts, words: words).html { alerts }
            if let checklist, !checklist.isHidden { checklist.html(frame) }
            if !warnings.isEmpty {
                section(.class("block")) {
                    h2 { words.warnings }
                    ul(.class("warnings")) { for warning in warnings { li { a(.href(query(warning))) { words.sentence(warning) } } } }
                }
            }
            section(.class("block")) {
                header(.class("head")) {
                    h2 { "\(words.day(from)) – \(words.day(to))" }
                    nav(.class("choices"), .label(words.period)) {
                        for length in Self.lengths {
                            a(
                                .href(place(length, isEverybody)),
                                .optional("aria-current", length == self.length ? "true" : nil)
                            ) { words.days(length) }
                        }
                    }
                    nav(.class("choices"), .label(words.whose)) {
                        for everybody in [false, true] {
                            a(.href(place(length, everybody)), .optional("aria-current", everybody == isEverybody ? "true" : nil)) {
                                everybody ? words.everybody : words.newInstalls
                            }
                        }
                    }
                }
                dl(.class(figures.count > 4 ? "figures many" : "figures")) { for figure in figures { self.figure(figure) } }
                if !isCompared { p(.class("note")) { words.noTimeBefore } }
                definitions
                if days.contains(where: { $0.value ?? 0 > 0 || $0.before ?? 0 > 0 }) {
                    DayChart(name: words.firstOpens, days: days).html(words)
                } else {
                    p(.class("empty")) { days.contains { $0.value == nil } ? words.fewOnDays : words.noFirstOpens }
                    frame.helpForEmpty(.overview)
                }
            }
            div(.class("columns")) {
                lines(words.campaigns, words.campaign, [words.firstOpens, words.shown], campaigns, words.noCampaigns, report(.campaigns), words.allCampaigns)
                lines(words.links, words.link, [words.clicks, words.uniqueClicks], links, words.noClicks, report(.links), words.allLinks)
            }
            if !origins.isEmpty {
                section(.class("block")) {
                    h2 { words.originsTitle }
                    ShareBars(
                        name: words.originsTitle, parts: origins.map { (words.origin($0.name), ($0.values.first ?? 0) ?? 0) }
                    ).html(language)
                }
            }
            // The way back is where it is in nobody's way.
            if let checklist, checklist.isHidden { checklist.html(frame) }
        }
    }

    private func place(_ length: Int, _ isEverybody: Bool) -> Place {
        Place("/console", query: [("days", "\(length)"), ("who", isEverybody ? "everybody" : nil)])
    }

    private func report(_ report: ReportName, _ values: [String: String] = [:]) -> Place {
        ReportQuery(report, values.merging(["days": "\(length)"]) { $1 }).place
    }

    private func query(_ warning: Warning) -> Place {
        switch warning {
        case .late: report(.campaigns, ["sort": "-late"])
        case .expiredClicks: report(.links, ["sort": "-expiredClicks"])
        case .behind: report(.campaigns)
        case .unhealthy: Place("/console/health")
        }
    }

    private func report(of figure: Figure.Name) -> Place {
        switch figure {
        case .net: RevenueQuery(["days": "\(length)"]).place
        case .firstOpens: report(.campaigns)
        case .attributed: report(.campaigns, ["by": "source"])
        case .clicks: report(.links)
        case .shown: report(isEverybody ? .paywalls : .funnel)
        case .converted(let metric): report(.campaigns, ["sort": "-converted." + metric])
        case .timeToPaywall: report(.paywalls)
        }
    }

    private func figure(_ figure: Figure) -> HTML {
        div(.class("figure")) {
            dt { a(.href(report(of: figure.name))) { words.name(of: figure.name) } }
            dd(.class("value")) {
                figure.value.map { text($0, of: figure) } ?? "–"
                if let value = figure.value, let whole = figure.whole, whole > 0 {
                    span(.class("share")) { language.share(Double(value) / Double(whole)) }
                }
            }
            if isCompared {
                dd(.class("before")) {
                    if let value = figure.value, let before = figure.before, before > 0 {
                        span(.class("change")) { language.change(Double(value - before) / Double(before)) }
                        words.than(text(before, of: figure))
                    } else {
                        words.noTimeBefore
                    }
                }
            }
            // Below, so that the comparisons of a row are in one line.
            if let further = figure.further { dd(.class("before")) { words.slowest(text(further, of: figure)) } }
        }
    }

    /// A new server has no time before: that is said once, not beside each number.
    private var isCompared: Bool { figures.contains { $0.value != nil && $0.before ?? 0 > 0 } }

    /// What every number counts.
    private var definitions: HTML? {
        let known = figures.map { ($0.name, words.definition(of: $0)) }.filter { !$0.1.isEmpty }
        guard !known.isEmpty else { return nil }
        return details {
            summary { words.whatNumbersMean }
            dl(.class("terms")) {
                for (name, definition) in known {
                    div {
                        dt { words.name(of: name) }
                        dd { definition }
                    }
                }
            }
        }
    }

    private func text(_ value: Int64, of figure: Figure) -> String {
        switch figure.name {
        case .timeToPaywall: language.seconds(Double(value))
        case .net(let currency): language.money(value, currency)
        default: language.count(value)
        }
    }

    private func lines(
        _ heading: String, _ key: String, _ columns: [String], _ lines: [Line], _ empty: String, _ all: Place, _ allTitle: String
    ) -> HTML {
        section(.class("block")) {
            h2 { heading }
            if lines.isEmpty { p(.class("empty")) { empty } } else {
                scrollingTable(heading, titles: [key], numbers: columns) {
                    for line in lines {
                        tr {
                            th(Attribute("scope", "row")) { name(of: line) }
                            for value in line.values {
                                td(.class("number")) { value.map { language.count($0) } ?? "–" }
                            }
                        }
                    }
                }
                p { a(.href(all)) { allTitle } }
            }
        }
    }

    private func name(of line: Line) -> HTML {
        let name = line.name ?? words.unknownSource
        return line.report.map { query in a(.href(query.place)) { name } } ?? HTML(name)
    }
}

extension Words {
    var warnings: String { translate("To look at") }
    func sentence(_ warning: OverviewPage.Warning) -> String {
        switch warning {
        case .late(let count):
            let count = language.count(count)
            return translate("Installs that saw a paywall before their source was known: \(count)")
        case .expiredClicks(let count):
            let count = language.count(count)
            return translate("Clicks on links that had expired: \(count)")
        case .behind(let minutes):
            let minutes = language.count(minutes)
            return translate("Reports, minutes behind: \(minutes)")
        case .unhealthy(let findings):
            let names = language.list(findings.map { name(of: $0) })
            return translate("Health, not in order: \(names)")
        }
    }
    var whose: String { translate("Whose paywalls") }
    var newInstalls: String { translate("New installs") }
    var everybody: String { translate("Everybody") }
    var allCampaigns: String { translate("All campaigns") }
    var allLinks: String { translate("All links") }
    var period: String { translate("Period") }
    func days(_ count: Int) -> String { translate("\(count) days") }
    var firstOpens: String { translate("First opens") }
    var attributed: String { translate("Attributed") }
    var clicks: String { translate("Clicks") }
    var uniqueClicks: String { translate("Unique") }
    var shown: String { translate("Paywall shown") }
    var campaign: String { translate("Campaign") }
    var campaigns: String { translate("Campaigns") }
    var link: String { translate("Link") }
    var unknownSource: String { translate("Not known") }
    var originsTitle: String { translate("Where shown paywalls came from") }
    var noTimeBefore: String { translate("Nothing before to compare") }
    func than(_ value: String) -> String { translate(" than \(value) before") }
    var noFirstOpens: String { translate("No first opens in these days yet.") }
    var noCampaigns: String { translate("Campaigns appear with the first opens.") }
    var noClicks: String { translate("No clicks in these days yet.") }

    func name(of figure: OverviewPage.Figure.Name) -> String {
        switch figure {
        case .firstOpens: firstOpens
        case .attributed: attributed
        case .clicks: clicks
        case .shown: shown
        case .converted(let metric): column("converted." + metric)
        case .timeToPaywall: translate("Time to paywall")
        case .net: net
        }
    }

    func slowest(_ time: String) -> String { translate("95 of 100 within \(time)") }

    var whatNumbersMean: String { translate("What the numbers mean") }

    /// As the report defines the column that the number comes from.
    func definition(of figure: OverviewPage.Figure) -> String {
        let column: String
        switch figure.name {
        case .firstOpens: column = "firstOpens"
        case .attributed: column = "attributed"
        case .clicks: column = "clicks"
        case .shown: column = "shown"
        case .converted(let metric): column = "converted." + metric
        case .timeToPaywall: column = "elapsed.p50"
        case .net: return netOfDays
        }
        return definition(of: column, english: figure.definition)
    }

    func origin(_ name: String?) -> String {
        switch name {
        case "matchingAudience": translate("Matching the person")
        case "cache": translate("Kept on the phone")
        case "defaultAudience": translate("For everyone")
        case "other": restOfRows
        case "bundled": translate("Bundled with the app")
        case let name?: name
        case nil: unknownSource
        }
    }
}
