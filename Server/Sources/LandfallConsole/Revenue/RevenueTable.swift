// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// The rows of one page of revenue, with the totals of all of them.
struct RevenueTable {
    let document: RevenueDocument
    let query: RevenueQuery
    /// Rows with a day are weeks.
    let isByWeek: Bool

    /// Without columns of which nothing is known, such as the spend where nobody has asked Apple Ads.
    private var columns: [RevenueColumn] {
        document.totals.columns.filter { column in
            document.totals.isKnown(column) || document.rows.contains { $0.values.isKnown(column) }
        }
    }

    /// - Parameter rows: those of the page.
    func html(_ words: Words, _ rows: ArraySlice<RevenueDocument.Row>) -> HTML {
        let columns = columns, fields = document.by
        let titles = (fields.isEmpty ? [words.everything] : fields.map { title($0, words) }) + columns.map { words.title(of: $0) }
        return cardTable(
            words.revenue, caption: caption(.class("hidden")) { words.name(of: query.view) }, titles: titles, sorting: words.field("sort"),
            heads: heads(words, columns),
            rows: HTMLBuilder.buildArray(rows.map { self.row($0, words, columns) }),
            foot: tr {
                th(Attribute("scope", "row")) { words.rowsTotal }
                for _ in fields.dropFirst() { td {} }
                for column in columns { cell(document.totals, column, words) }
            })
    }

    @HTMLBuilder private func heads(_ words: Words, _ columns: [RevenueColumn]) -> HTML {
        if document.by.isEmpty { th(Attribute("scope", "col")) { words.everything } }
        for field in document.by { head(title(field, words), field, isNumber: false) }
        for column in columns { head(words.title(of: column), column.rawValue, isNumber: true) }
    }

    private func row(_ row: RevenueDocument.Row, _ words: Words, _ columns: [RevenueColumn]) -> HTML {
        tr {
            if document.by.isEmpty { th(Attribute("scope", "row")) { words.everything } }
            for field in document.by {
                let name = name(row, field, words)
                field == document.by.first ? th(Attribute("scope", "row")) { name } : td { name }
            }
            for column in columns { cell(row.values, column, words) }
        }
    }

    private func head(_ text: String, _ name: String, isNumber: Bool) -> HTML {
        query.sort.head(text, name, isNumber: isNumber) { next in query.with { $0.sort = next }.place }
    }

    private func title(_ field: String, _ words: Words) -> String { isByWeek && field == "day" ? words.weekFrom : words.revenueField(field) }

    private func cell(_ values: RevenueValues, _ column: RevenueColumn, _ words: Words) -> HTML {
        td(.class("number")) { words.value(values, column, document.currency) }
    }

    /// It leads to the row's parts, of which the smallest groups together have none.
    private func name(_ row: RevenueDocument.Row, _ field: String, _ words: Words) -> HTML {
        if row.isRest { return HTML(field == "day" ? words.revenueValue(row.key[field] ?? RevenueDocument.unknown, of: field) : words.restOfRows) }
        let text = words.revenueValue(row.key[field] ?? RevenueDocument.unknown, of: field)
        return a(.href(query.parts(of: row.key, upTo: field, isByWeek: isByWeek).place)) { text }
    }

    /// What every column counts, for everybody to read.
    func definitions(_ words: Words) -> HTML {
        details {
            summary { words.whatColumnsMean }
            dl(.class("terms")) {
                for column in columns {
                    div {
                        dt { words.title(of: column) }
                        dd { words.definition(of: column) }
                    }
                }
            }
        }
    }
}

extension RevenueDocument.Row {
    /// The smallest groups together.
    var isRest: Bool {
        let groups = key.filter { !ReportName.times.contains($0.key) }
        return !groups.isEmpty && groups.values.allSatisfy { $0 == DayCells.other }
    }
}

extension RevenueValues {
    func isKnown(_ column: RevenueColumn) -> Bool { column.unit == .ratio ? ratios[column] != nil : numbers[column] != nil }
}

extension RevenueDocument {
    func has(_ sort: ReportQuery.Sort) -> Bool { by.contains(sort.name) || totals.columns.contains { $0.rawValue == sort.name } }

    /// The same rows in another order; values that are unknown are last. Rows with equal values keep their order.
    func sorted(by sort: ReportQuery.Sort) -> RevenueDocument {
        let column = RevenueColumn(rawValue: sort.name).flatMap { by.contains(sort.name) ? nil : $0 }
        func order(_ one: Row, _ other: Row) -> Bool? {
            guard let column else { return sort.precedes(one.key[sort.name], other.key[sort.name], <) }
            return column.unit == .ratio
                ? sort.precedes(one.values.ratios[column], other.values.ratios[column], <)
                : sort.precedes(one.values.numbers[column], other.values.numbers[column], <)
        }
        let ordered = rows.enumerated().sorted { order($0.element, $1.element) ?? ($0.offset < $1.offset) }
        return RevenueDocument(
            currency: currency, by: by, view: view, from: from, to: to, timeZone: timeZone, rows: ordered.map(\.element), totals: totals,
            unconverted: unconverted, erased: erased, verified: verified)
    }
}
