// SPDX-License-Identifier: Apache-2.0
import LandfallServer

extension LiveRow.Detail {
    /// The person's page, which not every role may see.
    var place: Place? { name == .install ? Place("/console/profiles", [value]) : nil }
}

/// First opens, taps, attributions and exposures as they happen.
struct LivePage {
    /// The most rows of the page, and how many of them it begins with: a page has at most 100 kB.
    static let most = 200, mostFirst = 120

    let frame: Frame
    let kind: LiveRow.Kind?
    /// The newest first.
    let rows: [LiveRow]
    /// When the node began. Of earlier facts it knows the newest that the store had.
    var startedAtMs: Int64 = 0
    /// The configuration names some, so there is a choice.
    var hasTestDevices = false
    var isWithoutTests = false

    private var words: Words { frame.words }

    var html: HTML {
        frame.page(words.live, .live, note: words.timesNote, refreshes: true) {
            div(.class("toolbar")) {
                nav(.class("choices"), .label(words.kinds)) {
                    choice(nil, words.everything)
                    for kind in LiveRow.Kind.allCases { choice(kind, words.name(of: kind)) }
                }
                if hasTestDevices {
                    nav(.class("choices"), .label(words.testDevicesTitle)) {
                        choice(isWithoutTests: false, words.allDevices)
                        choice(isWithoutTests: true, words.withoutTestDevices)
                    }
                }
                p(
                    .class("pulse"), .id("live-state"), Attribute("role", "status"), Attribute("data-on", words.liveOn),
                    Attribute("data-off", words.liveOff), Attribute("data-over", words.liveOver), Attribute("data-paused", words.livePaused)
                ) { words.liveWithoutScript }
                button(
                    .type("button"), .id("pause"), .flag("hidden"), Attribute("aria-pressed", "false"),
                    Attribute("data-resume", words.resume), Attribute("data-pause", words.pause)
                ) { words.pause }
            }
            p(.class("hidden"), .id("live-news"), Attribute("aria-live", "polite"), Attribute("data-text", words.newRows)) {}
            ol(
                .class("rows"), .id("live"), Attribute("data-most", "\(Self.most)"), Attribute("data-after", "\(rows.first?.id ?? 0)"),
                Attribute("data-stream", Place("/console/live/stream", query: query(kind, isWithoutTests)).text)
            ) { for row in rows { html(row) } }
            div(.class("block empty"), .id("live-empty"), .flag("hidden", !rows.isEmpty)) {
                h2 { words.liveEmpty(since: words.moment(startedAtMs), isChosen: kind != nil || isWithoutTests) }
                p { words.liveEmptyText }
                pre(Attribute("tabindex", "0")) { code { "landfall simulate --server https://YOUR-SERVER --phones 20" } }
            }
        }
    }

    private func choice(_ kind: LiveRow.Kind?, _ name: String) -> HTML {
        a(
            .href(Place("/console/live", query: query(kind, isWithoutTests))),
            .optional("aria-current", kind == self.kind ? "true" : nil)
        ) { name }
    }

    private func choice(isWithoutTests: Bool, _ name: String) -> HTML {
        a(
            .href(Place("/console/live", query: query(kind, isWithoutTests))),
            .optional("aria-current", isWithoutTests == self.isWithoutTests ? "true" : nil)
        ) { name }
    }

    private func query(_ kind: LiveRow.Kind?, _ isWithoutTests: Bool) -> [(String, String?)] {
        [("kind", kind?.rawValue), ("test", isWithoutTests ? "without" : nil)]
    }

