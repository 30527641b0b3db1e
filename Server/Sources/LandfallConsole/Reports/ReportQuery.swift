// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// What an address asks of a report. All reports share these parameters, and every link of a report's page is made from them.
struct ReportQuery: Hashable, Sendable {
    /// A value that rows must have. An empty one asks for the rows without that field.
    struct Filter: Hashable, Sendable {
        let field: String
        let value: String

        init(_ field: String, _ value: String) {
            self.field = field
            self.value = value
        }
    }

    struct Sort: Hashable, Sendable {
        /// A column, or a field of the key.
        let name: String
        let isAscending: Bool

        init(_ name: String, isAscending: Bool) {
            self.name = name
            self.isAscending = isAscending
        }

        init?(_ text: String) {
            isAscending = !text.hasPrefix("-")
            name = isAscending ? text : String(text.dropFirst())
            if name.isEmpty { return nil }
        }

        var text: String { (isAscending ? "" : "-") + name }

        /// Whether a value stands before another one: unknown ones are last, either way. Nil where both are equal.
        func precedes<Value: Equatable>(_ one: Value?, _ other: Value?, _ isLess: (Value, Value) -> Bool) -> Bool? {
            if one == other { return nil }
            guard let one else { return false }
            guard let other else { return true }
            return isLess(one, other) == isAscending
        }
    }

    /// The lengths of time that the page offers; the second is the usual one.
    static let lengths = [7, 28, 90]
    static let usualLength = 28
    static let pageLength = 50
    static let mostFilters = 20
    static let longestValue = 500
    /// Seconds: that of the SDK where an app names none.
    static let usualDeadline = 5
    /// Parameters of the overview, the report of campaigns by day, that are no filters of it.
    static let ofOverview: Set<String> = ["who", "by", "sort", "compare", "page"]
    private static let reserved: Set<String> = ["from", "to", "days", "by", "sort", "page", "compare", "deadline"]

    let report: ReportName
    /// Days as they were written; nil counts ``length`` days up to today.
    var from: String?
    var to: String?
    var length = usualLength
    /// Nil: the ``usual`` fields.
    var by: [String]?
    var usual: [String]
    var sort: Sort?
    var page = 1
    var compares = false
    /// Seconds after which a call of the app no longer waits for its paywall; only of the report of paywalls.
    var deadline = usualDeadline
    private(set) var filters: [Filter] = []
    /// What the report does not know: shown, and otherwise ignored.
    private(set) var unknown: [Filter] = []

    init(_ report: ReportName) {
        self.report = report
        usual = report.usual
    }

    /// - Parameter values: the query, each name once.
    init(_ report: ReportName, _ values: [String: String]) {
        self.init(report)
        from = values["from"].flatMap { $0.isEmpty ? nil : Self.cut($0) }
        to = values["to"].flatMap { $0.isEmpty ? nil : Self.cut($0) }
        compares = values["compare"] == "before"
        if let compare = values["compare"], !compares { unknown.append(Filter("compare", Self.cut(compare))) }
        if let text = values["days"] { read(length: text) }
        if let text = values["by"] { read(by: text) }
        if let text = values["sort"] { sort = Sort(Self.cut(text)) }
        if let text = values["page"] { page = Int(text).map { min(max(1, $0), 1_000) } ?? 1 }
        if let text = values["deadline"] { read(deadline: text) }
        for name in values.keys.filter({ !Self.reserved.contains($0) }).sorted().prefix(Self.mostFilters) {
            guard let value = values[name], value.utf8.count <= Self.longestValue, name.utf8.count <= 64 else { continue }
            add(Filter(name, value))
        }
    }

    private mutating func read(length text: String) {
        if let length = Int(text), Self.lengths.contains(length) { self.length = length } else {
            unknown.append(Filter("days", Self.cut(text)))
        }
    }

    private mutating func read(deadline text: String) {
        if report == .paywalls, let deadline = Int(text), (1...60).contains(deadline) { self.deadline = deadline } else {
            unknown.append(Filter("deadline", Self.cut(text)))
        }
    }

    private mutating func read(by text: String) {
        var fields: [String] = []
        for name in text.split(separator: ",").prefix(20).map(String.init) {
            if report.fields.contains(name), !fields.contains(name) { fields.append(name) } else {
                unknown.append(Filter("by", Self.cut(name)))
            }
        }
        if !fields.isEmpty || text.isEmpty { by = fields }
    }

    mutating func add(_ filter: Filter) {
        if !ReportName.times.contains(filter.field), report.fields.contains(filter.field) { filters.append(filter) } else { unknown.append(filter) }
    }

