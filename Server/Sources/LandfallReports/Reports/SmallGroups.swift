// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Which groups of a breakdown are too small to be shown to everybody.
package enum SmallGroups {
    /// See ``FewInstalls/least``.
    package static let least = FewInstalls.least

    package static func isFew(_ count: Int64?, least: Int64 = least) -> Bool { (1..<least).contains(count ?? 0) }

    /// The indexes of the groups that are shown only together. A single small group takes the next smallest along, and so do small
    /// ones that are too few together. So subtracting the others from the total says nothing about one of them.
    /// - Parameters:
    ///   - sizes: in an order that does not change; a group of none says nothing about anybody.
    ///   - smallest: of each group, its smallest count of installs that is not 0: first opens beside many reinstalls are few as well. Nil:
    ///     a group has one count.
    ///   - least: of which a group is no longer small.
    ///   - together: the size of groups that are put together; nil: the sum, because nobody is in two of them.
    package static func merged(
        _ sizes: [Int64], smallest: [Int64]? = nil, least: Int64 = least, together: (([Int]) -> Int64)? = nil
    ) -> Set<Int> {
        let order = sizes.indices.filter { sizes[$0] > 0 }.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
        let isSmall = { (index: Int) in (smallest ?? sizes)[index] < least }
        var merged = order.filter(isSmall), rest = order.filter { !isSmall($0) }[...]
        guard !merged.isEmpty else { return [] }
        let size = together ?? { merged in merged.reduce(0) { $0 + sizes[$1] } }
        while merged.count < 2 || size(merged) < least, let next = rest.popFirst() { merged.append(next) }
        return Set(merged)
    }
}

extension ReportSheet {
    /// The indexes of the counts that say together how many installs a row is about; empty for reports that count no installs.
    package var installs: [Int] {
        let metrics: [ReportMetric] =
            switch kind {
            case .campaigns: [.firstOpens, .reinstalls]
            case .funnel: [.firstOpens]
            case .paywalls: [.shown]
            case .retention: [.size]
            case .links, .overview: []
            }
        return metrics.compactMap { layout.index(of: $0) }
    }

    package static func size(_ counts: [Int64?], _ installs: [Int]) -> Int64 { installs.reduce(0) { $0 + (counts[$1] ?? 0) } }

    /// The smallest count that is not 0.
    package static func smallest(_ counts: [Int64?], _ installs: [Int]) -> Int64 {
        installs.compactMap { counts[$0] }.filter { $0 > 0 }.min() ?? 0
    }

    /// The same counts with small groups in one row, of each day apart. The sums stay the same.
    /// - Returns: nil if no group is small.
    func withoutSmallGroups() -> ReportSheet? {
        let installs = installs
        guard !installs.isEmpty, by.contains(where: { !Self.times.contains($0) }) else { return nil }
        var sheet = self, isChanged = false
        let groups = Dictionary(grouping: rows) { key in zip(by, key.key).filter { Self.times.contains($0.0) }.map { $0.1 } }
        for group in groups.values {
            let group = group.sorted { Self.precedes($0.key, $1.key) }
            let smallest = group.map { Self.smallest($0.value, installs) }
            for index in SmallGroups.merged(group.map { Self.size($0.value, installs) }, smallest: smallest) {
                let (key, counts) = group[index], rest = Self.rest(key, by)
                guard key != rest else { continue }
                sheet.rows[key] = nil
                sheet.rows[rest] = sheet.rows[rest].map { Self.sum($0, counts) } ?? counts
                isChanged = true
            }
        }
        return isChanged ? sheet : nil
    }

    /// The indexes of some counts, and of the count that says how many installs they tell something about.
    private struct Measure {
        let size: Int
        let told: Set<Int>
    }

    private var measures: [Measure] {
        func measure(_ size: ReportMetric, _ told: [ReportMetric]) -> Measure? {
            layout.index(of: size).map { Measure(size: $0, told: Set(([size] + told).compactMap { layout.index(of: $0) })) }
        }
        let all = layout.metrics
        let measures: [Measure?] =
            switch kind {
            // Reinstalls are in no other column, and clicks are no installs.
            case .campaigns: [measure(.firstOpens, all.filter { ![.reinstalls, .clicks, .uniqueClicks].contains($0) }), measure(.reinstalls, [])]
            case .funnel: [measure(.firstOpens, [.shown, .purchased])]
            case .paywalls: [measure(.shown, all), measure(.exposures, (0..<ElapsedBuckets.count).map { .elapsed(bucket: $0) })]
            case .retention: [measure(.size, all)] + InstallActivity.askedDays.indices.map { measure(.eligible($0), [.seen($0)]) }
            case .links, .overview: []
            }
        return measures.compactMap(\.self)
    }

    /// The same rows without what they tell of fewer than ten installs, days and weeks too; and of as many further rows as it takes, so
    /// that subtracting from the totals says nothing. Totals of fewer say only how many installs there are.
    /// - Returns: nil if nothing is left out.
    func withoutFewInstalls() -> ReportSheet? {
        var sheet = self, isChanged = false
        let rows = rows.sorted { Self.precedes($0.key, $1.key) }
        for measure in measures {
            if SmallGroups.isFew(totals[measure.size]) {
                for index in measure.told where index != measure.size { sheet.totals[index] = nil }
                isChanged = true
            }
            for index in SmallGroups.merged(rows.map { $0.value[measure.size] ?? 0 }) {
                // A row of everything is its totals.
                for count in measure.told where !by.isEmpty || count != measure.size { sheet.rows[rows[index].key]?[count] = nil }
                isChanged = true
            }
        }
        return isChanged ? sheet : nil
    }

    /// What a reader may see who may not see single people; nil if that is all.
    package func forEverybody() -> ReportSheet? {
        let merged = withoutSmallGroups()
        return (merged ?? self).withoutFewInstalls() ?? merged
    }

    /// The key of the row in which small groups are, on the same day. Computed days call their smallest combinations so too.
    static func rest(_ key: Key, _ by: [String]) -> Key {
        zip(key, by).map { times.contains($1) ? $0 : Array(DayCells.other.utf8) }
    }

    static func isRest(_ key: Key, _ by: [String]) -> Bool { by.contains { !times.contains($0) } && key == rest(key, by) }
}
