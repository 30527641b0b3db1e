// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules

/// A paid period of a subscription, or a free trial.
struct RunningCharge: Hashable, Sendable {
    let chain: String
    /// A purchase or a trial.
    let terms: Pricing.Terms
    /// Nil: the App Store says no end that is after the beginning.
    let months: Charge.Fraction?
    let purchasedAtMs: Int64
    let serviceEndsAtMs: Int64

    /// Nil for what does not run: refunds, and purchases of one time.
    init?(_ dated: DatedCharge) {
        let kind = dated.charge.terms.kind
        guard kind == .purchase || kind == .trial, let end = dated.serviceEndsAtMs else { return nil }
        (chain, terms, purchasedAtMs, serviceEndsAtMs) = (dated.chain, dated.charge.terms, dated.purchasedAtMs, end)
        months = dated.periodEndsAtMs.flatMap { Charge.Fraction(monthsFrom: dated.purchasedAtMs, to: $0) }
    }
}

/// Counts what runs at the end of each day, and today what runs now. Later days are not counted: nobody knows them.
struct RevenueSubscriptions {
    /// Lines times days. Further lines are one line, see ``DayCells/other``.
    static let mostCells = 1_000_000

    /// A chain on consecutive days.
    private struct Span {
        let line: Int
        let isTrial: Bool
        let first: Int64
        var last: Int64
    }

    /// By the place of the day. Counts are how much more there is than the day before.
    private struct Line {
        var active: [Int64]
        var trials: [Int64]
        var started: [Int64]
        var ended: [Int64]
        /// Wider than any amount, as in ``RevenueSums``.
        var mrr: [Int128]

        init(_ count: Int) {
            let none = [Int64](repeating: 0, count: count)
            (active, trials, started, ended, mrr) = (none, none, none, none, [Int128](repeating: 0, count: count))
        }

        mutating func add(_ other: Line) {
            for field in [\Line.active, \.trials, \.started, \.ended] {
                for place in self[keyPath: field].indices { self[keyPath: field][place] += other[keyPath: field][place] }
            }
            for place in mrr.indices { mrr[place] += other.mrr[place] }
        }

        /// Of all days.
        var size: Int64 {
            var sum: Int64 = 0, running: Int64 = 0
            for place in active.indices {
                running += active[place] + trials[place]
                sum += running
            }
            return sum
        }
    }

    /// Without the day.
    private let by: [RevenueDimension]
    private let first: Int64
    /// The last day that is asked for and has begun; the one before ``first`` if none has.
    private let last: Int64
    private let today: Int64
    private let nowMs: Int64
    private let mostLines: Int
    private let mostRows: Int
    private var keys: [ReportSheet.Key: Int] = [:]
    private var lines: [Line] = []
    private var chains: [ChainNumber: Span] = [:]
    /// Chains that have gone from one line to another: both lines count it, the app as a whole does not.
    private var moved: [Int64]
    private var currency: FigureCurrency

    init(_ request: RevenueRequest, _ rules: MoneyRules, nowMs: Int64, mostRows: Int = ReportSheet.mostRows) {
        by = request.by.filter { $0 != .day }
        first = request.days.days.lowerBound
        today = ReportZone.utc.day(ofMs: nowMs)
        last = max(first - 1, min(request.days.days.upperBound, today))
        (self.nowMs, self.mostRows) = (nowMs, mostRows)
        currency = FigureCurrency(rules)
        mostLines = max(1, Self.mostCells / Int(last - first + 2))
        moved = [Int64](repeating: 0, count: Int(last - first + 3))
        if by.isEmpty { _ = line(of: []) }
    }

    /// When what is counted may have been bought: periods last a year at most, and grace is added.
    static func purchaseDays(_ days: ClosedRange<Int64>) -> ClosedRange<Int64> { days.lowerBound - 400...days.upperBound }

    /// Adds the charges of a chain in the order of their purchase; those of other chains may come between.
    /// - Parameter key: of the row, without the day.
    mutating func add(_ charge: RunningCharge, to key: ReportSheet.Key) {
        guard charge.purchasedAtMs <= nowMs else { return }
        let begin = ReportZone.utc.day(ofMs: charge.purchasedAtMs)
        let end = charge.serviceEndsAtMs > nowMs ? today : ReportZone.utc.day(ofMs: charge.serviceEndsAtMs) - 1
        guard begin <= end, end >= first - 1, begin <= last else { return }
        let line = line(of: key), isTrial = charge.terms.kind == .trial
        if !isTrial, let months = charge.months {
            let monthly = Int128(currency.priced(charge.terms) { $0.monthly(charge.terms, months: months) } ?? 0)
            lines[line].mrr[place(max(begin, first - 1))] += monthly
            lines[line].mrr[place(min(end, last) + 1)] -= monthly
        }
        follow(ChainNumber(charge.chain), Span(line: line, isTrial: isTrial, first: begin, last: end))
    }

