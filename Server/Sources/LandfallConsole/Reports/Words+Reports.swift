// SPDX-License-Identifier: Apache-2.0

/// Around the tables of reports.
extension Words {
    func name(of report: ReportName) -> String {
        switch report {
        case .campaigns: campaigns
        case .links: linkReport
        case .paywalls: paywallReport
        case .funnel: funnelReport
        case .retention: retentionReport
        }
    }

    var linkReport: String { say("Clicks of links", "リンクのクリック", "链接点击") }
    var paywallReport: String { say("Paywalls shown", "ペイウォールの表示", "付费墙展示") }
    var funnelReport: String { say("Funnel", "ファネル", "漏斗") }
    var retentionReport: String { say("Retention", "リテンション", "留存率") }

    var compareBefore: String { say("Compare with the time before", "前の期間と比較", "与上一周期比较") }
    var otherDays: String { say("Other days", "期間を指定", "指定日期") }
    var firstReportDay: String { say("First day", "開始日", "开始日期") }
    var lastReportDay: String { say("Last day", "終了日", "结束日期") }
    var showDays: String { say("Show these days", "この期間を表示", "显示这段时间") }
    var splitBy: String { say("Split by", "分類", "拆分方式") }
    func by(_ fields: [String]) -> String {
        fields.isEmpty ? everything : say("By \(self.fields(fields))", "\(self.fields(fields))別", "按\(self.fields(fields))")
    }
    func byWeek(_ column: String) -> String { say("\(column) by week", "\(column)(週別)", "\(column)(按周)") }
    func byDay(_ column: String) -> String { say("\(column) by day", "\(column)(日別)", "\(column)(按日)") }
    func fields(_ names: [String]) -> String { names.map { field($0) }.joined(separator: say(", ", "・", "、")) }
    var rowsTotal: String { say("Total", "合計", "合计") }
    var restOfRows: String { say("Other", "その他", "其他") }
    var removeReportFilter: String { say("Remove the filter ", "フィルターを外す: ", "移除筛选:") }
    var unknownFilter: String { say("This report does not know it", "このレポートにはありません", "此报告没有该项") }
    var noSuchRows: String { say("No row has it", "該当する行はありません", "没有符合的行") }
    var filteredTotals: String {
        say("The totals are those of the filtered rows.", "合計はフィルター後の行のものです。", "合计仅包含筛选后的行。")
    }
    var hiddenGroup: String {
        say(
            "Fewer than 10 installs, or too few others to hide them among: this group is only part of “Other”. Remove a filter.",
            "インストールが 10 未満、または推測できてしまうため、このグループは「その他」にのみ含まれます。フィルターを外してください。",
            "安装少于 10 个,或会被推算出来,因此该组只计入“其他”。请移除筛选。")
    }
    var mergedGroups: String {
        say(
            "Groups of fewer than 10 installs are together in “Other”. Days of fewer have no numbers, nor have some days beside them.",
            "インストールが 10 未満のグループは「その他」にまとめています。10 未満の日と、推測を防ぐための一部の日は数値を表示しません。",
            "安装少于 10 个的组合并为“其他”。少于 10 个的日期以及为防止推算而隐藏的部分日期不显示数字。")
    }
    var fewOnDays: String {
        say(
            "Days of fewer than 10 installs have no numbers, nor have some days beside them.",
            "インストールが 10 未満の日と、推測を防ぐための一部の日は数値を表示しません。", "安装少于 10 个的日期以及为防止推算而隐藏的部分日期不显示数字。")
    }
    var filesMerge: String {
        say(
            "In files, groups of fewer than 10 installs are together in “other”, and days of fewer have no numbers.",
            "ファイルでは、インストールが 10 未満のグループは other にまとめられ、10 未満の日に数値はありません。",
            "在文件中,安装少于 10 个的组合并为 other,少于 10 个的日期没有数字。")
    }
    var reportFiles: String { say("Files", "ファイル", "文件") }
    func asFile(_ kind: String) -> String { say("Download \(kind)", "\(kind) をダウンロード", "下载 \(kind)") }
    var rowPages: String { say("Pages", "ページ", "分页") }
    var previousRows: String { say("Previous rows", "前の行", "上一页") }
    var nextRows: String { say("Next rows", "次の行", "下一页") }
    func rows(_ first: Int, _ last: Int, of count: Int) -> String {
        let (first, last, count) = (language.count(Int64(first)), language.count(Int64(last)), language.count(Int64(count)))
        return say("Rows \(first) to \(last) of \(count)", "\(count) 行中 \(first)〜\(last) 行", "第 \(first)–\(last) 行,共 \(count) 行")
    }
    var linksOfCampaign: String { say("The links of this campaign", "このキャンペーンのリンク", "此推广活动的链接") }
    var whatColumnsMean: String { say("What the columns mean", "列の説明", "各列的含义") }
    var unknownValue: String {
        say(
            "Cannot be known: a share of nothing, numbers that others keep to themselves, or days whose rows were deleted before they were counted.",
            "不明な値です。0 に対する割合、外部から提供されない数、集計前に行が削除された日など。",
            "无法得知:对零的占比、对方不提供的数字,或在统计前数据已被删除的日期。")
    }
    var tryReport: String { say("To see how it looks, or what there is:", "試すには:", "可以试试:") }
    var nothingFiltered: String {
        say("No rows have these filters. Remove one.", "このフィルターに該当する行はありません。フィルターを外してください。", "没有符合筛选的行。请移除一项筛选。")
    }

    func nothingCounted(_ report: ReportName) -> String {
        switch report {
        case .campaigns, .funnel, .retention:
            say(
                "No app was opened for the first time on these days, and no link was clicked. Rows come with the first of both.",
                "この期間に初回起動もリンクのクリックもありません。どちらかがあると行が表示されます。", "这段时间既没有首次打开,也没有链接点击。出现后即会显示。")
        case .links:
            say(
                "No link was opened on these days. Rows come with the first click; test devices' own clicks count too.",
                "この期間に開かれたリンクはありません。最初のクリックで行が表示されます。", "这段时间没有链接被打开。首次点击后即会显示。")
        case .paywalls:
            say(
                "No app reported a paywall on these days. Rows come when an app records paywall_shown.",
                "この期間にペイウォール表示の報告はありません。アプリが paywall_shown を記録すると表示されます。",
                "这段时间没有应用上报付费墙展示。应用记录 paywall_shown 后即会显示。")
        }
    }

    func sentence(_ refusal: ReportPage.Refusal) -> String {
        switch refusal {
        case .tooManyInstalls:
            say(
                "The report is about more than a million installs. Choose fewer days.",
                "対象のインストールが 100 万を超えます。期間を短くしてください。", "报告涉及的安装超过一百万。请缩短时间。")
        case .countedApart:
            say(
                "These fields are counted apart, so that no row can have both. Remove one of them.",
                "これらの項目は別々に集計されているため、組み合わせられません。一方を外してください。", "这些字段分别统计,不能组合。请移除其中之一。")
        }
    }

    var wrongDay: String { say("Write a day, such as 2026-11-01.", "2026-11-01 の形で日付を入力してください。", "请输入日期,例如 2026-11-01。") }
    var daysInReverse: String {
        say("The first day is after the last.", "開始日が終了日より後です。", "开始日期晚于结束日期。")
    }
    var tooManyDays: String {
        say("A report has at most 400 days.", "レポートは最長 400 日です。", "报告最多 400 天。")
    }
}
