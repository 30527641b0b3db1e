// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallWire

/// The fields that one table of days has. A report is read from a cut that has all its fields.
enum RollupCut: String, CaseIterable, Sendable {
    case acquisition, market, retention

    var fields: [CampaignReport.Field] {
        switch self {
        case .acquisition: [.source, .channel, .campaign, .adGroup, .adSet, .creative, .keyword]
        case .market: [.source, .country, .platform]
        case .retention: [.source, .campaign]
        }
    }

    func values(of facts: InstallProgress.Facts) -> [String?] {
        switch self {
        case .acquisition: facts.acquisition
        case .market: facts.market
        // The source and the campaign.
        case .retention: [facts.acquisition.first ?? nil, facts.acquisition.dropFirst(2).first ?? nil]
        }
    }

    /// The numbers of each cell.
    func size(_ rules: RollupRules) -> Int {
        switch self {
        case .acquisition, .market: RollupCounts.firstMetric + rules.metrics.count
        case .retention: RollupCounts.firstDay + InstallActivity.askedDays.count
        }
    }

    /// What so many installs with the same facts count.
    func counts(of facts: InstallProgress.Facts, installs: Int64, _ rules: RollupRules) -> RollupCounts {
        var counts = RollupCounts(size: size(rules))
        counts.values[RollupCounts.installs] = installs
        if self == .retention {
            guard let seen = facts.seenDays else { return counts }
            counts.values[RollupCounts.watched] = installs
            for (place, day) in InstallActivity.askedDays.enumerated() where seen.contains(day) {
                counts.values[RollupCounts.firstDay + place] = installs
            }
            return counts
        }
        switch facts.origin {
        case .attributed: counts.values[RollupCounts.attributed] = installs
        case .organic: counts.values[RollupCounts.organic] = installs
        case .unknown: break
        }
        if facts.isLate { counts.values[RollupCounts.late] = installs }
        if facts.shownDays != nil { counts.values[RollupCounts.shown] = installs }
        for (place, metric) in rules.metrics.enumerated() {
            guard let days = facts.firsts[metric.type], days <= metric.windowDays else { continue }
            counts.values[RollupCounts.firstMetric + place] = installs
        }
        return counts
    }

    /// The first cut with these fields; days are in every cut.
    static func with(_ fields: [CampaignReport.Field]) -> RollupCut? {
        allCases.first { cut in fields.allSatisfy { $0 == .day || cut.fields.contains($0) } }
    }
}

/// The counts of one cell. Of an acquisition or a market: installs, attributed, late, shown, organic, then the installs that
/// converted, by metric. Of retention: installs, those that were watched from their first open, then those that were seen, by day.
struct RollupCounts: Hashable, Sendable {
    static let installs = 0, attributed = 1, late = 2, shown = 3, organic = 4, firstMetric = 5
    static let watched = 1, firstDay = 2

    var values: [Int64]

    init(values: [Int64]) { self.values = values }

    init(size: Int) { values = Array(repeating: 0, count: size) }

    init?(_ text: String) {
        var values: [Int64] = []
        for number in text.utf8.split(separator: UInt8(ascii: ",")) {
            guard let value = Int64(Substring(number)) else { return nil }
            values.append(value)
        }
        guard values.count >= Self.firstMetric else { return nil }
        self.values = values
    }

    var text: String { values.map(String.init).joined(separator: ",") }

    static func + (one: RollupCounts, other: RollupCounts) -> RollupCounts {
        // Days of an earlier generation that stay may have fewer metrics.
        let (longer, shorter) = one.values.count >= other.values.count ? (one, other) : (other, one)
        var sum = longer
        for (place, value) in shorter.values.enumerated() { sum.values[place] += value }
        return sum
    }
}

/// The cells of one day and cut. A pure sum of its installs: their order changes nothing.
struct RollupCells {
    /// A day has at most this many cells of a cut; the smallest become one cell that is called ``other`` in every field.
    static let most = 1_000
    static let other = "other"

    let cut: RollupCut
    let rules: RollupRules
    private var counts: [[String?]: RollupCounts] = [:]

    init(_ cut: RollupCut, _ rules: RollupRules) {
        self.cut = cut
        self.rules = rules
    }

    mutating func add(_ facts: InstallProgress.Facts, installs: Int64) {
        guard !facts.isTest else { return }
        let one = cut.counts(of: facts, installs: installs, rules)
        let key = cut.values(of: facts)
        counts[key] = counts[key].map { $0 + one } ?? one
    }

    /// The largest cells, and one for the rest.
    var cells: [[String?]: RollupCounts] {
        guard counts.count > Self.most else { return counts }
        let ranked = counts.sorted { one, two in
            let (first, second) = (one.value.values[RollupCounts.installs], two.value.values[RollupCounts.installs])
            return first != second ? first > second : Self.name(one.key) < Self.name(two.key)
        }
        var cells = Dictionary(uniqueKeysWithValues: ranked.prefix(Self.most - 1).map { ($0.key, $0.value) })
        let rest = ranked.dropFirst(Self.most - 1).map(\.value).reduce(RollupCounts(size: cut.size(rules)), +)
        let key = cut.fields.map { _ in Self.other as String? }
        cells[key] = cells[key].map { $0 + rest } ?? rest
        return cells
    }

    private static func name(_ key: [String?]) -> String { key.map { $0.map { "=" + $0 } ?? "" }.joined(separator: "\u{0}") }

    /// How a cell is named in the store: the same on every node, without asking the store.
    static func id(of fields: String) -> Int64 {
        SHA256.hash(data: Data(fields.utf8)).prefix(8).reduce(0) { $0 << 8 | Int64($1) } & .max
    }
}
