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
        /// The values of its key, the widest first; empty for the smallest groups together.
        let key: [ReportQuery.Filter]
        let values: [Int64?]

        init(_ key: [ReportQuery.Filter], _ values: [Int64?]) {
            self.key = key
            self.values = values
        }
    }

    /// What the filters of the page are not counted with.
    enum Uncounted: Hashable, Sendable {
        case figure(Figure.Name)
        case links, origins
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
    var query: OverviewQuery
    /// Days as 2026-11-22, both included.
    var from: String
    var to: String
    let today: String
    var timeZone = "UTC"
    /// As the clocks of ``timeZone`` show it; nil where a problem or a refusal stands for the numbers.
    var completeToMilliseconds: Int64?
    var problems: [FieldProblem] = []
    var refusal: ReportPage.Refusal?
    /// Filters whose value no row has.
    var unmatched: Set<String> = []
    /// The filters ask for a group that is too small to be shown.
    var isHidden = false
    /// What is left out for them.
    var uncounted: [Uncounted] = []
    var warnings: [Warning] = []
    /// Alerts that fire.
    var alerts: [AlertState] = []
    /// Nil once everything is done; a hidden one is only a button that shows it again.
    var checklist: Checklist?
    var figures: [Figure] = []
    var days: [DayChart.Day] = []
    /// They are weeks.
    var isByWeek = false
    /// What was published on them.
    var versions: [DayChart.Version] = []
    /// Exposures by the origin of the paywall, as the server calls origins.
    var origins: [Line] = []
    /// What the list of campaigns can be split by, with these filters.
    var choices: [[String]] = []
    /// First opens and paywalls shown, by the fields of the query.
    var campaigns: [Line] = []
    /// Clicks and unique clicks by link.
    var links: [Line] = []

    private var words: Words { frame.words }
    private var language: Language { frame.language }

    var html: HTML {
        frame.page(words.overview, .overview, note: note, refreshes: checklist.map { !$0.isHidden } ?? false) {
            AlertBlock(alerts: alerts, words: words).html
            if let checklist, !checklist.isHidden { checklist.html(frame) }
            problems.summary(words)
            if !warnings.isEmpty {
                section(.class("block")) {
                    h2 { words.warnings }
                    ul(.class("warnings")) { for warning in warnings { li { a(.href(place(of: warning))) { words.sentence(warning) } } } }
                }
            }
            section(.class("block")) {
                bar
                if let refusal { p(.class("empty")) { words.sentence(refusal) } }
                if isHidden { p(.class("empty")) { words.hiddenGroup } }
                if isShown { numbers }
            }
            if isShown { lists }
            // The way back is where it is in nobody's way.
            if let checklist, checklist.isHidden { checklist.html(frame) }
        }
    }

    private var isShown: Bool { completeToMilliseconds != nil && !isHidden }

    private var note: String? {
        completeToMilliseconds.map { milliseconds in
            let (date, time) = Language.calendar(milliseconds)
            return words.completeTo(date == today ? time : date + " " + time, zone: timeZone)
        }
    }

    /// The days, whose paywalls, and the filters.
    @HTMLBuilder private var bar: HTML {
        header(.class("head")) {
            h2 { from == to ? words.day(from) : "\(words.day(from)) – \(words.day(to))" }
            nav(.class("choices"), .label(words.period)) {
                for length in ReportQuery.lengths {
                    a(
                        .href(query.with { ($0.from, $0.to, $0.length) = (nil, nil, length) }.place),
                        .optional("aria-current", !query.report.hasDays && length == query.report.length ? "true" : nil)
                    ) { words.days(length) }
                }
            }
            nav(.class("choices"), .label(words.whose)) {
                for everybody in [false, true] {
                    a(.href(place(everybody)), .optional("aria-current", everybody == query.isEverybody ? "true" : nil)) {
                        everybody ? words.everybody : words.newInstalls
                    }
                }
            }
        }
        DaysForm(
            words: words, action: Place("/console"), from: query.report.from ?? from, to: query.report.to ?? to,
            isOpen: !problems.isEmpty || query.report.hasDays, problems: problems, hidden: query.with { $0.forgetDays() }.pairs
        ).html
        FilterChips(words, query.report, from: from, to: to, unmatched: unmatched) { report in query.with { $0 = report }.place }.html
    }

    private func place(_ everybody: Bool) -> Place {
        var query = query
        query.isEverybody = everybody
        return query.place
    }

    @HTMLBuilder private var numbers: HTML {
        dl(.class(figures.count > 4 ? "figures many" : "figures")) { for figure in figures { self.figure(figure) } }
        if !isCompared { p(.class("note")) { words.noTimeBefore } }
        if !uncounted.isEmpty { p(.class("note")) { words.notFiltered(uncounted.map { words.name(of: $0) }) } }
        definitions
        if days.contains(where: { $0.value ?? 0 > 0 || $0.before ?? 0 > 0 }) {
            DayChart(
                name: words.firstOpens, days: days, isByWeek: isByWeek,
                places: days.places(to: to) { first, last in Place(query: query.with { $0.narrow(from: first, to: last) }.pairs) },
                versions: versions
            ).html(words)
            nav(.class("choices"), .label(words.reportFiles)) {
                a(.href(query.file("csv"))) { words.asFile("CSV") }
                a(.href(query.file("json"))) { words.asFile("JSON") }
            }
        } else {
            let nothing = query.filters.isEmpty ? words.noFirstOpens : words.nothingFiltered
            p(.class("empty")) { days.contains { $0.value == nil } ? words.fewOnDays : nothing }
            frame.helpForEmpty(.overview)
        }
    }

    private var lists: HTML {
        div(.class("columns")) {
            section(.class("block")) {
                h2 { query.fields == ReportName.campaigns.usual ? words.campaigns : words.by(query.fields) }
                RowSplit(choices, query.fields).html(words, name: words.fields) { choice in
                    query.with { $0.by = choice == $0.usual ? nil : choice }.place
                }
                lines(words.fields(query.fields), [words.firstOpens, words.shown], campaigns, words.noCampaigns)
                p { a(.href(query.asked(of: .campaigns, by: query.fields).place)) { words.allCampaigns } }
            }
            if !uncounted.contains(.links) {
                section(.class("block")) {
                    h2 { words.links }
                    lines(words.link, [words.clicks, words.uniqueClicks], links, words.noClicks)
                    p { a(.href(query.asked(of: .links).place)) { words.allLinks } }
                }
            }
            if !origins.isEmpty {
                section(.class("block")) {
                    h2 { words.originsTitle }
                    ShareBars(
                        name: words.originsTitle, parts: origins.map { (name(of: $0), ($0.values.first ?? 0) ?? 0) },
                        places: origins.map { line in query.asked(of: .paywalls).with { report in line.key.forEach { report.narrow($0) } }.place }
                    ).html(language)
                }
            }
        }
    }

    private func place(of warning: Warning) -> Place {
        switch warning {
        case .late: query.asked(of: .campaigns, sort: "-late").place
        case .expiredClicks: query.asked(of: .links, sort: "-expiredClicks").place
        case .behind: query.asked(of: .campaigns).place
        case .unhealthy: Place("/console/health")
        }
    }

    private func place(of figure: Figure.Name) -> Place {
        switch figure {
        case .net: RevenueQuery(daysOf: query.report).place
        case .firstOpens: query.asked(of: .campaigns).place
        case .attributed: query.asked(of: .campaigns, by: ["source"]).place
        case .clicks: query.asked(of: .links).place
        case .shown: query.asked(of: query.isEverybody ? .paywalls : .funnel).place
        case .converted(let metric): query.asked(of: .campaigns, sort: "-converted." + metric).place
        case .timeToPaywall: query.asked(of: .paywalls).place
        }
    }

    private func figure(_ figure: Figure) -> HTML {
        div(.class("figure")) {
            dt { a(.href(place(of: figure.name))) { words.name(of: figure.name) } }
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

    @HTMLBuilder private func lines(_ key: String, _ columns: [String], _ lines: [Line], _ empty: String) -> HTML {
        if lines.isEmpty { p(.class("empty")) { query.filters.isEmpty ? empty : words.nothingFiltered } } else {
            scrollingTable(key, titles: [key], numbers: columns) {
                for line in lines {
                    tr {
                        th(Attribute("scope", "row")) { names(of: line) }
                        for value in line.values { td(.class("number")) { value.map { language.count($0) } ?? "–" } }
                    }
                }
            }
        }
    }

    /// Each value filters the whole page by itself and those before it.
    private func names(of line: Line) -> HTML {
        guard !line.key.isEmpty else { return HTML(words.restOfRows) }
        return HTMLBuilder.buildArray(
            line.key.indices.map { index in
                let link = a(.href(query.narrowed(to: line.key[...index]).place)) { name(of: line.key[index]) }
                return index == 0 ? link : HTMLBuilder.buildBlock(HTML(" › "), link)
            })
    }

    private func name(of line: Line) -> String { line.key.first.map { name(of: $0) } ?? words.restOfRows }

    private func name(of filter: ReportQuery.Filter) -> String { words.value(filter.value.isEmpty ? nil : filter.value, of: filter.field) }
}
