// SPDX-License-Identifier: Apache-2.0

/// Links of other systems, from a table that somebody pastes: checked row by row first, then made.
struct LinkImportPage {
    enum Format: String, CaseIterable, Sendable { case csv, firebase }

    enum Outcome: Hashable, Sendable {
        case made
        case unchanged
        /// Why, in the member's language.
        case refused(String)
    }

    struct Row: Hashable, Sendable {
        /// The line of the table, counted from 1.
        let line: Int
        /// Nil for a random code, and where the row says none.
        let address: String?
        let destination: String
        let outcome: Outcome

        fileprivate var isRefused: Bool { if case .refused = outcome { true } else { false } }
    }

    /// The largest file that the page's script reads.
    static let mostBytes = 1024 * 1024

    /// The most rows that a page names; the counts are of all.
    static let mostRows = 200

    let frame: Frame
    let hosts: [String]
    var format = Format.csv
    /// Nil keeps the host of each link.
    var host: String?
    var text = ""
    /// Nil before anything was checked.
    var rows: [Row]?
    /// The rows were made, not only checked.
    var isDone = false
    var problems: [FieldProblem] = []
    /// The server's own sentence about a table that cannot be read, in English.
    var detail: String?
    /// The server's own sentences about what is not imported, in English.
    var remarks: [String] = []

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.linkImport, .links) {
            if let rows { result(rows) }
            section(.class("block")) {
                problems.summary(words)
                for sentence in [detail].compactMap({ $0 }) + remarks { p(.lang(.english), .class("note")) { sentence } }
                form(Attribute("method", "post"), .action(Place("/console/links/import"))) {
                    frame.proof
                    ChoiceField(
                        name: "format", title: words.linkImportFormat,
                        choices: Format.allCases.map { ($0.rawValue, words.linkImportFormat($0)) }, chosen: format.rawValue
                    ).html
                    ChoiceField(
                        name: "domain", title: words.linkImportHost,
                        choices: [("", words.linkImportOwnHosts)] + hosts.map { ($0, $0) }, chosen: host ?? ""
                    ).html
                    div(.class("field"), .flag("hidden")) {
                        label(Attribute("for", "file")) { words.linkImportFile }
                        // Without a name: its text goes into the field below, and only that is sent.
                        input(
                            .id("file"), .type("file"), Attribute("accept", ".csv,text/csv,text/plain"), Attribute("data-fills", "text"),
                            Attribute("data-most", "\(Self.mostBytes)"), Attribute("aria-describedby", "file-hint"))
                        p(.class("hint"), .id("file-hint")) { words.linkImportFileHint }
                        // The script shows it, until a smaller file is chosen.
                        p(.class("problem"), .id("file-problem"), Attribute("role", "alert"), .flag("hidden")) { words.linkImportFileLarge }
                    }
                    LinkField(
                        name: "text", title: words.linkImportText, value: text, hint: words.linkImportHint, isRequired: true, isLong: true,
                        problems: problems
                    ).html
                    p(.class("toolbar")) {
                        button(.class(isChecked ? "again" : "primary"), .name("action"), .value("check")) { words.linkImportCheck }
                        if isChecked {
                            button(.class("primary"), .name("action"), .value("apply")) { words.linkImportApply(count(.made)) }
                        }
                    }
                }
            }
        }
    }

    /// There is something to make.
    private var isChecked: Bool { !isDone && count(.made) > 0 }

    private func count(_ outcome: Outcome) -> Int { (rows ?? []).count { $0.outcome == outcome } }

    private func result(_ rows: [Row]) -> HTML {
        let refused = rows.filter(\.isRefused)
        // What needs somebody's eyes comes first.
        let shown = (refused + rows.filter { !$0.isRefused }).prefix(Self.mostRows)
        let title = isDone ? words.linkImportDone : words.linkImportChecked
        return section(.class("block"), Attribute("role", "status")) {
            h2 { title }
            dl(.class("figures")) {
                figure(isDone ? words.linkImportMade : words.linkImportToMake, count(.made))
                figure(words.linkImportUnchanged, count(.unchanged))
                figure(words.linkImportRefused, refused.count)
            }
            scrollingTable(title, titles: [words.linkImportLine, words.link, words.linkImportResult]) {
                for row in shown {
                    tr {
                        td { words.language.count(Int64(row.line)) }
                        th(Attribute("scope", "row")) {
                            row.address ?? words.linkRandomCode
                            span(.class("quiet line")) { row.destination }
                        }
                        td { words.linkImportOutcome(row.outcome, isDone: isDone) }
                    }
                }
            }
            if rows.count > shown.count { p(.class("note")) { words.linkImportMore(Int64(rows.count - shown.count)) } }
            if isDone { p { a(.class("button"), .href(Place("/console/links"))) { words.linkAll } } }
        }
    }

    private func figure(_ name: String, _ value: Int) -> HTML {
        div(.class("figure")) {
            dt { name }
            dd(.class("value")) { words.language.count(Int64(value)) }
        }
    }
}

/// Importing links.
extension Words {
    var linkImport: String { translate("Import links") }
    var linkImportFormat: String { translate("Kind of table") }
    func linkImportFormat(_ format: LinkImportPage.Format) -> String {
        switch format {
        case .csv: translate("CSV with named columns")
        case .firebase: translate("Export of Firebase Dynamic Links")
        }
    }
    var linkImportHost: String { translate("Domain of the links") }
    var linkImportOwnHosts: String { translate("As in the table") }
    var linkImportFile: String { translate("A file") }
    var linkImportFileHint: String { translate("Its text comes into the field below, where it can be changed.") }
    var linkImportFileLarge: String { translate("This file is larger than 1 MB. Use the command landfall link import.") }
    var linkImportText: String { translate("The table") }
    var linkImportHint: String {
        translate("The first row names the columns: to, and if you like url, campaign, adGroup, creative, label, channel and others. Up to 5,000 rows and 1 MB; the command landfall link import takes larger files.")
    }
    var linkImportCheck: String { translate("Check", context: "button: a table of links") }
    func linkImportApply(_ count: Int) -> String { translate(count, one: "Make 1 link", other: "Make \(count) links") }
    var linkImportChecked: String { translate("Checked: nothing is made yet") }
    var linkImportDone: String { translate("The import is done") }
    var linkImportToMake: String { translate("To be made") }
    var linkImportMade: String { translate("Made") }
    var linkImportUnchanged: String { translate("There already") }
    var linkImportRefused: String { translate("Refused") }
    var linkImportLine: String { translate("Line") }
    var linkImportResult: String { translate("Result") }
    var linkRandomCode: String { translate("A random code") }
    func linkImportMore(_ count: Int64) -> String { translate("\(language.count(count)) more rows are counted above.") }
    func linkImportOutcome(_ outcome: LinkImportPage.Outcome, isDone: Bool) -> String {
        switch outcome {
        case .made: isDone ? linkImportMade : linkImportToMake
        case .unchanged: linkImportUnchanged
        case .refused(let sentence): sentence
        }
    }
    var linkImportUnreadable: String { translate("This table cannot be read. Nothing was made.") }
    var linkImportEmpty: String { translate("The table has no row with a link.") }
    func linkImportTooMany(_ most: Int) -> String { translate("The table has more than \(most) rows. Import it in parts.") }
}
