// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// A report of campaigns, links, paywalls, the funnel or retention. Nothing is counted here: the numbers are those of the report.
struct ReportPage {
    /// Why there is no table.
    enum Refusal: Hashable, Sendable { case tooManyInstalls, countedApart }

    let frame: Frame
    let query: ReportQuery
    /// Days as 2026-11-22, both included.
    let from: String
    let to: String
    let today: String
    let timeZone: String
    /// Milliseconds as the clocks of that zone show them.
    let completeToLocalMilliseconds: Int64?
    /// Nil where a problem or a refusal stands for it.
    var table: ReportTable?
    /// The main column by day; empty where it is not drawn.
    var days: [DayChart.Day] = []
    /// They are weeks.
    var isByWeek = false
    /// What was published on them.
    var versions: [DayChart.Version] = []
    /// How long paywalls took; nil where the page does not draw it.
    var times: ElapsedTimes?
    /// The steps of the funnel; empty for other reports.
    var steps: [FunnelSteps.Step] = []
    /// How old the cohort of each row is, and the oldest of all; empty for other reports than that of retention.
    var ages: [Int] = []
    var problems: [FieldProblem] = []
    var refusal: Refusal?
    /// Filters whose value no row has.
    var unmatched: Set<String> = []
    /// The filters ask for a group that is too small to be shown.
    var isHidden = false

    private var words: Words { frame.words }
    private var language: Language { frame.language }

    var html: HTML {
        frame.page(words.name(of: query.report), query.report.section, note: note) {
            problems.summary(words)
            ReportBar(frame: frame, query: query, from: from, to: to, problems: problems, unmatched: unmatched).html
            if let refusal { p(.class("block empty")) { words.sentence(refusal) } }
            if let table {
                if !days.isEmpty, let main = query.report.main {
                    section(.class("block")) {
                        h2 { isByWeek ? words.byWeek(words.column(main)) : words.byDay(words.column(main)) }
                        DayChart(name: words.column(main), days: days, isByWeek: isByWeek, places: places, versions: versions).html(words)
                    }
                }
                if let times { TimesChart(times: times, query: query).html(words) }
                if !steps.isEmpty, !isHidden {
                    section(.class("block")) {
                        h2 { words.funnelSteps }
                        FunnelSteps(steps: steps).html(words)
                    }
                }
                rows(table)
            }
        }
    }

    private var places: [Place] { days.places(to: to) { from, to in Place(query: query.with { $0.narrow(from: from, to: to) }.pairs) } }

    private var note: String? {
        completeToLocalMilliseconds.map { milliseconds in
            let (date, time) = Language.calendar(milliseconds)
            return words.completeTo(date == today ? time : date + " " + time, zone: timeZone)
        }
    }

    private func rows(_ table: ReportTable) -> HTML {
        section(.class("block")) {
            header(.class("head")) {
                h2 { words.by(query.fields) }
                RowSplit(query.report.choices, query.fields).html(words, name: words.fields) { choice in
                    query.with { ($0.by, $0.sort) = (choice == query.usual ? nil : choice, nil) }.place
                }
            }
            if isHidden {
                p(.class("empty")) { words.hiddenGroup }
            } else if table.rows.isEmpty {
                empty
            } else {
                if ages.isEmpty { table.html(words, query) } else { RetentionGrid(table: table, ages: ages).html(words, query) }
                RowPages(table.count, page: query.page).html(words) { page in query.with { $0.page = page }.place }
            }
            if table.hasMergedGroups { p(.class("hint")) { words.mergedGroups } }
            if !query.filters.isEmpty { p(.class("hint")) { words.filteredTotals } }
            if query.report == .campaigns, query.filters.contains(where: { $0.field == "campaign" }) {
                p { a(.href(query.asked(of: .links).place)) { words.linksOfCampaign } }
            }
            nav(.class("choices"), .label(words.reportFiles)) {
                a(.href(query.file("csv"))) { words.asFile("CSV") }
                a(.href(query.file("json"))) { words.asFile("JSON") }
            }
            if frame.can(.people) { p(.class("hint")) { words.filesMerge } }
            if ages.isEmpty { table.definitions(words) } else { RetentionGrid.definitions(words) }
        }
    }

    @HTMLBuilder private var empty: HTML {
        p(.class("empty")) { query.filters.isEmpty ? words.nothingCounted(query.report) : words.nothingFiltered }
        if query.filters.isEmpty {
            frame.helpForEmpty(query.report.section)
            p { words.tryReport }
            pre(Attribute("tabindex", "0")) { code { query.report.command } }
        }
    }
}

extension ReportName {
    /// What fills an empty report.
    var command: String {
        switch self {
        case .campaigns, .paywalls, .funnel, .retention: "landfall simulate --server https://YOUR-SERVER --phones 20"
        case .links: "landfall link create https://example.com --campaign summer"
        }
    }
}
