// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallServer

/// The rows of one page of a report, with the totals of all of them.
struct ReportTable {
    /// The report as far as the page needs its rows.
    let document: ReportDocument
    /// Those of this page.
    let rows: ArraySlice<ReportDocument.Row>
    /// How many rows all pages have.
    let count: Int
    /// The same report of the time before; nil if nobody asked for it.
    private let before: ReportDocument?
    private let earlier: [[String: String?]: ReportDocument.Row]
    /// The fields of the rows' keys that are not times.
    private let groups: [String]
    /// Groups of few installs are together in one row.
    let hasMergedGroups: Bool
    /// What the rows have earned; nil if that is not known, or nothing.
    var nets: RowNets?

    init(
        _ document: ReportDocument, rows: ArraySlice<ReportDocument.Row>, count: Int, before: ReportDocument? = nil, hasMergedGroups: Bool = false
    ) {
        (self.document, self.rows, self.count, self.before, self.hasMergedGroups) = (document, rows, count, before, hasMergedGroups)
        groups = document.by.filter { !ReportSheet.times.contains($0) }
        earlier = Dictionary(before?.rows.map { ($0.key, $0) } ?? []) { first, _ in first }
    }

    /// Without columns of which nothing is known, such as purchases that nobody records.
    private var shown: [ReportDocument.Column] {
        document.columns.filter { column in
            document.totals[column.name] ?? nil != nil || rows.contains { $0.values[column.name] ?? nil != nil }
        }
    }

    /// The smallest groups together: they have no parts, and are other groups than before.
    private func isRest(_ row: ReportDocument.Row) -> Bool {
        !groups.isEmpty && groups.allSatisfy { row.key[$0] == DayCells.other }
    }

    func html(_ words: Words, _ query: ReportQuery) -> HTML {
        let fields = query.fields, shown = shown
        let titles = (fields.isEmpty ? [words.everything] : fields.map { words.field($0) }) + shown.map { words.column($0.name) }
        return cardTable(
            words.name(of: query.report), titles: titles + (nets == nil ? [] : [words.net]), sorting: words.field("sort"),
            heads: heads(shown, words, query),
            rows: HTMLBuilder.buildArray(rows.map { self.row($0, shown, words, query) }),
            foot: tr {
                th(Attribute("scope", "row")) { words.rowsTotal }
                for _ in fields.dropFirst() { td {} }
                for column in shown { cell(document.totals, before?.totals, column, words) }
                if let nets { money(nets.total, nets, words) }
            })
    }

    @HTMLBuilder private func heads(_ shown: [ReportDocument.Column], _ words: Words, _ query: ReportQuery) -> HTML {
        if query.fields.isEmpty { th(Attribute("scope", "col")) { words.everything } }
        for field in query.fields { query.head(words.field(field), field, isNumber: false) }
        for column in shown { query.head(words.column(column.name), column.name, isNumber: true) }
        if nets != nil { th(.class("number"), Attribute("scope", "col")) { words.net } }
    }

    private func row(_ row: ReportDocument.Row, _ shown: [ReportDocument.Column], _ words: Words, _ query: ReportQuery) -> HTML {
        let before = isRest(row) ? nil : earlier[row.key]
        return tr {
            if query.fields.isEmpty { th(Attribute("scope", "row")) { words.everything } }
            for field in query.fields { key(row, field, words, query) }
            for column in shown { cell(row.values, before?.values, column, words) }
            if let nets { money(isRest(row) ? nil : nets.net(of: row.key), nets, words) }
        }
    }

    func key(_ row: ReportDocument.Row, _ field: String, _ words: Words, _ query: ReportQuery) -> HTML {
        let isRest = isRest(row), values = query.fields.map { row.key[$0] ?? nil }
        let text = isRest && !ReportSheet.times.contains(field) ? words.restOfRows : words.value(row.key[field] ?? nil, of: field)
        let content = isRest ? HTML(text) : a(.href(query.parts(of: values, upTo: field).place)) { text }
        let lines = isRest ? [] : linesBelow(row.key[field] ?? nil, field)
        return field == query.fields.first
            ? th(Attribute("scope", "row")) {
                content
                for line in lines { line }
            }
            : td {
                content
                for line in lines { line }
            }
    }

    private func linesBelow(_ value: String?, _ field: String) -> [HTML] {
        document.name(of: value, field).map { AdName(name: $0, productPages: document.productPages(of: value, field)).html } ?? []
    }

    private func cell(
        _ values: [String: Double?], _ before: [String: Double?]?, _ column: ReportDocument.Column, _ words: Words
    ) -> HTML {
        let value = values[column.name] ?? nil, before = before.flatMap { $0[column.name] ?? nil }
        return td(.class("number")) {
            words.language.value(value, column.unit)
            if let value, let before, before > 0 {
                span(.class("line quiet")) { words.language.change((value - before) / before) }
            }
        }
    }

    private func money(_ net: Int64?, _ nets: RowNets, _ words: Words) -> HTML {
        td(.class("number")) { net.map { words.language.money($0, nets.currency) } ?? "–" }
    }

    /// What every column counts, for everybody to read.
    func definitions(_ words: Words) -> HTML {
        details {
            summary { words.whatColumnsMean }
            dl(.class("terms")) {
                for column in shown {
                    div {
                        dt { words.column(column.name) }
                        dd { words.definition(of: column.name, english: column.definition) }
                    }
                }
                if nets != nil { div { dt { words.net }; dd { words.netOfRow } } }
                div {
                    dt { "–" }
                    dd { words.unknownValue }
                }
            }
        }
    }
}

extension ReportQuery {
    func head(_ text: String, _ name: String, isNumber: Bool) -> HTML {
        sort.head(text, name, isNumber: isNumber) { next in with { $0.sort = next }.place }
    }
}

extension ReportQuery.Sort? {
    /// The head of a column: a click sorts by it, a second one the other way round.
    func head(_ text: String, _ name: String, isNumber: Bool, place: (ReportQuery.Sort) -> Place) -> HTML {
        let sort = flatMap { $0.name == name ? $0 : nil }
        let next = ReportQuery.Sort(name, isAscending: sort.map { !$0.isAscending } ?? !isNumber)
        let order = sort.map { $0.isAscending ? "ascending" : "descending" }
        return th(.class(isNumber ? "number" : "text"), Attribute("scope", "col"), .optional("aria-sort", order)) {
            a(.href(place(next))) { text }
            if let sort { span(Attribute("aria-hidden", "true")) { sort.isAscending ? " ▲" : " ▼" } }
        }
    }
}

extension Language {
    /// A dash for what cannot be known.
    func value(_ value: Double?, _ unit: ReportDocument.Unit) -> String {
        guard let value, value.isFinite, value.magnitude < 9e15 else { return "–" }
        return switch unit {
        case .count: count(Int64(value))
        case .ratio: share(value)
        case .milliseconds: seconds(value)
        case .milliunits: count(Int64((value / 1000).rounded()))
        }
    }
}
