// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// What was paid: by source, paywall, product or country, what subscriptions are worth, and what each cohort has paid since. Nothing is
/// counted here: the numbers are those of the report.
struct RevenuePage {
    let frame: Frame
    let query: RevenueQuery
    /// Days as 2026-11-22 in UTC, both included.
    let from: String
    let to: String
    /// Nil where a problem or a refusal stands for it.
    var document: RevenueDocument?
    /// No purchase and no trial of these days is known.
    var isEmpty = false
    /// The filters ask for a group that is shown only together with others.
    var isHidden = false
    /// Something of few payers is left out of ``document``.
    var isMerged = false
    /// Net by day or week, or what the running subscriptions are worth; empty where nothing is drawn.
    var days: [DayChart.Day] = []
    /// They are weeks.
    var isByWeek = false
    /// What was published on them.
    var versions: [DayChart.Version] = []
    /// Cohorts are those of weeks.
    var hasWeeks = false
    var problems: [FieldProblem] = []
    /// Why there is no table.
    var refusal: String?

    private var words: Words { frame.words }
    private var language: Language { frame.language }

    var html: HTML {
        frame.page(words.revenue, .revenue, note: words.daysInUTC) {
            problems.summary(words)
            bar
            if let refusal { p(.class("block empty")) { refusal } }
            if isHidden {
                p(.class("block empty")) { words.mergedPayers }
            } else if let document {
                if isEmpty {
                    empty
                } else {
                    figures(document)
                    if !days.isEmpty { chart(document) }
                    rows(document)
                }
            }
        }
    }

    private var bar: HTML {
        section(.class("block")) {
            nav(.class("choices"), .label(words.name(of: SectionGroup.reports))) {
                for report in ReportName.allCases { a(.href(query.asked(of: report).place)) { words.name(of: report) } }
                a(.href(query.place), Attribute("aria-current", "page")) { words.revenue }
            }
            header(.class("head")) {
                h2 { words.day(from) + " – " + words.day(to) }
                nav(.class("choices"), .label(words.period)) {
                    for length in ReportQuery.lengths {
                        a(
                            .href(query.with { ($0.from, $0.to, $0.length) = (nil, nil, length) }.place),
                            .optional("aria-current", !query.hasDays && length == query.length ? "true" : nil)
                        ) { words.days(length) }
                    }
                }
            }
            DaysForm(
                words: words, action: Place("/console/reports/revenue"), from: query.from ?? from, to: query.to ?? to,
                isOpen: !problems.isEmpty || query.hasDays, problems: problems, hidden: query.with { ($0.from, $0.to) = (nil, nil) }.pairs
            ).html
            nav(.class("choices"), .label(words.revenueViews)) {
                for view in RevenueView.allCases {
                    a(
                        .href(query.with { ($0.view, $0.by, $0.sort) = (view, nil, nil) }.place),
                        .optional("aria-current", view == query.view ? "page" : nil)
                    ) { words.name(of: view) }
                }
            }
            p(.class("hint")) { words.meaning(of: query.view) }
            chips
        }
    }

    private var chips: HTML? {
        var chips = FilterChips(words)
        chips.add(from: from, to: to, place: query.with { ($0.from, $0.to) = (nil, nil) }.place, if: query.hasDays)
        for filter in query.filters {
            chips.add(
                words.revenueField(filter.field), words.revenueValue(filter.value, of: filter.field),
                note: isEmpty && !isHidden ? words.noSuchRows : nil, place: query.with { $0.remove(filter) }.place)
        }
        for filter in query.unknown { chips.add(filter, note: words.unknownFilter, place: query.with { $0.remove(filter) }.place) }
        return chips.html
    }

    private func figures(_ document: RevenueDocument) -> HTML {
        section(.class("block")) {
            h2 { words.name(of: query.view) }
            dl(.class("figures many")) {
                for column in query.view.figures {
                    div(.class("figure")) {
                        dt { words.title(of: column) }
                        dd(.class("value")) {
                            words.value(document.totals, column, document.currency)
                            if let share = document.totals.share(of: column) { span(.class("share")) { language.share(share) } }
                        }
                    }
                }
            }
            if query.view == .purchase || query.view == .booking { p(.class("hint")) { words.estimatedProceeds } }
            for sentence in sentences(document) { p(.class("note")) { sentence } }
        }
    }

