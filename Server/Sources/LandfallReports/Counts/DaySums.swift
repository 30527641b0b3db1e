// SPDX-License-Identifier: Apache-2.0

/// The sum of the cells of some days, grouped by some of their fields.
struct DaySums: Sendable {
    private(set) var table: CellTable
    /// Of each part of the key its index among the fields of the days; nil is the day itself.
    private let indices: [Int?]
    private let fields: Int
    private let only: [DayText.Filter]
    private var key: [UInt8] = []

    /// - Parameters:
    ///   - fields: those of the days.
    ///   - by: the parts of the key. A part that is not a field of the days stands for the day.
    ///   - size: the number of counts. Days of an earlier generation may have fewer.
    ///   - only: cells with another value are left out; what is not a field of the days leaves out nothing. An empty value stands for none.
    init<Dimension: ReportDimension>(fields: [Dimension], by: [Dimension], size: Int, only: [Dimension: [UInt8]] = [:]) {
        self.fields = fields.count
        self.only = only.compactMap { field, value in fields.firstIndex(of: field).map { DayText.Filter(index: $0, value: value) } }
            .sorted { $0.index < $1.index }
        indices = by.map { fields.firstIndex(of: $0) }
        table = CellTable(size: size)
    }

    mutating func add(_ day: Int64, _ text: String) throws {
        let date = Self.field(day)
        try DayText.forEach(text, fields: fields, only: only) { add($0, date) }
    }

    /// Adds days, and lets others run after each one: a report of many cells does not hold up what phones ask for.
    /// - Throws: `CancellationError`; `DatabaseError.unexpectedValue`.
    mutating func add(_ days: some Sequence<(day: Int64, text: String)>) async throws {
        for day in days {
            try Task.checkCancellation()
            try add(day.day, day.text)
            await Task.yield()
        }
    }

    /// The same for several sums of days with the same fields: each text is read once.
    static func add(_ days: some Sequence<(day: Int64, text: String)>, to sums: inout [DaySums]) async throws {
        guard let first = sums.first else { return }
        let fields = first.fields, only = sums.allSatisfy { $0.only == first.only } ? first.only : []
        for day in days {
            try Task.checkCancellation()
            let date = field(day.day)
            try DayText.forEach(day.text, fields: fields, only: only) { cell in for index in sums.indices { sums[index].add(cell, date) } }
            await Task.yield()
        }
    }

    private static func field(_ day: Int64) -> [UInt8] {
        var field: [UInt8] = []
        DayText.append(ReportDays.text(day).utf8, to: &field)
        return field
    }

    private mutating func add(_ cell: DayText.Cell, _ date: [UInt8]) {
        guard only.allSatisfy({ cell.has($0) }) else { return }
        key.removeAll(keepingCapacity: true)
        for index in indices { if let index { cell.append(index, to: &key) } else { key += date } }
        table.add(key, cell.counts)
    }

    /// Adds a row that no day has yet.
    mutating func add(_ key: ReportSheet.Key, _ counts: [Int64]) { table.add(key, counts) }

    var rows: [ReportSheet.Key: [Int64]] { table.rows }
}

/// The cells of a day before they are a text.
package enum DayCells {
    /// A day has at most this many cells in a table; the smallest become one cell that is called ``other`` in every field.
    static let most = 1_000
    package static let other = "other"

    /// The key of that cell.
    package static func rest(_ fields: Int) -> [UInt8] { CellTable.fields(ReportSheet.Key(repeating: Array(other.utf8), count: fields)) }

    /// The cells with the highest counts, and one for the rest.
    static func capped(_ cells: [ReportSheet.Key: [Int64]]) -> [ReportSheet.Key: [Int64]] {
        guard cells.count > most, let first = cells.first else { return cells }
        var table = CellTable(size: first.value.count)
        for (key, counts) in cells { table.add(key, counts) }
        return table.capped(most, fields: first.key.count).rows
    }
}
