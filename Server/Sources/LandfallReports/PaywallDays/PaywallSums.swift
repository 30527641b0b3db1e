// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// The sums of one day of exposures.
struct PaywallSums {
    /// The most combinations of values: everybody with an SDK key can name paywalls. Further ones are called ``DayCells/other`` in every field.
    static let mostCombinations = 3_000

    /// An event of an install that saw a paywall on the day.
    struct Event {
        let type: LandfallWire.Event.Kind
        let occurredAtMs: Int64
        /// In the order of ``PaywallDimensions/all``.
        let texts: [String?]
        let elapsedMs: Int64?

        enum Column: Int, TableColumn {
            case install_id, type, occurred_at_ms, placement, paywall, variation_id, audience, origin, elapsed_ms, id
        }

        static let at = ColumnIndexes<Column>()
        private static let fields: [Column] = [.placement, .paywall, .variation_id, .audience, .origin]

        init(_ row: Row) throws {
            let at = Self.at
            type = .init(try row.text(at[.type]))
            occurredAtMs = try row.integer(at[.occurred_at_ms])
            texts = Self.fields.map { row.optionalText(at[$0]) }
            elapsedMs = row.optionalInteger(at[.elapsed_ms])
        }
    }

    let day: Range<Int64>
    let metrics: [RollupRules.Counted]
    private let layout: MetricLayout
    /// The combinations of values. They count nothing themselves: each has a cell in every table.
    private var combinations = CellTable(size: 0)
    /// For each combination its cells, one for each table.
    private var cellsOfCombination: [Int] = []
    /// One for each of ``PaywallDimensions/choices``.
    private var tables: [CellTable]
    /// Used for one install at a time.
    private var seen = Earliest(), seenOfCell = Earliest()
    /// When the install did what each metric counts, from the day's start on.
    private var times: [[Int64]]

    init(day: Range<Int64>, metrics: [RollupRules.Counted]) {
        self.day = day
        self.metrics = metrics
        let layout = PaywallReport.layout(metrics.count)
        self.layout = layout
        tables = PaywallDimensions.choices.map { _ in CellTable(size: layout.count) }
        times = metrics.map { _ in [] }
    }

    /// Adds events of one install, in any order and in any number of pieces: all its exposures, and all its events of the metrics' types.
    /// ``endInstall(attributedAtMs:)`` comes before the next install.
    mutating func add(_ events: [Event]) {
        for event in events {
            // A metric may count exposures too. An event before the day cannot follow an exposure that was first on this day.
            if event.occurredAtMs >= day.lowerBound {
                for (number, metric) in metrics.enumerated() where event.type.rawValue == metric.type { times[number].append(event.occurredAtMs) }
            }
            guard event.type == .paywallShown, event.occurredAtMs < day.upperBound else { continue }
            let combination = combination(of: event.texts)
            seen.meet(event.occurredAtMs, at: combination)
            guard event.occurredAtMs >= day.lowerBound else { continue }
            let exposures = layout[.exposures], elapsed = event.elapsedMs.map { layout[.elapsed(bucket: ElapsedBuckets.bucket(of: $0))] }
            for table in tables.indices {
                let cell = cellsOfCombination[combination * tables.count + table]
                tables[table].add(1, at: exposures, of: cell)
                if let elapsed { tables[table].add(1, at: elapsed, of: cell) }
            }
        }
    }

    /// Counts the install whose events were added since the last call.
    /// - Parameter attributedAtMs: when the install's source was known; nil if it is not.
    mutating func endInstall(attributedAtMs: Int64?) {
        defer {
            seen.clear()
            for number in times.indices { times[number].removeAll(keepingCapacity: true) }
        }
        guard seen.indices.contains(where: { seen[$0] >= day.lowerBound }) else { return }
        for number in times.indices { times[number].sort() }
        for table in tables.indices {
            // What is in one cell was seen when the first of it was.
            for combination in seen.indices { seenOfCell.meet(seen[combination], at: cellsOfCombination[combination * tables.count + table]) }
            for cell in seenOfCell.indices where seenOfCell[cell] >= day.lowerBound {
                addInstall(firstMs: seenOfCell[cell], to: cell, of: table, attributedAtMs)
            }
            seenOfCell.clear()
        }
    }

    /// An install that saw what the cell counts for the first time on this day.
    private mutating func addInstall(firstMs: Int64, to cell: Int, of table: Int, _ attributedAtMs: Int64?) {
        tables[table].add(1, at: layout[.shown], of: cell)
        if let attributedAtMs {
            tables[table].add(1, at: layout[.attributed], of: cell)
            if firstMs < attributedAtMs { tables[table].add(1, at: layout[.late], of: cell) }
        }
        for (number, metric) in metrics.enumerated() {
            guard let nextMs = times[number].first(from: firstMs), nextMs - firstMs <= metric.windowDays * Retention.dayMs else { continue }
            tables[table].add(1, at: layout[.converted(number)], of: cell)
        }
    }

    private mutating func combination(of texts: [String?]) -> Int {
        var fields: [UInt8] = []
        for text in texts { DayText.append(text?.utf8, to: &fields) }
        if combinations.count >= Self.mostCombinations, combinations.counts(fields) == nil { fields = DayCells.rest(texts.count) }
        let known = combinations.count
        let combination = combinations.cell(fields)
        guard combination == known else { return combination }
        let key = DayText.values(fields[...])
        for (number, dimensions) in PaywallDimensions.choices.enumerated() {
            cellsOfCombination.append(tables[number].cell(CellTable.fields(key.indices.filter { dimensions.has($0) }.map { key[$0] })))
        }
        return combination
    }

    var cells: [PaywallDimensions: [ReportSheet.Key: [Int64]]] {
        let cells = zip(PaywallDimensions.choices, tables).map { dimensions, table in
            // An install may have seen something on other days only.
            (dimensions, table.rows.filter { $0.value[layout[.exposures]] > 0 })
        }
        return Dictionary(cells) { first, _ in first }
            .mapValues { DayCells.capped($0).mapValues { PaywallReport.short($0, layout) } }
    }
}

/// The earliest time for each of some indexes. Clearing it takes as long as there are indexes with a time.
private struct Earliest {
    /// Those that have a time, in the order in which they got one.
    private(set) var indices: [Int] = []
    private var times: [Int64] = []

    private static let never = Int64.max

    subscript(index: Int) -> Int64 { times[index] }

    mutating func meet(_ timeMs: Int64, at index: Int) {
        if index >= times.count { times += repeatElement(Self.never, count: index + 1 - times.count) }
        if times[index] == Self.never { indices.append(index) }
        times[index] = min(times[index], timeMs)
    }

    mutating func clear() {
        for index in indices { times[index] = Self.never }
        indices.removeAll(keepingCapacity: true)
    }
}

extension [Int64] {
    /// The first value that is not before another. The values are in order.
    fileprivate func first(from least: Int64) -> Int64? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < least { low = middle + 1 } else { high = middle }
        }
        return low < count ? self[low] : nil
    }
}
