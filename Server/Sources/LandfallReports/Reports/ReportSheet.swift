// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer

/// A report whose rows can still be filtered and merged: counts by key, and the columns that show them.
package struct ReportSheet: Sendable {
    /// The key as bytes: identifiers are compared as the databases compare them. Nil is a dimension that a row does not have.
    package typealias Key = [[UInt8]?]

    /// More rows do not help a reader, and would take too much of the node's memory.
    static let mostRows = 10_000

    package struct Column: Hashable, Sendable {
        enum Content: Hashable, Sendable {
            case count(ReportMetric)
            /// One count divided by another; unknown if the other is zero.
            case ratio(ReportMetric, in: ReportMetric)
            /// Milliseconds, from the counts of ``ElapsedBuckets``; unknown if nothing is counted.
            case quantile(Double)
            case unknown(ReportDocument.Unit)
        }

        package let name: String
        let definition: String
        let content: Content
        /// Of a metric: how many days something counts.
        var windowDays: Int64?

        fileprivate var unit: ReportDocument.Unit {
            switch content {
            case .count: .count
            case .ratio: .ratio
            case .quantile: .milliseconds
            case .unknown(let unit): unit
            }
        }

        /// - Parameter counts: nil is a count that cannot be known.
        fileprivate func value(_ counts: [Int64?], _ layout: MetricLayout) -> Double? {
            switch content {
            case .count(let metric): counts[layout[metric]].map { Double($0) }
            case .ratio(let metric, in: let whole):
                if let part = counts[layout[metric]], let all = counts[layout[whole]], all > 0 { Double(part) / Double(all) } else { nil }
            case .quantile(let share):
                ElapsedBuckets.quantile(share, of: (0..<ElapsedBuckets.count).map { counts[layout[.elapsed(bucket: $0)]] ?? 0 })?.rounded()
            case .unknown: nil
            }
        }
    }

    package var kind: ReportKind
    package let days: ReportDays
    /// Everything that came before is counted.
    package let completeToMs: Int64
    /// The dimensions of the key, in the order of the request.
    package let by: [String]
    package let columns: [Column]
    /// Which counts each row has.
    package let layout: MetricLayout
    /// Nil is a count that cannot be known.
    package var rows: [Key: [Int64?]]
    package var totals: [Int64?]
    /// How many rows the report has, where ``rows`` are only the first of them.
    package var rowCount: Int?

    package init(
        kind: ReportKind, days: ReportDays, completeToMs: Int64, by: [String], columns: [Column], layout: MetricLayout,
        rows: [Key: [Int64?]], totals: [Int64?], rowCount: Int? = nil
    ) {
        self.kind = kind
        self.days = days
        self.completeToMs = completeToMs
        self.by = by
        self.columns = columns
        self.layout = layout
        self.rows = rows
        self.totals = totals
        self.rowCount = rowCount
    }

    package var count: Int { rowCount ?? rows.count }

    /// The largest rows. The others are one row that is called ``DayCells/other``; one for each day if rows have days.
    package static func capped(_ rows: [Key: [Int64?]], by: [String]) -> [Key: [Int64?]] {
        guard rows.count > mostRows else { return rows }
        let day = by.firstIndex { times.contains($0) }
        let ranked = rows.sorted { isLarger($0, $1) ?? precedes($0.key, $1.key) }
        let kept = mostRows - (day == nil ? 1 : Int(ReportDays.most))
        var capped = Dictionary(ranked.prefix(kept).map { ($0.key, $0.value) }) { first, _ in first }
        let other = Array(DayCells.other.utf8)
        for (key, values) in ranked.dropFirst(kept) {
            let rest = key.indices.map { $0 == day ? key[$0] : other }
            capped[rest] = capped[rest].map { sum($0, values) } ?? values
        }
        return capped
    }

    /// - Parameters:
    ///   - count: the number of counts in each row.
    ///   - unknown: the indexes of counts that are unknown for every row.
    package static func sums(_ rows: some Sequence<[Int64?]>, count: Int, unknown: Set<Int> = []) -> [Int64?] {
        var sums = Array(repeating: Int64(0), count: count)
        for row in rows { for (index, value) in row.enumerated() { sums[index] += value ?? 0 } }
        return sums.enumerated().map { unknown.contains($0.offset) ? nil : $0.element }
    }

    /// - Parameter most: at least so many of the first rows; nil for all of them.
    package func document(most: Int? = nil) -> ReportDocument {
        let ordered = most.flatMap { $0 <= Self.mostFirst ? rows.first($0, by: precedes) : nil } ?? Self.capped(rows, by: by).sorted { precedes($0, $1) }
        return ReportDocument(
            report: kind.rawValue, from: days.from, to: days.to, timeZone: days.zone.name, completeToMilliseconds: min(completeToMs, days.endMs), by: by,
            columns: columns.map { .init(name: $0.name, definition: $0.definition, unit: $0.unit, windowDays: $0.windowDays) },
            rows: ordered.map { key, counts in
                let texts = key.map { $0.map { String(decoding: $0, as: UTF8.self) } }
                return .init(key: Dictionary(zip(by, texts)) { first, _ in first }, values: values(counts))
            },
            totals: values(totals)
        )
    }

    /// Further rows are found faster by ordering all of them.
    private static let mostFirst = 500

    private func values(_ counts: [Int64?]) -> [String: Double?] {
        Dictionary(columns.map { ($0.name, $0.value(counts, layout)) }) { first, _ in first }
    }

    /// Days and weeks in their order, then the highest count first, then by name.
    private func precedes(_ one: (key: Key, value: [Int64?]), _ other: (key: Key, value: [Int64?])) -> Bool {
        if let day = by.firstIndex(where: { Self.times.contains($0) }), let first = one.key[day], let second = other.key[day], first != second {
            return first.lexicographicallyPrecedes(second)
        }
        return Self.isLarger(one, other) ?? Self.precedes(one.key, other.key)
    }

    /// Nil if their counts are the same.
    private static func isLarger(_ one: (key: Key, value: [Int64?]), _ other: (key: Key, value: [Int64?])) -> Bool? {
        for (one, other) in zip(one.value, other.value) where one ?? 0 != other ?? 0 { return one ?? 0 > other ?? 0 }
        return nil
    }

    /// Dimensions that group by time and not by people.
    package static let times: Set<String> = ["day", "week"]

    /// What is known of one of them is known of the sum.
    package static func sum(_ one: [Int64?], _ other: [Int64?]) -> [Int64?] {
        zip(one, other).map { one, other in one.map { $0 + (other ?? 0) } ?? other }
    }

    /// By the bytes of the first field that differs; none before any.
    package static func precedes(_ one: Key, _ other: Key) -> Bool {
        guard let (one, other) = zip(one, other).first(where: { $0 != $1 }), let other else { return false }
        return one?.lexicographicallyPrecedes(other) ?? true
    }
}

extension ReportSheet.Column {
    /// The count itself, by its own name.
    init(_ metric: ReportMetric, _ definition: String) {
        guard let name = metric.column else { preconditionFailure("The column of \(metric) needs a name of its own.") }
        self.init(name: name, definition: definition, content: .count(metric))
    }
}

extension Sequence {
    /// The first elements in an order, without ordering the others.
    func first(_ most: Int, by precedes: (Element, Element) -> Bool) -> [Element] {
        var first: [Element] = []
        for element in self where first.count < most || first.last.map({ precedes(element, $0) }) ?? false {
            first.insert(element, at: first.firstIndex { precedes(element, $0) } ?? first.count)
            if first.count > most { first.removeLast() }
        }
        return first
    }
}
