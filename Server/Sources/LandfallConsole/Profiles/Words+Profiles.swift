// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// Searching people.
extension Words {
    var profiles: String { say("Profiles", "プロファイル", "用户画像") }
    var profileTitle: String { say("Profile", "プロファイル", "用户画像") }
    var findProfile: String { say("Find a person", "ユーザーを検索", "查找用户") }
    var findProfileText: String {
        say(
            "An install, profile or customer id, whole or its first four characters or more; a code that a link's page showed; or the name of a test device.",
            "インストール ID、プロファイル ID、顧客 ID(完全一致、または先頭 4 文字以上)、リンクのページに表示されたコード、テスト端末の名前。",
            "安装 ID、用户画像 ID 或客户 ID(完整或至少前四个字符),链接页面显示的代码,或测试设备的名称。")
    }
    var findPeople: String { say("Find", "検索", "查找") }
    var whichProfiles: String { say("Which", "対象", "范围") }
    var newestOpens: String { say("Newest first opens", "最近の初回起動", "最近的首次打开") }
    var foundProfiles: String { say("Found", "検索結果", "查找结果") }
    var testDevicesTitle: String { say("Test devices", "テスト端末", "测试设备") }
    var noProfiles: String {
        say(
            "Nobody was found. An id must begin with what you typed; parts from its middle are not searched.",
            "見つかりません。ID は先頭から入力してください。途中の文字列では検索しません。", "未找到。请从 ID 开头输入,不支持按中间部分查找。")
    }
    var noTestDevices: String {
        say(
            "No install that 'testDevices' in the configuration names has opened the app.",
            "設定の 'testDevices' にある端末は、まだアプリを起動していません。", "配置中 'testDevices' 列出的安装还没有打开过应用。")
    }
    var moreProfiles: String {
        say("There are more. Type more characters of the id.", "ほかにもあります。ID の文字をさらに入力してください。", "还有更多结果。请输入更多 ID 字符。")
    }
    var customerTerm: String { say("Customer", "顧客", "客户") }
    var firstOpenTerm: String { say("First open", "初回起動", "首次打开") }
    var deviceTerm: String { say("Device", "端末", "设备") }
    var noInstall: String { say("No install now", "現在インストールなし", "当前没有安装") }
    func testDevice(_ name: String) -> String { say("Test device: \(name)", "テスト端末: \(name)", "测试设备:\(name)") }
    var isForgotten: String { say("The person is forgotten.", "このユーザーのデータを消去しました。", "已清除该用户的数据。") }
    var isBeingForgotten: String {
        say(
            "The person is being forgotten. The server erases the rest in the background.",
            "このユーザーのデータを消去しています。残りはバックグラウンドで消去されます。", "正在清除该用户的数据,其余部分将在后台删除。")
    }
}