    private func sentences(_ document: RevenueDocument) -> [String] {
        var sentences: [String] = []
        if !document.unconverted.isEmpty {
            let amounts = document.unconverted.map { words.amounts($0) }
            sentences.append(document.currency == nil ? words.noCurrency(language.list(amounts)) : words.unconverted(language.list(amounts)))
        }
        if let currency = document.currency, let net = document.erased.numbers[.netMilliunits], document.erased.numbers[.purchases] ?? 0 > 0 {
            sentences.append(words.erasedRevenue(language.money(net, currency)))
        }
        return sentences
    }

    private func chart(_ document: RevenueDocument) -> HTML {
        guard let column = query.view.main(document.currency) else { return .empty }
        let name = words.title(of: column)
        return section(.class("block")) {
            h2 { isByWeek ? words.byWeek(name) : words.byDay(name) }
            DayChart(
                name: name, days: days, isByWeek: isByWeek, currency: column.unit == .milliunits ? document.currency : nil,
                isState: query.view == .subscriptions, places: days.places(to: to) { first, last in
                    Place(query: query.with { ($0.from, $0.to) = (first, last) }.pairs)
                }, versions: versions
            ).html(words)
        }
    }

    private func rows(_ document: RevenueDocument) -> HTML {
        let table = RevenueTable(document: document, query: query, isByWeek: query.view == .cohorts && hasWeeks)
        let pages = RowPages(document.rows.count, page: query.page)
        return section(.class("block")) {
            header(.class("head")) {
                h2 { words.byRevenue(query.fields) }
                RowSplit(query.choices, query.fields).html(words, name: words.revenueFields) { choice in
                    query.with { ($0.by, $0.sort) = (choice == query.usual ? nil : choice, nil) }.place
                }
            }
            if document.rows.isEmpty { p(.class("empty")) { words.nothingConverted } } else { table.html(words, pages.shown(of: document.rows)) }
            pages.html(words) { page in query.with { $0.page = page }.place }
            if isMerged { p(.class("hint")) { words.mergedPayers } }
            nav(.class("choices"), .label(words.reportFiles)) {
                a(.href(query.file("csv"))) { words.asFile("CSV") }
                a(.href(query.file("json"))) { words.asFile("JSON") }
            }
            if frame.can(.people) { p(.class("hint")) { words.filesMergePayers } }
            table.definitions(words)
        }
    }

    private var empty: HTML {
        section(.class("block")) {
            p(.class("empty")) { words.noRevenue(query.view) }
            if query.filters.isEmpty {
                frame.helpForEmpty(.revenue)
                ol {
                    for (text, example) in words.revenueSteps {
                        li {
                            p { text }
                            pre(Attribute("tabindex", "0")) { code { example } }
                        }
                    }
                }
                p(.class("hint")) { words.sandboxIsNoRevenue }
            }
        }
    }
}

extension RevenueView {
    /// What the page says first.
    var figures: [RevenueColumn] {
        switch self {
        case .purchase, .booking:
            [.netMilliunits, .proceedsEstimatedMilliunits, .purchases, .trialsStarted, .trialsPaid, .refundsMilliunits]
        case .subscriptions: [.active, .trials, .mrrMilliunits, .arrMilliunits, .churn]
        case .cohorts: [.installs, .payers, .day7Milliunits, .day30Milliunits, .day90Milliunits, .day365Milliunits]
        }
    }

    /// The column whose days the page draws; nil if it draws none.
    func main(_ currency: String?) -> RevenueColumn? {
        switch self {
        case .purchase, .booking: currency == nil ? .trialsStarted : .netMilliunits
        case .subscriptions: currency == nil ? .active : .mrrMilliunits
        case .cohorts: nil
        }
    }
}

extension RevenueValues {
    /// What a figure is a part of: refunds of the purchases, payers of the installs.
    fileprivate func share(of column: RevenueColumn) -> Double? {
        let parts: (RevenueColumn, RevenueColumn)? =
            switch column {
            case .refundsMilliunits: (.refunds, .purchases)
            case .payers: (.payers, .installs)
            default: nil
            }
        guard let parts, let part = numbers[parts.0], let whole = numbers[parts.1], whole > 0 else { return nil }
        return Double(part) / Double(whole)
    }
}
