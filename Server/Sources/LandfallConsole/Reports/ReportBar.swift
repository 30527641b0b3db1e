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
            chips
        }
    }

    private var period: HTML {
        nav(.class("choices"), .label(words.period)) {
            for length in ReportQuery.lengths {
                a(
                    .href(query.with { ($0.from, $0.to, $0.length) = (nil, nil, length) }.place),
                    .optional("aria-current", query.from == nil && query.to == nil && length == query.length ? "true" : nil)
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
            isOpen: !problems.isEmpty || query.from != nil || query.to != nil, problems: problems,
            hidden: query.with { ($0.from, $0.to, $0.length) = (nil, nil, ReportQuery.usualLength) }.pairs
        ).html
    }

    private var chips: HTML? {
        guard !query.filters.isEmpty || !query.unknown.isEmpty else { return nil }
        return ul(.class("chips")) {
            for filter in query.filters { chip(filter, note: unmatched.contains(filter.field) ? words.noSuchRows : nil) }
            for filter in query.unknown { chip(filter, note: words.unknownFilter) }
        }
    }

    private func chip(_ filter: ReportQuery.Filter, note: String?) -> HTML {
        li {
            a(.href(query.with { $0.remove(filter) }.place)) {
                span(.class("hidden")) { words.removeReportFilter }
                words.field(filter.field) + ": " + words.value(filter.value.isEmpty ? nil : filter.value, of: filter.field)
                span(Attribute("aria-hidden", "true")) { " ✕" }
            }
            if let note { span(.class("quiet")) { note } }
        }
    }
}
