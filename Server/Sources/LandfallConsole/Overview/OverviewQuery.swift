// SPDX-License-Identifier: Apache-2.0

/// What an address asks of the overview: days and filters as the report of campaigns has them, from which most of its numbers come. Every
/// link of the page is made from it.
struct OverviewQuery: Hashable, Sendable {
    /// What its list of campaigns can be split by.
    static let choices = [["source", "campaign"], ["source"], ["country"], ["platform"], ["appVersion"]]

    /// By the fields of the list.
    private(set) var report: ReportQuery
    /// Paywalls are counted for everybody, and not only for the installs of the days.
    var isEverybody: Bool

    /// - Parameter values: the query, each name once.
    init(_ values: [String: String]) {
        report = ReportQuery(.campaigns, values.filter { !ReportQuery.ofOverview.contains($0.key) })
        isEverybody = values["who"] == "everybody"
        report.by = Self.choices.dropFirst().first { $0.joined(separator: ",") == values["by"] }
    }

    var filters: [ReportQuery.Filter] { report.filters }

    /// What rows of the list are grouped by; not one of the ``choices`` is the first one.
    var fields: [String] { report.fields }

    /// The same with another choice of days, filters or fields.
    func with(_ change: (inout ReportQuery) -> Void) -> OverviewQuery {
        var query = self
        change(&query.report)
        return query
    }

    /// What filters one after the other say.
    func narrowed(to filters: some Sequence<ReportQuery.Filter>) -> OverviewQuery {
        with { report in for filter in filters { report.narrow(filter) } }
    }

    /// The same days and filters in a report.
    func asked(of name: ReportName, by fields: [String]? = nil, sort: String? = nil) -> ReportQuery {
        report.asked(of: name).with { query in
            query.by = fields == query.usual ? nil : fields
            query.sort = sort.flatMap { ReportQuery.Sort($0) }
        }
    }

    var pairs: [(String, String?)] { report.pairs + [("who", isEverybody ? "everybody" : nil)] }

    var place: Place { Place("/console", query: pairs) }

    /// Its days as a file.
    func file(_ ending: String) -> Place { Place("/console/reports", ["overview." + ending], query: with { $0.by = nil }.report.pairs) }
}
