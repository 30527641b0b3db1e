// SPDX-License-Identifier: Apache-2.0

/// The fields that one table of days of exposures has. There is one for every choice of fields, because an install that saw two paywalls
/// counts once where paywalls are not told apart.
struct PaywallCut: Hashable, Sendable {
    static let fields: [PaywallReport.Dimension] = [.placement, .paywall, .variation, .audience, .origin]
    static let all = (0..<(1 << fields.count)).map { PaywallCut(mask: $0) }

    /// One bit for each of ``fields``.
    let mask: Int

    private init(mask: Int) { self.mask = mask }

    init(_ fields: [PaywallReport.Dimension]) {
        mask = Self.fields.enumerated().reduce(0) { fields.contains($1.element) ? $0 | 1 << $1.offset : $0 }
    }

    var fields: [PaywallReport.Dimension] { Self.fields.enumerated().filter { has($0.offset) }.map(\.element) }
    func has(_ place: Int) -> Bool { mask & (1 << place) != 0 }

    /// What `report_day` calls it.
    var report: String { "paywalls " + fields.map(\.rawValue).joined(separator: ",") }
}

/// The places of the counts of a cell; after them the installs that converted, by metric, and last ``elapsed(metrics:)``.
enum PaywallCounts {
    static let shown = 0, exposures = 1, attributed = 2, late = 3, firstMetric = 4

    /// Exposures by the time until the paywall was there, as far as the app told it, see ``ElapsedBuckets``. They are behind what
    /// days of earlier forms count, so those are read as days without times.
    static func elapsed(metrics: Int) -> Range<Int> {
        let first = firstMetric + metrics
        return first..<(first + ElapsedBuckets.count)
    }

    static func size(metrics: Int) -> Int { elapsed(metrics: metrics).upperBound }

    /// Without the empty buckets at the end: most paywalls are there at once, and a day has many cells.
    static func short(_ counts: [Int64], metrics: Int) -> [Int64] {
        let used = counts.lastIndex { $0 != 0 } ?? 0
        return Array(counts.prefix(max(firstMetric + metrics, used + 1)))
    }
}
