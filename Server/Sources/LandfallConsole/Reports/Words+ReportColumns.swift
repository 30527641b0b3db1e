// SPDX-License-Identifier: Apache-2.0

/// The names of columns and fields, and what columns count.
extension Words {
    /// A field of a key; its own name if it has no word.
    func field(_ name: String) -> String {
        switch name {
        case "day": day
        case "week": say("Week from", "週(開始日)", "周(起始日)")
        case "source": say("Source", "ソース", "来源")
        case "channel": say("Channel", "チャネル", "渠道")
        case "campaign": campaign
        case "adGroup": say("Ad group", "広告グループ", "广告组")
        case "adSet": say("Ad set", "広告セット", "广告组合")
        case "creative": say("Creative", "クリエイティブ", "素材")
        case "keyword": say("Keyword", "キーワード", "关键词")
        case "country": say("Country", "国", "国家/地区")
        case "platform": say("Platform", "プラットフォーム", "平台")
        case "link": link
        case "appVersion": say("App version", "アプリのバージョン", "应用版本")
        case "host": say("Domain", "ドメイン", "域名")
        case "path": say("Path", "パス", "路径")
        case "placement": say("Placement", "プレースメント", "版位")
        case "paywall": say("Paywall", "ペイウォール", "付费墙")
        case "variation": say("Variation", "バリアント", "变体")
        case "audience": say("Audience", "オーディエンス", "目标受众")
        case "origin": say("Came from", "出どころ", "来自")
        case "by": splitBy
        case "days", "page": period
        case "sort": say("Sorted by", "並べ替え", "排序")
        case "compare": say("Compare", "比較", "比较")
        default: name
        }
    }

    /// A value of a key.
    func value(_ value: String?, of field: String) -> String {
        switch field {
        case "source": value ?? unknownSource
        case "origin": origin(value)
        case "day", "week": value.map { day($0) } ?? none
        case "platform": value == "ipad or mac" ? ipadOrMac : value ?? none
        default: value ?? none
        }
    }

    /// What a browser says that is either.
    var ipadOrMac: String { say("iPad or Mac", "iPad または Mac", "iPad 或 Mac") }

    /// The title of a column. A metric keeps the name that the configuration gave it.
    func column(_ name: String) -> String {
        if let metric = Self.metric("converted.", name) { return say("Converted: \(metric)", "コンバージョン: \(metric)", "转化:\(metric)") }
        if let day = Self.metric("day", name) { return onDay(day) }
        if let day = Self.metric("eligible.day", name) { return say("Old enough for day \(day)", "\(day) 日目の対象", "第 \(day) 天的对象") }
        if let day = Self.metric("rate.day", name) { return say("Share, day \(day)", "\(day) 日目の割合", "第 \(day) 天占比") }
        if name == "rate.sentToStore" { return say("Share sent to a store", "ストア遷移の割合", "前往商店占比") }
        if name == "rate.shown" { return say("Share shown", "表示の割合", "展示占比") }
        if let metric = Self.metric("rate.", name) { return say("Rate: \(metric)", "コンバージョン率: \(metric)", "转化率:\(metric)") }
        if let metric = Self.metric("revenue.", name) { return say("Revenue: \(metric)", "収益: \(metric)", "收入:\(metric)") }
        return switch name {
        case "firstOpens": firstOpens
        case "attributed": attributed
        case "unverified": say("Unverified", "未確認", "未验证")
        case "organic": say("Organic", "オーガニック", "自然量")
        case "unknown": say("Source unknown", "ソース不明", "来源未知")
        case "reinstalls": say("Reinstalls", "再インストール", "重装")
        case "late": say("Late", "判明前に表示", "迟到归因")
        case "shown": shown
        case "exposures": say("Exposures", "表示回数", "展示次数")
        case "elapsed.p50": say("Time to paywall, p50", "表示までの時間 p50", "展示用时 p50")
        case "elapsed.p95": say("Time to paywall, p95", "表示までの時間 p95", "展示用时 p95")
        case "clicks": clicks
        case "uniqueClicks": say("Unique clicks", "ユニーククリック", "独立点击")
        case "sentToStore": say("Sent to a store", "ストアへ遷移", "前往商店")
        case "expiredClicks": say("Expired", "期限切れ", "已过期")
        case "machineRequests": say("Machines", "ボットなど", "机器请求")
        case "appOpens": say("App opened", "アプリで開いた", "应用打开")
        case "size": installs
        case "unprovenAppOpens": say("App opened, unproven", "アプリで開いた(未証明)", "应用打开(未证实)")
        default: name
        }
    }

    private static func metric(_ start: String, _ name: String) -> String? {
        name.hasPrefix(start) ? String(name.dropFirst(start.count)) : nil
    }

    /// In English as the report says it: the English of the code is only what translators see.
    func definition(of column: String, english: String) -> String {
        language == .english ? english : translated(column) ?? english
    }

