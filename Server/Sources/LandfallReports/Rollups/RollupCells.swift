// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallWire

/// The fields that one table of days has. A report is read from the first cut that has all its fields: the narrow ones come first,
/// because a day of them is short.
package enum RollupCut: String, CaseIterable, Sendable {
    case whole, campaign, acquisition, market, link, version, retention

    var fields: [CampaignReport.Dimension] {
        switch self {
        case .whole: []
        case .campaign, .retention: [.source, .campaign]
        case .acquisition: [.source, .channel, .campaign, .adGroup, .adSet, .creative, .keyword]
        case .market: [.source, .country, .platform]
        case .link: [.source, .link]
        case .version: [.source, .appVersion]
        }
    }

    /// The first form of the rules whose days have this cut; those of earlier forms are never read.
    var firstForm: Int {
        switch self {
        case .link: RollupCounts.unverifiedForm
        case .version: RollupCounts.versionForm
        case .whole, .campaign, .acquisition, .market, .retention: 0
        }
    }

    func key(of facts: InstallProgress.Facts) -> ReportSheet.Key {
        fields.map { field in
            let text =
                switch field {
                case .link: facts.link
                case .appVersion: facts.appVersion
                default:
                    if let place = Self.acquisition.fields.firstIndex(of: field) { facts.acquisition[place] } else {
                        Self.market.fields.firstIndex(of: field).flatMap { facts.market[$0] }
                    }
                }
            return text.map { Array($0.utf8) }
        }
    }

    /// The number of counts of each cell.
    func size(_ rules: RollupRules) -> Int {
        self == .retention ? RollupCounts.firstDay + InstallActivity.askedDays.count : RollupCounts.unverified(rules) + 1
    }

    /// What so many installs with the same facts count.
    func counts(of facts: InstallProgress.Facts, installs: Int64, _ rules: RollupRules) -> [Int64] {
        var counts = Array(repeating: Int64(0), count: size(rules))
        guard facts.isReinstall != true else {
            counts[RollupCounts.reinstalls(rules)] = installs
            return counts
        }
        counts[RollupCounts.installs] = installs
        if self == .retention {
            guard let seen = facts.seenDays else { return counts }
            counts[RollupCounts.watched] = installs
            for (place, day) in InstallActivity.askedDays.enumerated() where seen.contains(day) {
                counts[RollupCounts.firstDay + place] = installs
            }
            return counts
        }
        switch facts.origin {
        case .attributed: counts[RollupCounts.attributed] = installs
        case .organic: counts[RollupCounts.organic] = installs
        case .unknown: break
        }
        if facts.origin == .attributed, facts.isUnverified == true { counts[RollupCounts.unverified(rules)] = installs }
        if facts.isLate { counts[RollupCounts.late] = installs }
        if facts.shownDays != nil { counts[RollupCounts.shown] = installs }
        for (place, metric) in rules.metrics.enumerated() {
            guard let days = facts.firsts[metric.type], days <= metric.windowDays else { continue }
            counts[RollupCounts.firstMetric + place] = installs
        }
        return counts
    }

    /// The first cut with these fields; days are in every cut.
    package static func with(_ fields: [CampaignReport.Dimension], _ rules: RollupRules) -> RollupCut? {
        allCases.first { cut in
            rules.form >= cut.firstForm && fields.allSatisfy { $0 == .day || cut.fields.contains($0) }
        }
    }
}

/// The places of the counts of a cell. Of retention: installs, those that were watched from their first open, then those that were
/// seen, by day. Of the others: installs, attributed, late, shown, organic, then the installs that converted, by metric, then reinstalls, and of
/// the attributed the unverified.
package enum RollupCounts {
    static let installs = 0, attributed = 1, late = 2, shown = 3, organic = 4, firstMetric = 5
    static let watched = 1, firstDay = 2
    /// The first form of the rules whose days count reinstalls apart.
    static let reinstallsForm = 5
    /// The first form whose days count the unverified apart, and have links beside their sources.
    package static let unverifiedForm = 6
    /// The first form whose days tell versions of the app apart.
    static let versionForm = 7

    static func reinstalls(_ rules: RollupRules) -> Int { firstMetric + rules.metrics.count }
    static func unverified(_ rules: RollupRules) -> Int { reinstalls(rules) + 1 }
}

/// The cells of one day and cut. A pure sum of its installs: their order changes nothing.
struct RollupCells {
    let cut: RollupCut
    let rules: RollupRules
    private var table: CellTable

    init(_ cut: RollupCut, _ rules: RollupRules) {
        self.cut = cut
        self.rules = rules
        table = CellTable(size: cut.size(rules))
    }

    mutating func add(_ facts: InstallProgress.Facts, installs: Int64) {
        // Who comes back is a question about first opens.
        guard !facts.isTest, cut != .retention || facts.isReinstall != true else { return }
        table.add(cut.key(of: facts), cut.counts(of: facts, installs: installs, rules))
    }

    var cells: CellTable { table.capped(DayCells.most, fields: cut.fields.count) }
    var text: String { DayText.text(cells) }
}