    /// What an address has at most of a word.
    static func cut(_ text: String) -> String { String(decoding: text.utf8.prefix(64), as: UTF8.self) }

    /// The fields of the rows.
    var fields: [String] { by ?? usual }

    /// The days were chosen.
    var hasDays: Bool { from != nil || to != nil }

    /// The report has no such column.
    mutating func forgetSort() {
        if let sort { unknown.append(Filter("sort", sort.text)) }
        sort = nil
    }

    /// The same rows, told apart differently or for other days: from the first page on.
    func with(_ change: (inout ReportQuery) -> Void) -> ReportQuery {
        var query = self
        query.page = 1
        change(&query)
        return query
    }

    mutating func remove(_ filter: Filter) {
        filters.removeAll { $0 == filter }
        unknown.removeAll { $0 == filter }
    }

    /// In place of another filter by the same field.
    mutating func narrow(_ filter: Filter) {
        filters.removeAll { $0.field == filter.field }
        filters.append(filter)
    }

    /// To some days, both included.
    mutating func narrow(from: String, to: String) { (self.from, self.to) = (from, to) }

    /// The days are the last ones again.
    mutating func forgetDays() { (from, to) = (nil, nil) }

    /// The same days and filters in another report. What it does not know stays, and its page says so.
    func asked(of report: ReportName) -> ReportQuery {
        var query = ReportQuery(report)
        (query.from, query.to, query.length, query.compares) = (from, to, length, compares)
        for filter in report.fitted(filters + unknown) where ReportName.shared.contains(filter.field) { query.add(filter) }
        return query
    }

    /// The parts of one row: its values up to a field as filters, by the next level.
    func parts(of key: [String?], upTo field: String) -> ReportQuery {
        with { query in
            query.sort = nil
            for (name, value) in zip(fields, key) {
                if name == "day" {
                    if let value { query.narrow(from: value, to: value) }
                } else if name == "week" {
                    guard let value, let monday = ReportDays.day(value) else { continue }
                    let sunday = ReportDays.text(monday + 6)
                    query.narrow(from: from.map { max($0, value) } ?? value, to: to.map { min($0, sunday) } ?? sunday)
                } else if !ReportName.times.contains(name) {
                    query.narrow(Filter(name, value ?? ""))
                }
                if name == field { break }
            }
            let asked = Set(query.filters.map(\.field))
            let deepest = report.levels.lastIndex { asked.contains($0) }
            let next = report.levels[((deepest ?? -1) + 1)...].first
            // A link has one source and mostly one campaign.
            query.by = asked.isSuperset(of: ["source", "link"]) ? ["day"] : next.map { [$0] } ?? ["day"]
        }
    }

    /// The parameters, in an order of their own.
    var pairs: [(String, String?)] {
        let known: [(String, String?)] = [
            // Beside chosen days it says to which ones their chip leads back.
            ("from", from), ("to", to), ("days", length == Self.usualLength ? nil : "\(length)"), ("by", by.map { $0.joined(separator: ",") }),
            ("sort", sort?.text), ("compare", compares ? "before" : nil),
            ("deadline", deadline == Self.usualDeadline ? nil : "\(deadline)"), ("page", page > 1 ? "\(page)" : nil),
        ]
        let others = (filters + unknown).filter { !Self.reserved.contains($0.field) }
        return known + others.map { ($0.field, $0.value) }
    }

    var place: Place { Place("/console/reports", [report.rawValue], query: pairs) }

    /// The same rows as a file.
    func file(_ ending: String) -> Place {
        let asked = with { _ in }
        return Place("/console/reports", [report.rawValue + "." + ending], query: asked.pairs)
    }
}

extension ReportName {
    /// A link is one field beside installs, and its host and path beside clicks.
    fileprivate func fitted(_ filters: [ReportQuery.Filter]) -> [ReportQuery.Filter] {
        if self == .links {
            return filters.flatMap { filter -> [ReportQuery.Filter] in
                guard filter.field == "link", let slash = filter.value.utf8.firstIndex(of: UInt8(ascii: "/")) else { return [filter] }
                return [.init("host", String(filter.value[..<slash])), .init("path", String(filter.value[slash...]))]
            }
        }
        guard fields.contains("link"), let host = filters.first(where: { $0.field == "host" }), let path = filters.first(where: { $0.field == "path" }) else {
            return filters
        }
        return filters.filter { $0 != host && $0 != path } + [.init("link", host.value + path.value)]
    }
}
