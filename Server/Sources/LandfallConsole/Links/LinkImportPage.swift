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

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.linkImport, .links) {
            if let rows { result(rows) }
            section(.class("block")) {
                problems.summary(words)
                if let detail { p(.lang(.english), .class("note")) { detail } }
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
                        p(.class("hint"), .id("file-hint")) { words.linkImportFileHint }
                        // Without a name: its text goes into the field below, and only that is sent.
                        input(
                            .id("file"), .type("file"), Attribute("accept", ".csv,text/csv,text/plain"), Attribute("data-fills", "text"),
                            Attribute("data-most", "\(Self.mostBytes)"), Attribute("aria-describedby", "file-hint"))
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
    var linkImport: String { say("Import links", "リンクをインポート", "导入链接") }
    var linkImportFormat: String { say("Kind of table", "表の種類", "表格类型") }
    func linkImportFormat(_ format: LinkImportPage.Format) -> String {
        switch format {
        case .csv: say("CSV with named columns", "列名のある CSV", "带列名的 CSV")
        case .firebase: say("Export of Firebase Dynamic Links", "Firebase Dynamic Links のエクスポート", "Firebase Dynamic Links 的导出文件")
        }
    }
    var linkImportHost: String { say("Domain of the links", "リンクのドメイン", "链接的域名") }
    var linkImportOwnHosts: String { say("As in the table", "表のまま", "与表格一致") }
    var linkImportFile: String { say("A file", "ファイル", "文件") }
    var linkImportFileHint: String {
        say("Its text comes into the field below, where it can be changed.", "内容が下の欄に入ります。そこで編集できます。", "其内容会填入下方字段,可在那里修改。")
    }
    var linkImportFileLarge: String {
        say(
            "This file is larger than 1 MB. Use the command landfall link import.",
            "ファイルが 1 MB を超えています。landfall link import コマンドを使ってください。", "文件超过 1 MB。请使用命令 landfall link import。")
    }
    var linkImportText: String { say("The table", "表", "表格") }
    var linkImportHint: String {
        say(
            "The first row names the columns: to, and if you like url, campaign, adGroup, creative, label, channel and others. Up to 5,000 rows and 1 MB; the command landfall link import takes larger files.",
            "1 行目は列名です: to のほか、url、campaign、adGroup、creative、label、channel など。5,000 行、1 MB まで。大きなファイルは landfall link import コマンドで取り込めます。",
            "第一行为列名:to,以及可选的 url、campaign、adGroup、creative、label、channel 等。最多 5,000 行、1 MB;更大的文件请使用命令 landfall link import。")
    }
    var linkImportCheck: String { say("Check", "確認", "检查") }
    func linkImportApply(_ count: Int) -> String {
        say(count == 1 ? "Make 1 link" : "Make \(count) links", "\(count) 件のリンクを作成", "创建 \(count) 个链接")
    }
    var linkImportChecked: String { say("Checked: nothing is made yet", "確認結果 (まだ作成していません)", "检查结果(尚未创建)") }
    var linkImportDone: String { say("The import is done", "インポートが完了しました", "导入完成") }
    var linkImportToMake: String { say("To be made", "作成予定", "将创建") }
    var linkImportMade: String { say("Made", "作成済み", "已创建") }
    var linkImportUnchanged: String { say("There already", "既存", "已存在") }
    var linkImportRefused: String { say("Refused", "拒否", "被拒绝") }
    var linkImportLine: String { say("Line", "行", "行") }
    var linkImportResult: String { say("Result", "結果", "结果") }
    var linkRandomCode: String { say("A random code", "ランダムなコード", "随机代码") }
    func linkImportMore(_ count: Int64) -> String {
        say("\(language.count(count)) more rows are counted above.", "ほかの \(language.count(count)) 行は上の件数に含まれます。", "其余 \(language.count(count)) 行已计入上方数字。")
    }
    func linkImportOutcome(_ outcome: LinkImportPage.Outcome, isDone: Bool) -> String {
        switch outcome {
        case .made: isDone ? linkImportMade : linkImportToMake
        case .unchanged: linkImportUnchanged
        case .refused(let sentence): sentence
        }
    }
    var linkImportUnreadable: String {
        say("This table cannot be read. Nothing was made.", "この表は読み取れません。何も作成していません。", "无法读取此表格。未创建任何内容。")
    }
    var linkImportEmpty: String { say("The table has no row with a link.", "リンクの行がありません。", "表格中没有链接。") }
    func linkImportTooMany(_ most: Int) -> String {
        say(
            "The table has more than \(most) rows. Import it in parts.", "表が \(most) 行を超えています。分けてインポートしてください。",
            "表格超过 \(most) 行。请分批导入。")
    }
}
