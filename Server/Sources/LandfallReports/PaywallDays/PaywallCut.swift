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

/// What each cell counts.
extension PaywallCut {
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
