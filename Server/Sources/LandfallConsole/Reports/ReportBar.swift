// SPDX-License-Identifier: Apache-2.0

/// Above every report: the other reports, the days, and the filters, each of which a click removes.
struct ReportBar {
    let frame: Frame
    let query: ReportQuery
    let from: String
    let to: String
    var problems: [FieldProblem] = []
    var unmatched: Set<String> = []

    private var words: Words { frame.words }

    var html: HTML {
        section(.class("block")) {
            nav(.class("choices"), .label(words.name(of: SectionGroup.reports))) {
                for report in ReportName.allCases {
                    a(
                        .href(report == query.report ? query.place : query.asked(of: report).place),
                        .optional("aria-current", report == query.report ? "page" : nil)
                    ) { words.name(of: report) }
                }
                a(.href(RevenueQuery(daysOf: query).place)) { words.revenue }
            }
            header(.class("head")) {
                h2 { words.day(from) + " – " + words.day(to) }
                period
            }
            otherDays
            FilterChips(words, query, from: from, to: to, unmatched: unmatched, place: \.place).html
        }
    }

    private var period: HTML {
        nav(.class("choices"), .label(words.period)) {
            for length in ReportQuery.lengths {
                a(
                    .href(query.with { ($0.from, $0.to, $0.length) = (nil, nil, length) }.place),
                    .optional("aria-current", !query.hasDays && length == query.length ? "true" : nil)
                ) { words.days(length) }
            }
            if query.report != .retention {
                a(
                    .href(query.with { $0.compares.toggle() }.place), .optional("aria-current", query.compares ? "true" : nil)
                ) { words.compareBefore }
            }
        }
    }

    private var otherDays: HTML {
        DaysForm(
            words: words, action: Place("/console/reports", [query.report.rawValue]), from: query.from ?? from, to: query.to ?? to,
            isOpen: !problems.isEmpty || query.hasDays, problems: problems, hidden: query.with { $0.forgetDays() }.pairs
        ).html
    }
}