/// One person.
extension Words {
    var customerProven: String { say("proven by your backend", "バックエンドが証明", "由后端验证") }
    var customerClaimed: String { say("said by the app, not proven", "アプリの申告(未証明)", "由应用声明,未验证") }
    var profileInstalls: String { say("Installs", "インストール", "安装") }
    var installTerm: String { say("Install", "インストール", "安装") }
    func reinstall(_ first: String) -> String { say("Reinstall of \(first)", "\(first) の再インストール", "\(first) 的重装") }
    var noInstallNow: String {
        say(
            "No install shows this profile now: the phone was logged out, or another person uses it.",
            "現在このプロファイルを使うインストールはありません。ログアウトしたか、別のユーザーが使っています。",
            "当前没有安装使用此用户画像:手机已退出登录,或由其他人使用。")
    }
    func attributionState(_ state: ProfileDocument.Attribution.State) -> String {
        switch state {
        case .attributed: say("An origin is known.", "ソースが分かっています。", "来源已知。")
        case .notAttributed: say("Organic: no ad or link brought this install.", "オーガニック: 広告やリンクによる流入ではありません。", "自然量:不是由广告或链接带来的。")
        case .pending: say("Apple's answer is on its way.", "Apple の回答を待っています。", "正在等待 Apple 的答复。")
        case .unavailable: say("There is no answer, because of", "回答がありません。理由:", "没有答复,原因:")
        }
    }
    var sourceTerm: String { say("Source", "ソース", "来源") }
    var claimDetails: String { say("Names", "内容", "内容") }
    var saidAt: String { say("Said", "発生", "发生") }
    var learnedAt: String { say("Learned", "記録", "记录") }
    var meaningTerm: String { say("What it means", "扱い", "作用") }
    var claimVerified: String { say("found out by the server", "サーバーが確認", "由服务器确认") }
    var claimUnverified: String { say("unverified", "未確認", "未验证") }
    var testData: String { say("Test data", "テストデータ", "测试数据") }
    func meaning(of standing: FactVerdict) -> String {
        switch standing {
        case .counts: say("This is the source.", "これがソースです。", "这是来源。")
        case .broughtBack: say("Brought the user back; the source stays.", "再訪のきっかけ。ソースは変わりません。", "带回了用户;来源不变。")
        case .namesNothing: say("Does not count: it names no origin.", "対象外: ソースを示していません。", "不计:未说明来源。")
        case .outsideWindow:
            say(
                "Does not count: the tap was too long before the first open, or after it.", "対象外: 初回起動より前すぎるか、後のタップです。",
                "不计:点击早于首次打开太久,或在其之后。")
        case .behindAppleAds: say("Does not count: Apple Ads goes first.", "対象外: Apple Ads が優先します。", "不计:Apple Ads 优先。")
        case .organic:
            say(
                "Does not count: it says organic, and another source names an origin.", "対象外: オーガニックとしていますが、別の情報がソースを示しています。",
                "不计:声明为自然量,而另一来源说明了出处。")
        case .guessed:
            say(
                "Does not count: the tap was only found by its network address.", "対象外: ネットワークアドレスだけで推定したタップです。",
                "不计:仅通过网络地址推测的点击。")
        case .later: say("Does not count: another source said so first.", "対象外: 別のソースが先に示しています。", "不计:另一来源更早说明。")
        }
    }
    var profileFacts: String { say("What audiences read", "オーディエンスが読む値", "目标受众读取的值") }
    func factsText(_ install: String) -> String {
        say("The values now, of the install \(install).", "インストール \(install) の現在の値です。", "安装 \(install) 的当前值。")
    }
    var factName: String { say("Name", "名前", "名称") }
    var valueTerm: String { say("Value", "値", "值") }
    var saidBy: String { say("Said by", "提供元", "提供方") }
    var factSince: String { say("As of", "時点", "截至") }
    var notKept: String { say("not kept", "記録なし", "未记录") }
    func name(of source: ProfileDocument.Fact.Source) -> String {
        switch source {
        case .phone: say("the phone", "端末", "手机")
        case .app: say("the app", "アプリ", "应用")
        case .backend: say("your backend", "バックエンド", "后端")
        case .server: say("the server", "サーバー", "服务器")
        case .attribution: attribution
        case .link: link
        case .configuration: say("the configuration", "設定", "配置")
        }
    }
    var attributesTitle: String { say("Custom attributes", "カスタム属性", "自定义属性") }
    var attributesText: String {
        say("The values now: earlier ones are not kept.", "現在の値です。以前の値は保存されません。", "当前值;不保留以前的值。")
    }
    var attributeName: String { say("Attribute", "属性", "属性") }
    var noAttributes: String { say("The app has set none.", "アプリはまだ設定していません。", "应用尚未设置。") }
    var assignments: String { say("Experiments", "A/B テスト", "A/B 测试") }
    var experimentTerm: String { say("Experiment", "A/B テスト", "A/B 测试") }
    var variationTerm: String { say("Variation", "バリアント", "变体") }
    var assignmentStep: String { say("Assigned by", "割り当て方法", "分配方式") }
    var assignedAt: String { say("Assigned", "割り当て", "分配时间") }
    var firstShown: String { say("First shown", "初回表示", "首次展示") }
    func assignmentBucket(_ bucket: Int64, epoch: Int64) -> String {
        say("bucket \(bucket), epoch \(epoch)", "バケット \(bucket)、エポック \(epoch)", "分桶 \(bucket),阶段 \(epoch)")
    }
    func name(ofStep step: String) -> String {
        switch step {
        case "drawn": say("the draw", "抽選", "抽签")
        case "stored": say("stored before", "保存済み", "已存储")
        case "holdout": say("the holdout", "ホールドアウト", "保留组")
        case "layer": say("the layer", "レイヤー", "流量层")
        case "override": say("the configuration", "設定", "配置")
        case "echoed": say("the phone's copy", "端末のコピー", "手机副本")
        default: step
        }
    }
}