    private func html(_ row: LiveRow) -> HTML {
        li(Attribute("data-id", "\(row.id)"), Attribute("data-kind", row.kind.rawValue)) {
            details {
                summary {
                    time(Attribute("datetime", Language.iso(row.atMs))) { words.clock(row.atMs) }
                    span(.class("badge")) { words.name(of: row.kind) }
                    if row.isTest { span(.class("badge")) { words.testDeviceBadge } }
                    span(.class("what")) { row.subject }
                }
                dl {
                    for detail in row.details {
                        div {
                            dt { words.name(of: detail.name) }
                            dd {
                                if let place = detail.place, frame.can(.people) { a(.href(place)) { detail.value } } else { detail.value }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// One row as the stream carries it: texts that the page's script puts into elements.
struct LiveMessage: Encodable, Sendable {
    let id: Int64
    let kind: String
    let iso: String
    let clock: String
    let name: String
    /// The word for a test device, if it was one.
    let badge: String?
    let subject: String
    /// Name and value, and the path of the page about it if there is one.
    let details: [[String]]

    /// - Parameter row: without what names one person, for members who may not see people.
    init(_ row: LiveRow, _ words: Words) {
        id = row.id
        kind = row.kind.rawValue
        iso = Language.iso(row.atMs)
        clock = words.clock(row.atMs)
        name = words.name(of: row.kind)
        badge = row.isTest ? words.testDeviceBadge : nil
        subject = row.subject
        details = row.details.map { [words.name(of: $0.name), $0.value] + ($0.place.map { [$0.text] } ?? []) }
    }


}

extension Words {
    /// With seconds, by the page's clock; with the day if it is not today's.
    func clock(_ atMs: Int64) -> String { (clock.today == nil ? Language.calendar(clock.local(atMs)).time : moment(atMs)) + ":" + Language.secondsText(ofMs: atMs) }

    var kinds: String { say("Kinds", "種類", "类型") }
    var everything: String { say("Everything", "すべて", "全部") }
    var liveOn: String { say("Live", "ライブ", "实时") }
    var liveOff: String { say("Not connected; trying again", "未接続。再接続しています", "未连接,正在重试") }
    var liveOver: String { say("Not connected. Reload the page.", "未接続です。ページを再読み込みしてください。", "未连接。请重新加载页面。") }
    var allDevices: String { say("All devices", "すべての端末", "所有设备") }
    var withoutTestDevices: String { say("Without test devices", "テスト端末を除く", "不含测试设备") }
    var testDeviceBadge: String { say("Test device", "テスト端末", "测试设备") }
    var livePaused: String { say("Paused", "一時停止中", "已暂停") }
    var liveWithoutScript: String { say("Loads again every 10 seconds", "10 秒ごとに再読み込み", "每 10 秒刷新") }
    var pause: String { say("Pause", "一時停止", "暂停") }
    var resume: String { say("Resume", "再開", "继续") }
    var newRows: String { say("New rows: ", "新しい行: ", "新增行:") }
    /// - Parameter isChosen: other rows may be there.
    func liveEmpty(since time: String, isChosen: Bool) -> String {
        isChosen
            ? say(
                "Nothing of this choice has happened since this node started, \(time)", "このノードの起動 (\(time)) 以降、該当するものはありません",
                "自此节点启动 (\(time)) 以来没有符合筛选的事件")
            : say(
                "Nothing has happened since this node started, \(time)", "このノードの起動 (\(time)) 以降、まだ何も起きていません",
                "自此节点启动 (\(time)) 以来还没有任何事件")
    }
    var liveEmptyText: String {
        say(
            "Rows appear here within a second of a tap, a first open or a shown paywall. To try it with simulated phones:",
            "タップ、初回起動、ペイウォール表示から 1 秒以内にここに表示されます。模擬端末で試すには:",
            "点击、首次打开或展示付费墙后一秒内会显示在这里。用模拟手机试一试:")
    }

    func name(of kind: LiveRow.Kind) -> String {
        switch kind {
        case .firstOpen: say("First open", "初回起動", "首次打开")
        case .tap: say("Tap", "タップ", "点击")
        case .attribution: attribution
        case .exposure: shown
        }
    }

    var attribution: String { say("Attribution", "アトリビューション", "归因") }

    func name(of detail: LiveRow.DetailName) -> String {
        switch detail {
        case .install: say("Install", "インストール", "安装")
        case .platform: say("Platform", "プラットフォーム", "平台")
        case .country: say("Country", "国", "国家/地区")
        case .version: say("App version", "アプリのバージョン", "应用版本")
        case .link: link
        case .outcome: say("Led to", "遷移先", "去向")
        case .source: say("Source", "ソース", "来源")
        case .campaign: campaign
        case .placement: say("Placement", "プレースメント", "版位")
        case .paywall: say("Paywall", "ペイウォール", "付费墙")
        case .audience: say("Audience", "オーディエンス", "目标受众")
        case .variation: say("Variation", "バリアント", "变体")
        case .visitor: say("By", "アクセス元", "访问者")
        }
    }
}
