// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallWire

/// The dimensions of one table of days. A report is read from the first table that has all its dimensions: the narrow ones come first,
/// because a day of them is short.
package enum RollupDimensions: String, CaseIterable, Sendable {
    case whole, campaign, acquisition, market, link, version, retention

    var list: [CampaignReport.Dimension] {
        switch self {
        case .whole: []
        case .campaign, .retention: [.source, .campaign]
        case .acquisition: [.source, .channel, .campaign, .adGroup, .adSet, .creative, .keyword]
        case .market: [.source, .country, .platform]
        case .link: [.source, .link]
        case .version: [.source, .appVersion]
        }
    }

    /// The first form of the rules that has this table; tables of earlier forms are never read.
    var firstForm: Int {
        switch self {
        case .link: RollupForm.unverified
        case .version: RollupForm.versions
        case .whole, .campaign, .acquisition, .market, .retention: 0
        }
    }

    func key(of facts: InstallProgress.Facts) -> ReportSheet.Key { list.map { dimension in facts[dimension].map { Array($0.utf8) } } }

    /// What each cell counts, in the order of its text: a new metric is the last one, so that days of earlier forms stay readable.
    func layout(_ rules: RollupRules) -> MetricLayout {
        self == .retention
            ? MetricLayout([.size, .watched] + InstallActivity.askedDays.indices.map { .seen($0) })
            : MetricLayout([.firstOpens, .attributed, .late, .shown, .organic], converted: rules.metrics.count, [.reinstalls, .unverified])
    }

    /// The first table with these dimensions; every table has days.
    static func with(_ asked: [CampaignReport.Dimension], _ rules: RollupRules) -> RollupDimensions? {
        allCases.first { table in
            rules.form >= table.firstForm && asked.allSatisfy { $0 == .day || table.list.contains($0) }
        }
    }
}

/// The cells of one day in one table. A pure sum of its installs: their order changes nothing.
struct RollupCells {
    let dimensions: RollupDimensions
    let rules: RollupRules
    private let layout: MetricLayout
    private var table: CellTable

    init(_ dimensions: RollupDimensions, _ rules: RollupRules) {
        (self.dimensions, self.rules, layout) = (dimensions, rules, dimensions.layout(rules))
        table = CellTable(size: layout.count)
    }

    mutating func add(_ facts: InstallProgress.Facts, installs: Int64) {
        // Who comes back is a question about first opens.
        guard !facts.isTest, dimensions != .retention || facts.isReinstall != true else { return }
        let cell = table.cell(CellTable.fields(dimensions.key(of: facts)))
        for metric in dimensions == .retention ? ofCohort(facts) : ofInstalls(facts) { table.add(installs, at: layout[metric], of: cell) }
    }

    /// What an install with these facts counts for.
    private func ofInstalls(_ facts: InstallProgress.Facts) -> [ReportMetric] {
        guard facts.isReinstall != true else { return [.reinstalls] }
        var metrics: [ReportMetric] = [.firstOpens]
        switch facts.origin {
        case .attributed: metrics += facts.isUnverified == true ? [.attributed, .unverified] : [.attributed]
        case .organic: metrics.append(.organic)
        case .unknown: break
        }
        if facts.isLate { metrics.append(.late) }
        if facts.shownDays != nil { metrics.append(.shown) }
        for (number, metric) in rules.metrics.enumerated() {
            guard let days = facts.firsts[metric.type], days <= metric.windowDays else { continue }
            metrics.append(.converted(number))
        }
        return metrics
    }

    private func ofCohort(_ facts: InstallProgress.Facts) -> [ReportMetric] {
        guard let seen = facts.seenDays else { return [.size] }
        return [.size, .watched] + InstallActivity.askedDays.indices.filter { seen.contains(InstallActivity.askedDays[$0]) }.map { .seen($0) }
    }

    var cells: CellTable { table.capped(DayCells.most, fields: dimensions.list.count) }
    var text: String { DayText.text(cells) }
}
