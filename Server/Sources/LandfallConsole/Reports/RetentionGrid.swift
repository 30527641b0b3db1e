// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// Who comes back, cohort by cohort. Every share is one of the cohort's installs on its first day; what is not old enough is hatched.
struct RetentionGrid {
    /// The days that the report asks for.
    static let days = [1, 3, 7, 14, 30, 60, 90]

    let table: ReportTable
    /// The last of ``days`` for which a cohort is old enough is at most its age; the last one is that of the totals.
    let ages: [Int]

    func html(_ words: Words, _ query: ReportQuery) -> HTML {
        div(.class("grid")) {
            scrollingGrid(words, query) {
                for (row, age) in zip(table.rows, ages) {
                    tr {
                        if query.fields.isEmpty { th(Attribute("scope", "row")) { words.everything } }
                        for field in query.fields { table.key(row, field, words, query) }
                        td(.class("number")) { words.language.value(row.values["size"] ?? nil, .count) }
                        for day in Self.days { cell(row.values, day, age, words) }
                    }
                }
            }
            // Readers have the numbers.
            p(.class("hint"), Attribute("aria-hidden", "true")) {
                for heat in Self.heats { span(.class("scale")) { span(.class(heat.swatch)) {}; "≥ " + words.language.share(heat.share) } }
            }
            p(.class("hint")) { span(.class("swatch unfinished")) {}; words.unfinishedCells }
        }
    }

    private func scrollingGrid(_ words: Words, _ query: ReportQuery, @HTMLBuilder rows: () -> HTML) -> HTML {
        div(.class("scroll"), Attribute("tabindex", "0"), Attribute("role", "region"), .label(words.name(of: query.report))) {
            Element("table")() {
                thead {
                    tr {
                        if query.fields.isEmpty { th(Attribute("scope", "col")) { words.everything } }
                        for field in query.fields { query.head(words.field(field), field, isNumber: false) }
                        query.head(words.installs, "size", isNumber: true)
                        for day in Self.days { query.head(words.onDay("\(day)"), "rate.day\(day)", isNumber: true) }
                    }
                }
                tbody { rows() }
                tfoot {
                    tr {
                        th(Attribute("scope", "row")) { words.rowsTotal }
                        for _ in query.fields.dropFirst() { td {} }
                        td(.class("number")) { words.language.value(table.document.totals["size"] ?? nil, .count) }
                        for day in Self.days { cell(table.document.totals, day, ages.last ?? 0, words) }
                    }
                }
            }
        }
    }

    private func cell(_ values: [String: Double?], _ day: Int, _ age: Int, _ words: Words) -> HTML {
        guard let seen = values["day\(day)"] ?? nil else {
            guard day > age else { return td(.class("number")) { "–" } }
            return td(.class("number unfinished")) { span(.class("hidden")) { words.notOldEnough } }
        }
        let language = words.language, eligible = (values["eligible.day\(day)"] ?? nil) ?? 0
        guard eligible > 0 else { return td(.class("number")) { "–" } }
        return td(.class(Self.heat(seen / eligible))) {
            language.share(seen / eligible)
            span(.class("line")) { words.ofInstalls(language.value(seen, .count), language.value(eligible, .count)) }
        }
    }

    /// From which share on a cell is darker. The number is in the cell.
    private static let heats: [(share: Double, cell: StaticString, swatch: StaticString)] = [
        (0.02, "number heat1", "swatch heat1"), (0.05, "number heat2", "swatch heat2"), (0.1, "number heat3", "swatch heat3"),
        (0.2, "number heat4", "swatch heat4"), (0.35, "number heat5", "swatch heat5"), (0.5, "number heat6", "swatch heat6"),
    ]

    private static func heat(_ share: Double) -> StaticString { heats.last { $0.share <= share }?.cell ?? "number" }

    static func definitions(_ words: Words) -> HTML {
        details {
            summary { words.whatColumnsMean }
            dl(.class("terms")) {
                for (term, meaning) in words.retentionTerms { div { dt { term }; dd { meaning } } }
            }
        }
    }
}

extension Words {
    var installs: String { translate("Installs") }
    func onDay(_ day: String) -> String { translate("Day \(day)") }
    func ofInstalls(_ seen: String, _ eligible: String) -> String { translate("\(seen) of \(eligible)") }
    var notOldEnough: String { translate("Not old enough") }
    var unfinishedCells: String { translate("Hatched: not all installs are old enough yet.") }

    var retentionTerms: [(String, String)] {
        [
            (installs, translate("First opens on these days. They stay the base of every share.")),
            (
                onDay("n"),
                translate("Of them, those seen from 24 n to 24 (n + 1) hours after their first call: an open, or an event that happened then.")
            ),
            (
                ofInstalls("a", "b"),
                translate("a were seen, of b that could be: without those whose first call came a day or more after the first open.")
            ),
            (
                "–",
                translate("Cannot be known: no install could be seen then, or the server did not record visits on these days yet.")
            ),
        ]
    }
}