/// Forgetting a person.
extension Words {
    var forgetTitle: String { say("Forget this person", "このユーザーを消去", "清除用户数据") }
    var forgetText: String {
        say(
            "Erases the profile, all its installs and everything that is kept of them, for ever. Counts of reports stay.",
            "プロファイル、すべてのインストール、保存されている記録を完全に消去します。元に戻せません。レポートの集計は残ります。",
            "永久删除此用户画像、其所有安装以及保留的一切记录。报告中的计数保留。")
    }
    var typeID: String { say("Type the profile's id to confirm", "確認のためプロファイル ID を入力", "请输入用户画像 ID 以确认") }
    var wrongID: String {
        say("This is not the id of the profile. Nobody was forgotten.", "プロファイル ID が違います。消去していません。", "这不是该用户画像的 ID。未清除任何数据。")
    }
}

/// Everything that happened.
extension Words {
    var timeline: String { say("Timeline", "タイムライン", "时间线") }
    var timelineText: String {
        say(
            "Everything that is kept, in the order in which the server learned of it, the newest first.",
            "保存されているすべての記録です。サーバーが受け取った順で、新しいものから表示します。", "所有保留的记录,按服务器得知的顺序,最新的在前。")
    }
    var noEntries: String { say("Nothing is kept.", "記録はありません。", "没有记录。") }
    var newestEntries: String { say("Newest entries", "最新の記録", "最新的记录") }
    var happenedAt: String { say("On the phone", "端末での時刻", "手机上的时间") }
    var eventTerm: String { say("Event id", "イベント ID", "事件 ID") }

    func name(of kind: Timeline.Entry.Kind) -> String {
        switch kind {
        case .firstOpen: firstOpenTerm
        case .tap: name(of: LiveRow.Kind.tap)
        case .attribution: attribution
        case .exposure: shown
        case .event: say("Event", "イベント", "事件")
        case .leaving: say("Left a profile", "プロファイルの切り替え", "切换用户画像")
        case .identified: say("Identified", "ユーザー識別", "已识别")
        }
    }

    func name(of term: Timeline.Entry.Term) -> String {
        switch term {
        case .platform: name(of: LiveRow.DetailName.platform)
        case .version: name(of: LiveRow.DetailName.version)
        case .country: name(of: LiveRow.DetailName.country)
        case .source: sourceTerm
        case .status: say("Says", "内容", "声明")
        case .link: link
        case .campaign: campaign
        case .adGroup: say("Ad group", "広告グループ", "广告组")
        case .creative: say("Creative", "クリエイティブ", "素材")
        case .channel: say("Channel", "チャネル", "渠道")
        case .placement: name(of: LiveRow.DetailName.placement)
        case .paywall: name(of: LiveRow.DetailName.paywall)
        case .audience: name(of: LiveRow.DetailName.audience)
        case .variation: variationTerm
        case .origin: say("Origin", "出どころ", "来自")
        case .revision: say("Configuration version", "設定バージョン", "配置版本")
        case .value: valueTerm
        case .currency: say("Currency", "通貨", "货币")
        case .properties: say("Properties", "プロパティ", "属性")
        case .customer: customerTerm
        case .profile: profileTitle
        }
    }
}