    /// A chain counts once: a renewal goes on with it, added seats are within it, and another product takes its place.
    private mutating func follow(_ chain: ChainNumber, _ span: Span) {
        if var before = chains[chain] {
            if before.line == span.line, before.isTrial == span.isTrial, span.first <= before.last + 1 {
                before.last = max(before.last, span.last)
                chains[chain] = before
                return
            }
            let isJoined = before.last >= span.first - 1 && before.first < span.first
            if isJoined, !before.isTrial, !span.isTrial, span.first >= first { moved[place(span.first)] += 1 }
            before.last = min(before.last, span.first - 1)
            close(before)
        }
        chains[chain] = span
    }

    private mutating func close(_ span: Span) {
        guard span.first <= span.last, span.last >= first - 1 else { return }
        let begin = place(max(span.first, first - 1)), end = place(min(span.last, last) + 1)
        if span.isTrial {
            lines[span.line].trials[begin] += 1
            lines[span.line].trials[end] -= 1
        } else {
            lines[span.line].active[begin] += 1
            lines[span.line].active[end] -= 1
            if span.first >= first { lines[span.line].started[begin] += 1 }
            if span.last < last { lines[span.line].ended[end] += 1 }
        }
    }

    /// The first place is the day before the first.
    private func place(_ day: Int64) -> Int { Int(day - first + 1) }

    private mutating func line(of key: ReportSheet.Key) -> Int {
        if let line = keys[key] { return line }
        let other = other(of: key)
        if lines.count >= mostLines, key != other { return line(of: other) }
        lines.append(Line(Int(last - first + 3)))
        keys[key] = lines.count - 1
        return lines.count - 1
    }

    private func other(of key: ReportSheet.Key) -> ReportSheet.Key { key.map { _ in Array(DayCells.other.utf8) } }

    /// The largest lines, in the order of their keys; what is left is one line.
    private var capped: [(key: ReportSheet.Key, value: Line)] {
        let all = keys.map { (key: $0.key, value: lines[$0.value]) }, kept = max(1, mostRows / max(1, Int(last - first + 1)))
        guard all.count > kept else { return all.sorted { ReportSheet.precedes($0.key, $1.key) } }
        let ranked = all.map { (line: $0, size: $0.value.size) }.sorted {
            $0.size != $1.size ? $0.size > $1.size : ReportSheet.precedes($0.line.key, $1.line.key)
        }
        var capped = Dictionary(ranked.prefix(kept - 1).map { ($0.line.key, $0.line.value) }) { first, _ in first }
        for (line, _) in ranked.dropFirst(kept - 1) {
            capped[other(of: line.key), default: Line(line.value.active.count)].add(line.value)
        }
        return capped.sorted { ReportSheet.precedes($0.key, $1.key) }.map { (key: $0.key, value: $0.value) }
    }
}

extension RevenueSubscriptions {
    private struct Sums {
        var active: Int64 = 0
        var trials: Int64 = 0
        var mrr: Int128 = 0
        var started: Int64 = 0
        var ended: Int64 = 0

        func values(activeBefore: Int64) -> RevenueValues {
            var values = RevenueValues(
                RevenueColumn.list(.subscriptions), numbers: [.active: active, .trials: trials, .started: started, .ended: ended],
                ratios: activeBefore > 0 ? [.churn: Double(ended) / Double(activeBefore)] : [:])
            (values.numbers[.mrrMilliunits], values.numbers[.arrMilliunits]) = (Int64(exactly: mrr), Int64(exactly: 12 * mrr))
            return values
        }
    }

    /// By day, then by key. Totals: what runs at the end of the last day, and what began and ended on all days. Unconverted are the whole
    /// prices of what runs on some of the days. Call it once, after all charges.
    mutating func result() -> RevenueResult {
        for span in chains.values { close(span) }
        chains = [:]
        let order = capped
        // Amounts of several currencies are no sum.
        let isSum = currency.code != nil
        var sums = [Sums](repeating: Sums(), count: order.count), total = Sums(), activeBefore: Int64 = 0
        var rows: [RevenueDocument.Row] = []
        for day in first - 1...last {
            let place = place(day)
            (total.active, total.trials, total.mrr) = (0, 0, 0)
            for (line, (key, counts)) in order.enumerated() {
                let before = sums[line].active
                sums[line].active += counts.active[place]
                sums[line].trials += counts.trials[place]
                if isSum { sums[line].mrr += counts.mrr[place] }
                (sums[line].started, sums[line].ended) = (counts.started[place], counts.ended[place])
                let sum = sums[line]
                total.active += sum.active
                total.trials += sum.trials
                total.mrr += sum.mrr
                guard day >= first else { continue }
                total.started += sum.started
                total.ended += sum.ended
                guard by.isEmpty || sum.active != 0 || sum.trials != 0 || sum.ended != 0 else { continue }
                rows.append(RevenueDocument.Row(day: day, key, by, sum.values(activeBefore: before)))
            }
            if day < first { activeBefore = total.active } else { (total.started, total.ended) = (total.started - moved[place], total.ended - moved[place]) }
        }
        return RevenueResult(
            currency: currency.code, rows: rows, totals: total.values(activeBefore: activeBefore), unconverted: currency.unconverted)
    }
}

/// The original transaction of a chain: nearly always a number, which needs no memory of its own.
private enum ChainNumber: Hashable {
    case number(UInt64)
    case text(String)

    init(_ chain: String) {
        let id = chain.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        if let number = UInt64(id), "\(number)" == id { self = .number(number) } else { self = .text(chain) }
    }
}
