// SPDX-License-Identifier: Apache-2.0

/// The first page: the numbers of the last days beside the days before, and what a new server still needs.
package struct OverviewPage {
    /// A number with its definition and what it was before. The caller counts nothing: values come from reports.
    package struct Figure: Hashable, Sendable {
        package enum Name: String, Sendable { case firstOpens, attributed, clicks, shown }
        package let name: Name
        /// Nil where it cannot be known.
        package let value: Int64?
        package let before: Int64?
        /// What the value is a part of, for a percentage beside it.
        package let whole: Int64?
        /// The report's own words.
        package let definition: String

        package init(_ name: Name, _ value: Int64?, before: Int64?, of whole: Int64? = nil, definition: String) {
            self.name = name
            self.value = value
            self.before = before
            self.whole = whole
            self.definition = definition
        }
    }

    package struct Line: Hashable, Sendable {
        /// Nil: not known.
        package let name: String?
        package let values: [Int64?]

        package init(_ name: String?, _ values: [Int64?]) {
            self.name = name
            self.values = values
        }
    }

    package let frame: Frame
    /// Days as 2026-11-22, both included.
    package let from: String
    package let to: String
    package let length: Int
    package let completeToMilliseconds: Int64
    /// Nil once everything is done.
    package let checklist: Checklist?
    package let figures: [Figure]
    package let days: [DayChart.Day]
    /// Exposures by the origin of the paywall, as the server calls origins.
    package let origins: [Line]
    /// First opens and paywalls shown by source and campaign.
    package let campaigns: [Line]
    /// Clicks and unique clicks by link.
    package let links: [Line]

    package static let lengths = [7, 28, 90]

    package init(
        frame: Frame, from: String, to: String, length: Int, completeToMilliseconds: Int64, checklist: Checklist?, figures: [Figure],
        days: [DayChart.Day], origins: [Line], campaigns: [Line], links: [Line]
    ) {
        self.frame = frame
        self.from = from
        self.to = to
        self.length = length
        self.completeToMilliseconds = completeToMilliseconds
        self.checklist = checklist
        self.figures = figures
        self.days = days
        self.origins = origins
        self.campaigns = campaigns
        self.links = links
    }

    private var words: Words { frame.words }
    private var language: Language { frame.language }

    package var html: HTML {
        let note = words.completeTo(Language.calendar(completeToMilliseconds).time)
        return frame.page(words.overview, .overview, note: note, refreshes: checklist != nil) {
            if let checklist { checklist.html(words) }
            section(.class("block")) {
                header(.class("head")) {
                    h2 { "\(language.day(from)) – \(language.day(to))" }
                    nav(.class("choices"), .label(words.period)) {
                        for length in Self.lengths {
                            a(
                                .href(Place("/console", query: [("days", "\(length)")])),
                                .optional("aria-current", length == self.length ? "true" : nil)
                            ) { words.days(length) }
                        }
                    }
                }
                dl(.class("figures")) { for figure in figures { self.figure(figure) } }
                if days.contains(where: { $0.value > 0 || $0.before ?? 0 > 0 }) {
                    DayChart(name: words.firstOpens, days: days).html(words)
                } else {
                    p(.class("empty")) { words.noFirstOpens }
                }
            }
            div(.class("columns")) {
                lines(words.campaigns, words.campaign, [words.firstOpens, words.shown], campaigns, words.noCampaigns)
                lines(words.links, words.link, [words.clicks, words.uniqueClicks], links, words.noClicks)
            }
            if !origins.isEmpty {
                section(.class("block")) {
                    h2 { words.originsTitle }
                    ShareBars(
                        name: words.originsTitle, parts: origins.map { (words.origin($0.name), ($0.values.first ?? 0) ?? 0) }
                    ).html(language)
                }
            }
        }
    }

    private func figure(_ figure: Figure) -> HTML {
        div(.class("figure")) {
            dt { words.name(of: figure.name) }
            dd(.class("value")) {
                figure.value.map { language.count($0) } ?? "–"
                if let value = figure.value, let whole = figure.whole, whole > 0 {
                    span(.class("share")) { language.share(Double(value) / Double(whole)) }
                }
            }
            dd(.class("before")) {
                if let value = figure.value, let before = figure.before, before > 0 {
                    span(.class("change")) { language.change(Double(value - before) / Double(before)) }
                    words.than(language.count(before))
                } else {
                    words.noTimeBefore
                }
            }
        }
    }

    private func lines(
        _ heading: String, _ key: String, _ columns: [String], _ lines: [Line], _ empty: String
    ) -> HTML {
        section(.class("block")) {
            h2 { heading }
            if lines.isEmpty { p(.class("empty")) { empty } } else {
                scrollingTable(heading, titles: [key], numbers: columns) {
                    for line in lines {
                        tr {
                            th(Attribute("scope", "row")) { line.name ?? words.unknownSource }
                            for value in line.values {
                                td(.class("number")) { value.map { language.count($0) } ?? "–" }
                            }
                        }
                    }
                }
            }
        }
    }
}

extension Words {
    var period: String { say("Period", "期間", "时间范围") }
    func days(_ count: Int) -> String { say("\(count) days", "\(count) 日間", "\(count) 天") }
    var firstOpens: String { say("First opens", "初回起動数", "首次打开") }
    var attributed: String { say("Attributed", "アトリビューション済み", "已归因") }
    var clicks: String { say("Clicks", "クリック", "点击") }
    var uniqueClicks: String { say("Unique", "ユニーク", "独立") }
    var shown: String { say("Paywall shown", "ペイウォール表示", "付费墙展示") }
    var campaign: String { say("Campaign", "キャンペーン", "推广活动") }
    var campaigns: String { say("Campaigns", "キャンペーン", "推广活动") }
    var link: String { say("Link", "リンク", "链接") }
    var unknownSource: String { say("Not known", "不明", "未知") }
    var originsTitle: String { say("Where shown paywalls came from", "表示したペイウォールの出どころ", "所展示付费墙的来源") }
    var noTimeBefore: String { say("Nothing before to compare", "比較できる前の期間がありません", "没有可比较的上一周期") }
    func than(_ value: String) -> String { say(" than \(value) before", "(前の期間 \(value))", "(上一周期 \(value))") }
    var noFirstOpens: String {
        say("No first opens in these days yet.", "この期間の初回起動はまだありません。", "这段时间还没有首次打开。")
    }
    var noCampaigns: String {
        say("Campaigns appear with the first opens.", "初回起動があるとキャンペーンが表示されます。", "有首次打开后将显示推广活动。")
    }
    var noClicks: String { say("No clicks in these days yet.", "この期間のクリックはまだありません。", "这段时间还没有点击。") }

    func name(of figure: OverviewPage.Figure.Name) -> String {
        switch figure {
        case .firstOpens: firstOpens
        case .attributed: attributed
        case .clicks: clicks
        case .shown: shown
        }
    }

    func origin(_ name: String?) -> String {
        switch name {
        case "matchingAudience": say("Matching the person", "対象者に一致", "与用户匹配")
        case "cache": say("Kept on the phone", "端末に保存", "手机缓存")
        case "defaultAudience": say("For everyone", "全員向け", "面向所有人")
        case "bundled": say("Bundled with the app", "アプリに同梱", "应用内置")
        case let name?: name
        case nil: unknownSource
        }
    }
}
