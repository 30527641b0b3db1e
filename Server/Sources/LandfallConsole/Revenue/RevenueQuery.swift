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
    /// In the words of revenue.
    private var given: [ReportQuery.Filter] = []
    /// Parameters with another value than the page knows.
    private var strays: [ReportQuery.Filter] = []

    init() {}

    /// The same days and filters as those of another report.
    init(daysOf query: ReportQuery) {
        (from, to, length) = (query.from, query.to, query.length)
        let fitted = query.asked(of: .campaigns)
        for filter in fitted.filters + fitted.unknown { add(filter) }
    }

    /// - Parameter values: the query, each name once.
    init(_ values: [String: String]) {
        from = values["from"].flatMap { $0.isEmpty ? nil : ReportQuery.cut($0) }
        to = values["to"].flatMap { $0.isEmpty ? nil : ReportQuery.cut($0) }
        if let text = values["view"] {
            if let view = RevenueView(rawValue: text) { self.view = view } else { strays.append(.init("view", ReportQuery.cut(text))) }
        }
        if let text = values["days"] {
            if let length = Int(text), ReportQuery.lengths.contains(length) { self.length = length } else {
                strays.append(.init("days", ReportQuery.cut(text)))
            }
        }
        if let text = values["by"] {
            var fields: [RevenueDimension] = []
            for name in text.split(separator: ",").prefix(20).map(String.init) {
                if let field = RevenueDimension(rawValue: name), !fields.contains(field) { fields.append(field) } else {
                    strays.append(.init("by", ReportQuery.cut(name)))
                }
            }
            if !fields.isEmpty || text.isEmpty { by = fields }
        }
        if let text = values["sort"] { sort = ReportQuery.Sort(ReportQuery.cut(text)) }
        if let text = values["page"] { page = Int(text).map { min(max(1, $0), 1_000) } ?? 1 }
        for name in values.keys.filter({ !Self.reserved.contains($0) }).sorted().prefix(ReportQuery.mostFilters) {
            guard let value = values[name], value.utf8.count <= ReportQuery.longestValue, name.utf8.count <= 64 else { continue }
            add(.init(name, value))
        }
    }

    /// Other reports have nothing for what revenue does not know.
    private mutating func add(_ filter: ReportQuery.Filter) {
        let isKey = RevenueDimension(rawValue: filter.field) != nil
        given.append(isKey && filter.value.isEmpty ? .init(filter.field, RevenueDocument.unknown) : filter)
    }

    /// Values that rows must have.
    var filters: [ReportQuery.Filter] { given.filter { isKnown($0) } }

    var keys: [RevenueDimension: String] {
        Dictionary(filters.compactMap { filter in RevenueDimension(rawValue: filter.field).map { ($0, filter.value) } }) { first, _ in first }
    }

    /// What the view does not know: shown, and otherwise ignored.
    var unknown: [ReportQuery.Filter] { strays + given.filter { !isKnown($0) } }

    /// Countries of other reports have two letters, and not three as those of the App Store.
    private func isKnown(_ filter: ReportQuery.Filter) -> Bool {
        guard let field = RevenueDimension(rawValue: filter.field), view.filters.contains(field) else { return false }
        return field != .country || filter.value.utf8.count != 2
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
        for filter in given where filter.field != "country" || !isKnown(filter) {
            query.add(filter.value == RevenueDocument.unknown ? .init(filter.field, "") : filter)
        }
        return query.asked(of: report)
    }

    mutating func remove(_ filter: ReportQuery.Filter) {
        given.removeAll { $0 == filter }
        strays.removeAll { $0 == filter }
    }

    /// In place of another filter by the same field.
    private mutating func narrow(_ filter: ReportQuery.Filter) {
        given.removeAll { $0.field == filter.field }
        given.append(filter)
    }

    /// The parts of one row: its values up to a field as filters, by the next level.
    /// - Parameter isByWeek: rows with a day are weeks.
    func parts(of key: [String: String], upTo field: String, isByWeek: Bool = false) -> RevenueQuery {
        with { query in
            query.sort = nil
            for name in fields.map(\.rawValue) {
                guard let value = key[name] else { continue }
                if name != RevenueDimension.day.rawValue {
                    query.narrow(.init(name, value))
                } else if isByWeek, let monday = ReportDays.day(value) {
                    let sunday = ReportDays.text(monday + 6)
                    query.from = from.map { max($0, value) } ?? value
                    query.to = to.map { min($0, sunday) } ?? sunday
                } else {
                    (query.from, query.to) = (value, value)
                }
                if name == field { break }
            }
            let levels: [RevenueDimension] = [.source, .campaign, .adGroup, .keyword], asked = Set(query.filters.map(\.field))
            let deepest = levels.lastIndex { asked.contains($0.rawValue) } ?? -1
            // A link has one source and mostly one campaign.
            query.by = [asked.isSuperset(of: ["source", "link"]) ? .day : levels[(deepest + 1)...].first ?? .day]
        }
    }

    mutating func forgetSort() {
        if let sort { strays.append(.init("sort", sort.text)) }
        sort = nil
    }

    /// The parameters, in an order of their own.
    var pairs: [(String, String?)] {
        let known: [(String, String?)] = [
            ("view", view == .purchase ? nil : view.rawValue), ("from", from), ("to", to), ("days", length == ReportQuery.usualLength ? nil : "\(length)"),
            ("by", by.map { $0.map(\.rawValue).joined(separator: ",") }), ("sort", sort?.text), ("page", page > 1 ? "\(page)" : nil),
        ]
        return known + given.filter { !Self.reserved.contains($0.field) }.map { ($0.field, $0.value) }
    }

    var place: Place { Place("/console/reports/revenue", query: pairs) }

    /// The same rows as a file.
    func file(_ ending: String) -> Place { Place("/console/reports", ["revenue." + ending], query: with { _ in }.pairs) }
}
