// SPDX-License-Identifier: Apache-2.0

/// The rows of one page of a report, with the totals of all of them.
struct ReportTable {
    enum Unit: String, Hashable, Sendable { case count, ratio, milliseconds, milliunits }

    struct Column: Hashable, Sendable {
        let name: String
        /// The report's own words, which are English.
        let definition: String
        let unit: Unit
    }

    struct Row: Hashable, Sendable {
        /// In the order of the fields; nil where the counted things have no such field.
        let key: [String?]
        /// In the order of the columns; nil where a value cannot be known.
        let values: [Double?]
        /// The same of the time before; empty if it was not asked for.
        let before: [Double?]
        /// The smallest groups together: they have no parts.
        let isRest: Bool

        init(key: [String?], values: [Double?], before: [Double?] = [], isRest: Bool = false) {
            self.key = key
            self.values = values
            self.before = before
            self.isRest = isRest
        }
    }

    let columns: [Column]
    /// Those of this page.
    let rows: [Row]
    /// How many rows all pages have.
    let count: Int
    let totals: Row
    /// Groups of few installs are together in one row.
    var hasMergedGroups = false

    /// Without columns of which nothing is known, such as purchases that nobody records.
    private var shown: [Int] {
        columns.indices.filter { place in
            totals.values[place] != nil || rows.contains { $0.values[place] != nil }
        }
    }

    func html(_ words: Words, _ query: ReportQuery) -> HTML {
        let fields = query.fields, shown = shown
        return div(.class("scroll"), Attribute("tabindex", "0"), Attribute("role", "region"), .label(words.name(of: query.report))) {
            table {
                thead {
                    tr {
                        if fields.isEmpty { th(Attribute("scope", "col")) { words.everything } }
                        for field in fields { query.head(words.field(field), field, isNumber: false) }
                        for place in shown { query.head(words.column(columns[place].name), columns[place].name, isNumber: true) }
                    }
                }
                tbody {
                    for row in rows {
                        tr {
                            if fields.isEmpty { th(Attribute("scope", "row")) { words.everything } }
                            for (place, field) in fields.enumerated() { key(row, place, field, words, query) }
                            for place in shown { cell(row, place, words) }
                        }
                    }
                }
                tfoot {
                    tr {
                        th(Attribute("scope", "row")) { words.rowsTotal }
                        for _ in fields.dropFirst() { td {} }
                        for place in shown { cell(totals, place, words) }
                    }
                }
            }
        }
    }

    func key(_ row: Row, _ place: Int, _ field: String, _ words: Words, _ query: ReportQuery) -> HTML {
        let text = row.isRest && field != "day" ? words.restOfRows : words.value(row.key[place], of: field)
        let content = row.isRest || field == "week" ? HTML(text) : a(.href(query.parts(of: row.key, upTo: field).place)) { text }
        return place == 0 ? th(Attribute("scope", "row")) { content } : td { content }
    }

    private func cell(_ row: Row, _ place: Int, _ words: Words) -> HTML {
        let value = row.values[place], before = row.before.isEmpty ? nil : row.before[place]
        return td(.class("number")) {
            words.language.value(value, columns[place].unit)
            if let value, let before, before > 0, !row.before.isEmpty {
                span(.class("line quiet")) { words.language.change((value - before) / before) }
            }
        }
    }

    /// What every column counts, for everybody to read.
    func definitions(_ words: Words) -> HTML {
        details {
            summary { words.whatColumnsMean }
            dl(.class("terms")) {
                for place in shown {
                    div {
                        dt { words.column(columns[place].name) }
                        dd { words.definition(of: columns[place]) }
                    }
                }
                div {
                    dt { "–" }
                    dd { words.unknownValue }
                }
            }
        }
    }
}

extension ReportQuery {
    /// The head of a column: a click sorts by it, a second one the other way round.
    func head(_ text: String, _ name: String, isNumber: Bool) -> HTML {
        let sort = sort.flatMap { $0.name == name ? $0 : nil }
        let next = Sort(name, isAscending: sort.map { !$0.isAscending } ?? !isNumber)
        let order = sort.map { $0.isAscending ? "ascending" : "descending" }
        return th(.class(isNumber ? "number" : "text"), Attribute("scope", "col"), .optional("aria-sort", order)) {
            a(.href(with { $0.sort = next }.place)) { text }
            if let sort { span(Attribute("aria-hidden", "true")) { sort.isAscending ? " ▲" : " ▼" } }
        }
    }
}

extension Language {
    /// A dash for what cannot be known.
    func value(_ value: Double?, _ unit: ReportTable.Unit) -> String {
        guard let value, value.isFinite, value.magnitude < 9e15 else { return "–" }
        return switch unit {
        case .count: count(Int64(value))
        case .ratio: share(value)
        case .milliseconds: seconds(value)
        case .milliunits: count(Int64((value / 1000).rounded()))
        }
    }
}
