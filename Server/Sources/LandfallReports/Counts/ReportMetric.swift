// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// A number that reports count in each of their rows. A new one enters here, in the layout of the days that keep it, and in the columns of the
/// report that shows it.
package enum ReportMetric: Hashable, Sendable {
    // Of installs.
    case firstOpens, attributed, late, shown, purchased, organic, unknown, reinstalls, unverified
    /// Installs that did what a metric of the configuration counts, by the metric's number there.
    case converted(Int)
    // Of exposures.
    case exposures
    /// Exposures whose paywall was there in this time, see ``ElapsedBuckets``.
    case elapsed(bucket: Int)
    // Of clicks.
    case clicks, uniqueClicks, sentToStore, expiredClicks, machineRequests, appOpens, unprovenAppOpens, buttonTaps
    // Of cohorts. The numbers are those of the days in `InstallActivity.askedDays`.
    case size, watched, seen(Int), eligible(Int)

    /// The column in which callers read it; nil where a column has another name, or there is none.
    var column: String? {
        switch self {
        case .firstOpens: "firstOpens"
        case .attributed: "attributed"
        case .late: "late"
        case .shown: "shown"
        case .purchased: "purchased"
        case .organic: "organic"
        case .unknown: "unknown"
        case .reinstalls: "reinstalls"
        case .unverified: "unverified"
        case .exposures: "exposures"
        case .clicks: "clicks"
        case .uniqueClicks: "uniqueClicks"
        case .sentToStore: "sentToStore"
        case .expiredClicks: "expiredClicks"
        case .machineRequests: "machineRequests"
        case .appOpens: "appOpens"
        case .unprovenAppOpens: "unprovenAppOpens"
        case .buttonTaps: "buttonTaps"
        case .size: "size"
        case .seen(let number): "day\(InstallActivity.askedDays[number])"
        case .eligible(let number): "eligible.day\(InstallActivity.askedDays[number])"
        case .converted, .elapsed, .watched: nil
        }
    }

    /// Whether it is counted from events, which are deleted earlier than installs.
    var needsEvents: Bool {
        switch self {
        case .firstOpens, .attributed, .purchased, .organic, .unknown, .reinstalls, .unverified: false
        default: true
        }
    }

    /// Another one for each metric: a layout finds it in an array.
    fileprivate var ordinal: Int {
        let days = InstallActivity.askedDays.count
        return switch self {
        case .firstOpens: 0
        case .attributed: 1
        case .late: 2
        case .shown: 3
        case .organic: 4
        case .unknown: 5
        case .reinstalls: 6
        case .unverified: 7
        case .exposures: 8
        case .clicks: 9
        case .uniqueClicks: 10
        case .sentToStore: 11
        case .expiredClicks: 12
        case .machineRequests: 13
        case .appOpens: 14
        case .unprovenAppOpens: 15
        case .size: 16
        case .watched: 17
        case .purchased: 18
        case .buttonTaps: 19
        case .seen(let number): 20 + number
        case .eligible(let number): 20 + days + number
        case .elapsed(let bucket): 20 + 2 * days + bucket
        case .converted(let number): 20 + 2 * days + ElapsedBuckets.count + number
        }
    }
}

/// Which metrics the counts of a row have, in their order: that of a day's text, and that by which rows are compared.
package struct MetricLayout: Hashable, Sendable {
    package let metrics: [ReportMetric]
    /// Those of the configuration's metrics; nil for rows that have none, whatever is configured.
    let converted: Range<Int>?
    /// By the metric's ordinal; -1 for none.
    private let indices: [Int16]

    package init(_ metrics: [ReportMetric]) { self.init(metrics, converted: nil) }

    /// - Parameter count: of the configuration's metrics.
    init(_ first: [ReportMetric], converted count: Int, _ last: [ReportMetric] = []) {
        self.init(first + (0..<count).map { .converted($0) } + last, converted: first.count..<first.count + count)
    }

    private init(_ metrics: [ReportMetric], converted: Range<Int>?) {
        var indices = Array(repeating: Int16(-1), count: (metrics.map(\.ordinal).max() ?? -1) + 1)
        for (index, metric) in metrics.enumerated() { indices[metric.ordinal] = Int16(index) }
        (self.metrics, self.converted, self.indices) = (metrics, converted, indices)
    }

    package var count: Int { metrics.count }

    /// Nil if rows do not have the metric.
    package func index(of metric: ReportMetric) -> Int? {
        let ordinal = metric.ordinal
        guard ordinal < indices.count, indices[ordinal] >= 0 else { return nil }
        return Int(indices[ordinal])
    }

    /// The index of a metric that rows have.
    package subscript(metric: ReportMetric) -> Int { Int(indices[metric.ordinal]) }

    /// Of each metric its index in the counts of days; nil if the days do not count it.
    /// - Parameter numbers: of each of the configuration's metrics its number in the days.
    func indices(in days: MetricLayout, _ numbers: [Int?]) -> [Int?] {
        metrics.map { metric in
            if case .converted(let number) = metric { numbers[number].flatMap { days.index(of: .converted($0)) } } else { days.index(of: metric) }
        }
    }
}
