// SPDX-License-Identifier: Apache-2.0

/// The dimensions of one table of days of exposures. There is a table for every choice of dimensions, because an install that saw two
/// paywalls counts once where rows are not grouped by paywall.
struct PaywallDimensions: Hashable, Sendable {
    static let all: [PaywallReport.Dimension] = [.placement, .paywall, .variation, .audience, .origin]
    static let choices = (0..<(1 << all.count)).map { PaywallDimensions(mask: $0) }

    /// One bit for each of ``all``.
    let mask: Int

    private init(mask: Int) { self.mask = mask }

    init(_ list: [PaywallReport.Dimension]) {
        mask = Self.all.enumerated().reduce(0) { list.contains($1.element) ? $0 | 1 << $1.offset : $0 }
    }

    var list: [PaywallReport.Dimension] { Self.all.enumerated().filter { has($0.offset) }.map(\.element) }
    func has(_ index: Int) -> Bool { mask & (1 << index) != 0 }

    /// What `report_day` calls it.
    var report: String { "paywalls " + list.map(\.rawValue).joined(separator: ",") }
}

/// What its rows count, and each cell of its days.
extension PaywallReport {
    /// The times are the last: days of earlier forms do not have them, and are read as days without times.
    /// - Parameter metrics: how many metrics of the configuration are counted.
    static func layout(_ metrics: Int) -> MetricLayout {
        MetricLayout(
            [.shown, .exposures, .attributed, .late], converted: metrics, (0..<ElapsedBuckets.count).map { .elapsed(bucket: $0) })
    }

    /// Without the empty buckets at the end: most paywalls are there at once, and a day has many cells.
    static func short(_ counts: [Int64], _ layout: MetricLayout) -> [Int64] {
        let used = counts.lastIndex { $0 != 0 } ?? 0
        return Array(counts.prefix(max(layout[.elapsed(bucket: 0)], used + 1)))
    }
}
