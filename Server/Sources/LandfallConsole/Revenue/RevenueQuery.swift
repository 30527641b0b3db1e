// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// What an address asks of the page of revenue. Every link of the page is made from it.
struct RevenueQuery: Hashable, Sendable {
    private static let reserved: Set<String> = ["view", "from", "to", "days", "by", "sort", "page"]

    var view = RevenueView.purchase
    /// Days as they were written; nil counts ``length`` days up to today.
    var from: String?
    var to: String?
    var length = ReportQuery.usualLength
    /// Nil: the ``usual`` fields.
    var by: [RevenueDimension]?
    var sort: ReportQuery.Sort?
    var page = 1
    /// What the page does not know: shown, and otherwise ignored.
    private(set) var unknown: [ReportQuery.Filter] = []

    init() {}

    /// The same days as those of another report. Revenue has no filters: its page says so of each.
    init(daysOf query: ReportQuery) {
        (from, to, length) = (query.from, query.to, query.length)
        unknown = (query.filters + query.unknown).filter { ReportName.shared.contains($0.field) }
    }

    /// - Parameter values: the query, each name once.
    init(_ values: [String: String]) {
        from = values["from"].flatMap { $0.isEmpty ? nil : ReportQuery.cut($0) }
        to = values["to"].flatMap { $0.isEmpty ? nil : ReportQuery.cut($0) }
        if let text = values["view"] {
            if let view = RevenueView(rawValue: text) { self.view = view } else { unknown.append(.init("view", ReportQuery.cut(text))) }
        }
        if let text = values["days"] {
            if let length = Int(text), ReportQuery.lengths.contains(length) { self.length = length } else {
                unknown.append(.init("days", ReportQuery.cut(text)))
            }
        }
        if let text = values["by"] {
            var fields: [RevenueDimension] = []
            for name in text.split(separator: ",").prefix(20).map(String.init) {
                if let field = RevenueDimension(rawValue: name), !fields.contains(field) { fields.append(field) } else {
                    unknown.append(.init("by", ReportQuery.cut(name)))
                }
            }
            if !fields.isEmpty || text.isEmpty { by = fields }
        }
        if let text = values["sort"] { sort = ReportQuery.Sort(ReportQuery.cut(text)) }
        if let text = values["page"] { page = Int(text).map { min(max(1, $0), 1_000) } ?? 1 }
        for name in values.keys.filter({ !Self.reserved.contains($0) }).sorted().prefix(ReportQuery.mostFilters) {
            guard let value = values[name], value.utf8.count <= ReportQuery.longestValue, name.utf8.count <= 64 else { continue }
            unknown.append(.init(name, value))
        }
    }

    /// The fields of the rows where none are asked for.
    var usual: [RevenueDimension] { choices[0] }

    var fields: [RevenueDimension] { by ?? usual }

    /// The days were chosen.
    var hasDays: Bool { from != nil || to != nil }

    /// What the page offers; an address can have any others.
    var choices: [[RevenueDimension]] {
        switch view {
        case .purchase, .booking:
            [
                [.source], [.channel], [.campaign], [.adGroup], [.keyword], [.link], [.product], [.country], [.placement], [.paywall],
                [.variation], [.currency], [.day],
            ]
        case .subscriptions: [[.day], [.source], [.campaign], [.product], [.country]]
        case .cohorts: [[.day], [.source], [.channel], [.campaign], [.adGroup], [.keyword], [.link]]
        }
    }

    /// The same rows, told apart differently or for other days: from the first page on.
    func with(_ change: (inout RevenueQuery) -> Void) -> RevenueQuery {
        var query = self
        query.page = 1
        change(&query)
        return query
    }

    /// The same days in another report, with the filters that it knows.
    func asked(of report: ReportName) -> ReportQuery {
        var query = ReportQuery(.campaigns)
        (query.from, query.to, query.length) = (from, to, length)
        for filter in unknown { query.add(filter) }
        return query.asked(of: report)
    }

    mutating func remove(_ filter: ReportQuery.Filter) { unknown.removeAll { $0 == filter } }

    mutating func forgetSort() {
        if let sort { unknown.append(.init("sort", sort.text)) }
        sort = nil
    }

    /// The parameters, in an order of their own.
    var pairs: [(String, String?)] {
        let known: [(String, String?)] = [
            ("view", view == .purchase ? nil : view.rawValue), ("from", from), ("to", to), ("days", length == ReportQuery.usualLength ? nil : "\(length)"),
            ("by", by.map { $0.map(\.rawValue).joined(separator: ",") }), ("sort", sort?.text), ("page", page > 1 ? "\(page)" : nil),
        ]
        return known + unknown.filter { !Self.reserved.contains($0.field) }.map { ($0.field, $0.value) }
    }

    var place: Place { Place("/console/reports/revenue", query: pairs) }

    /// The same rows as a file.
    func file(_ ending: String) -> Place { Place("/console/reports", ["revenue." + ending], query: with { _ in }.pairs) }
}