    private func translated(_ name: String) -> String? {
        if let metric = Self.metric("converted.", name) {
            return say("Installs that did this within the days of the metric \(metric).", "指標「\(metric)」の期間内に、その行動をしたインストール。", "在指标“\(metric)”的窗口内完成该行为的安装。")
        }
        if name == "rate.sentToStore" { return say("Sent to a store, in clicks.", "「ストアへ遷移」を「クリック」で割った値。", "“前往商店”除以“点击”。") }
        if name == "rate.shown" { return say("Shown, in first opens.", "「ペイウォール表示」を「初回起動数」で割った値。", "“付费墙展示”除以“首次打开”。") }
        if let metric = Self.metric("rate.", name) {
            return say("Converted: \(metric), in the installs of the row.", "「コンバージョン: \(metric)」を行のインストール数で割った値。", "“转化:\(metric)”除以该行的安装数。")
        }
        if let metric = Self.metric("revenue.", name) {
            return say("Payments within the days of the metric \(metric). Purchases are not recorded yet.", "指標「\(metric)」の期間内の支払い。購入はまだ記録されません。", "指标“\(metric)”窗口内的付款。目前尚未记录购买。")
        }
        return switch name {
        case "firstOpens": say("Installs that opened the app for the first time on these days. Reinstalls are not counted.", "この期間に初めて起動したインストール。再インストールは除きます。", "在这段时间首次打开的安装,不含重装。")
        case "attributed": say("Of them, those of whom a source is known.", "そのうち、ソースがわかっているもの。", "其中来源已知的安装。")
        case "unverified":
            say("Of the attributed, those whose source is only claimed: nobody has verified it.", "アトリビューション済みのうち、ソースが申告だけで、確認されていないもの。", "已归因的安装中,来源仅为声明、未经验证的。")
        case "organic": say("Of the first opens, those that no campaign brought, as a source says.", "初回起動のうち、どのキャンペーンにもよらないと情報源が答えたもの。", "首次打开的安装中,来源方表明并非由任何推广带来的。")
        case "unknown": say("Of the first opens, those of whom no source has said anything, or not yet.", "初回起動のうち、どの情報源も答えていないもの(回答待ちを含む)。", "首次打开的安装中,尚无任何来源方说明的。")
        case "reinstalls": say("Installs of these days on devices that had the app before. No first opens.", "以前このアプリが入っていた端末への、この期間のインストール。初回起動には数えません。", "在这段时间里、装过本应用的设备上的安装。不计入首次打开。")
        case "late":
            say("Of the attributed, those whose first paywall was shown before the source was known.", "アトリビューション済みのうち、ソースがわかる前に最初のペイウォールが表示されたもの。", "已归因的安装中,在得知来源之前已展示付费墙的。")
        case "shown":
            say("Installs that saw a paywall (of campaigns: within 14 days of the first open).", "ペイウォールを見たインストール(キャンペーンでは初回起動から 14 日以内)。", "看到付费墙的安装(在推广活动中为首次打开后 14 天内)。")
        case "exposures": say("How often a paywall was seen.", "ペイウォールが表示された回数。", "付费墙展示的次数。")
        case "elapsed.p50":
            say("Time from the app's question to the paywall: half of the exposures that reported it took no longer.", "アプリの問い合わせからペイウォールまでの時間。時間を報告した表示の半分がこれ以下。", "从应用询问到付费墙出现的时间:已上报时间的展示中有一半不超过此值。")
        case "elapsed.p95": say("The same for 95 of 100 exposures.", "同上。100 回の表示のうち 95 回がこれ以下。", "同上,100 次展示中有 95 次不超过此值。")
        case "clicks":
            say("Stored clicks of people in browsers, on links that led somewhere.", "ブラウザーで人がリンクを開き、どこかへ遷移した、保存済みのクリック。", "有人在浏览器中点击并成功跳转的、已保存的点击。")
        case "uniqueClicks":
            say("The same, each visitor of one link on one day once.", "同じクリックを、リンクと日ごとに訪問者 1 人につき 1 回だけ数えたもの。", "同上,但每个链接每天对每位访问者只计一次。")
        case "sentToStore":
            say("Of the clicks, those that led to a store. What the store showed is unknown.", "そのうち、ストアへ案内したもの。ストアで何が表示されたかは不明です。", "其中被引导至商店的点击。商店中显示的内容无从得知。")
        case "expiredClicks": say("Clicks of people on links that had expired.", "期限切れのリンクへの、人によるクリック。", "有人对已过期链接的点击。")
        case "machineRequests": say("Requests of bots, previews, prefetches and HEAD.", "ボット、プレビュー、先読み、HEAD によるリクエスト。", "机器人、预览、预取和 HEAD 请求。")
        case "appOpens":
            say("Links that reached the app, told by installs that proved who they are, on the day when they told it.", "アプリに届いたリンク。自身を証明したインストールが報告した日に数えます。", "到达应用的链接,由已证实身份的安装上报,按上报日期计。")
        case "unprovenAppOpens": say("The same, told with the SDK key alone.", "同上。ただし SDK キーだけで報告されたもの。", "同上,但仅凭 SDK 密钥上报。")
        default: nil
        }
    }
}
