// SPDX-License-Identifier: Apache-2.0

/// Revenue for readers who may not see single people: money of fewer than five payers could say what one of them pays.
extension RevenueDocument {
    package static let leastPayers: Int64 = 5

    /// - Returns: nil if such readers may see all of it.
    package func forEverybody() -> RevenueDocument? {
        var told = self
        told.putSmallGroupsTogether()
        told.leaveFewOut()
        return told == self ? nil : told
    }

    /// Whether such readers see the rows with these values only together with others, or without some of their numbers: filtered by them,
    /// the report would say more than the rows do.
    package func hides(_ key: [String: String]) -> Bool {
        guard let told = forEverybody() else { return false }
        let seen = Dictionary(told.rows.map { ($0.key, $0.values) }) { first, _ in first }
        return rows.contains { row in key.allSatisfy { row.key[$0.key] == $0.value } && seen[row.key] != row.values }
    }

    /// The same question, unanswered.
    package var withoutNumbers: RevenueDocument {
        var document = self
        (document.rows, document.unconverted) = ([], [])
        document.totals.forget(Set(RevenueColumn.allCases))
        document.erased.forget(Set(RevenueColumn.allCases))
        return document
    }

    /// Values that say something about the people of one count.
    private struct Measure {
        let count: (RevenueValues) -> Int64
        let told: Set<RevenueColumn>
        /// Totals keep it: it says only how many they are.
        let kept: RevenueColumn
        /// So many people are enough.
        let least: Int64

        func isFew(_ values: RevenueValues) -> Bool { SmallGroups.isFew(count(values), least: least) }
    }

    private var measures: [Measure] {
        func number(_ column: RevenueColumn) -> (RevenueValues) -> Int64 { { $0.numbers[column] ?? 0 } }
        let least = Self.leastPayers
        switch view {
        case .purchase, .booking:
            // What Apple Ads cost says nothing about people.
            return [
                Measure(
                    count: \.charged, told: Set(RevenueColumn.list(view)).subtracting([.trialsStarted, .spendMilliunits]), kept: .purchases,
                    least: least),
                Measure(count: number(.trialsStarted), told: [.trialsStarted], kept: .trialsStarted, least: least),
            ]
        case .subscriptions:
            return [
                Measure(
                    count: { max($0.numbers[.active] ?? 0, $0.numbers[.ended] ?? 0) },
                    told: Set(RevenueColumn.list(view)).subtracting([.trials]), kept: .active, least: least),
                Measure(count: number(.trials), told: [.trials], kept: .trials, least: least),
            ]
        case .cohorts:
            return [
                Measure(
                    count: number(.payers), told: Set(RevenueColumn.list(view)).subtracting([.installs, .spendMilliunits, .coverage]), kept: .payers,
                    least: least),
                Measure(count: number(.installs), told: [.installs, .payers, .coverage], kept: .installs, least: SmallGroups.least),
            ]
        }
    }

    /// Small groups are one row, of each day apart. The sums stay the same; a share of the row is not known.
    private mutating func putSmallGroupsTogether() {
        let measures = measures, groups = by.filter { !ReportSheet.times.contains($0) }
        guard !groups.isEmpty else { return }
        let rest = Dictionary(uniqueKeysWithValues: groups.map { ($0, DayCells.other) })
        var kept: [Row] = [], others: [[String: String]: RevenueValues] = [:]
        for day in Dictionary(grouping: rows, by: { $0.key.filter { ReportSheet.times.contains($0.key) } }).values {
            let size = { (values: RevenueValues) in measures.reduce(0) { $0 + $1.count(values) } }
            let merged = SmallGroups.merged(
                day.map { size($0.values) }, smallest: day.map { row in measures.contains { $0.isFew(row.values) } ? 0 : Int64.max },
                least: Self.leastPayers, together: { places in Self.sum(places.map { day[$0] }).map(size) ?? 0 })
            for (index, row) in day.enumerated() {
                guard merged.contains(index) else { kept.append(row); continue }
                let key = row.key.merging(rest) { $1 }
                others[key] = others[key].map { $0.sum(row.values) } ?? row.values
            }
        }
        guard !others.isEmpty else { return }
        // A source may be called so itself.
        let joined = kept.map { row in others.removeValue(forKey: row.key).map { Row(key: row.key, values: row.values.sum($0)) } ?? row }
        let order = Dictionary(zip(rows.map(\.key), rows.indices)) { first, _ in first }
        let ends = Dictionary(zip(rows.map { $0.key.merging(rest) { $1 } }, rows.indices)) { $1 }
        // A new row stands behind the last one of its day.
        func place(_ row: Row) -> (Int, Int) { order[row.key].map { ($0, 0) } ?? (ends[row.key] ?? .max, 1) }
        rows = (joined + others.map { Row(key: $0.key, values: $0.value) }).sorted { place($0) < place($1) }
    }

    private static func sum(_ rows: [Row]) -> RevenueValues? {
        rows.dropFirst().reduce(rows.first?.values) { $0?.sum($1.values) }
    }

    /// Rows lose what they say of few people, and as many further rows as it takes, so that subtracting from the totals says nothing.
    private mutating func leaveFewOut() {
        for measure in measures {
            let few = SmallGroups.merged(
                rows.map { measure.count($0.values) }, least: measure.least,
                together: { [rows] places in Self.sum(places.map { rows[$0] }).map(measure.count) ?? 0 })
            for index in few { rows[index].values.forget(measure.told) }
            if measure.isFew(totals) { totals.forget(measure.told.subtracting([measure.kept])) }
            if measure.isFew(erased) { erased.forget(measure.told) }
        }
        // A row of everything is its totals.
        if by.isEmpty { rows = rows.map { Row(key: $0.key, values: totals) } }
        // Nobody knows how many people paid in these currencies.
        unconverted = unconverted.map { Unconverted(currency: $0.currency, grossMilliunits: nil, refundsMilliunits: nil) }
    }
}

extension RevenueValues {
    /// How many people the money comes from, or goes back to. Erased people are counted no more, but their money is.
    fileprivate var charged: Int64 {
        let charges = max(numbers[.purchases] ?? 0, numbers[.refunds] ?? 0)
        guard let known = payers.map({ Int64($0.count) }) else { return charges }
        return known < RevenueDocument.leastPayers ? (charges > 0 ? max(1, known) : 0) : max(known, charges)
    }

    fileprivate mutating func forget(_ columns: Set<RevenueColumn>) {
        for column in columns { (numbers[column], ratios[column]) = (nil, nil) }
    }

    /// What is not known of one of them is not known of the sum, nor is what is too large for a number of 64 bits.
    fileprivate func sum(_ other: RevenueValues) -> RevenueValues {
        var sum = RevenueValues(columns, numbers: numbers.reduce(into: [:]) { sum, pair in
            if let more = other.numbers[pair.key], case (let both, false) = pair.value.addingReportingOverflow(more) { sum[pair.key] = both }
        })
        // Somebody may be in both.
        sum.payers = payers.flatMap { payers in other.payers.map { payers.union($0) } }
        return sum
    }
}
