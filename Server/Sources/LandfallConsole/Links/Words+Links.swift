// SPDX-License-Identifier: Apache-2.0

/// The list of links, and making one.
extension Words {
    var linksNote: String { say("Clicks of the last 28 days", "クリックは直近 28 日間", "最近 28 天的点击") }
    var linkNew: String { say("Make a link", "リンクを作成", "创建链接") }
    var linkSearch: String { say("Address or destination has", "アドレスか遷移先に含む文字", "地址或目标包含") }
    var linkHost: String { say("Domain", "ドメイン", "域名") }
    var linkStateTitle: String { say("State", "状態", "状态") }
    var linkAny: String { say("Any", "すべて", "全部") }
    var linkShowThese: String { say("Show these", "絞り込む", "筛选") }
    var linkLabels: String { say("Labels", "ラベル", "标签") }
    var linkFirstPage: String { say("First page", "最初のページ", "第一页") }
    var linkNextPage: String { say("Next page", "次のページ", "下一页") }
    var linkNoneYet: String { say("There are no links yet. Make the first one.", "リンクはまだありません。最初のリンクを作成してください。", "还没有链接。请创建第一个链接。") }
    var linkNoMatch: String { say("No link matches.", "一致するリンクはありません。", "没有匹配的链接。") }
    var linkCut: String {
        say(
            "Only a part of the links was searched so far. The next page goes on.", "リンクの一部だけを検索しました。続きは次のページです。",
            "目前只搜索了部分链接,下一页将继续。")
    }
    var linkNumbersMissing: String {
        say(
            "There is too much to count for one page, so clicks are missing here. The page of a link has all of its own.",
            "集計量が多いため、ここには一部のクリックが含まれません。各リンクのページで確認できます。", "统计量过大,此处的点击数不完整。请查看单个链接的页面。")
    }
    var linkFewOpens: String { say("Few", "少数", "少量") }
    var linkFewOpensNote: String {
        say(
            "“Few”: fewer than 10 first opens, or too few other links to hide them among.",
            "「少数」: 初回起動数が 10 未満、または推測できてしまうリンクです。", "“少量”:首次打开少于 10 次,或会被推算出来。")
    }
    var linkPeople: String { say("First opens that this link brought", "このリンクによる初回起動数", "此链接带来的首次打开") }
    var linkRemoved: String { say("The link is removed. It leads nowhere now.", "リンクを削除しました。もう使えません。", "链接已删除,不再指向任何页面。") }
    func linkEnd(_ time: String) -> String { say("until \(time) UTC", "\(time) UTC まで", "至 \(time) UTC") }

    func linkState(_ state: LinkFilter.State) -> String {
        switch state {
        case .live: say("Live", "有効", "有效")
        case .expired: say("Expired", "期限切れ", "已过期")
        case .file: say("From the file", "設定ファイル", "来自配置文件")
        }
    }

    func name(of label: LinkEntry.LabelName) -> String {
        switch label {
        case .campaign: campaign
        case .adGroup: say("Ad group", "広告グループ", "广告组")
        case .creative: say("Creative", "クリエイティブ", "素材")
        case .label: say("Label", "ラベル", "标签")
        case .channel: say("Channel", "チャネル", "渠道")
        }
    }

    var linkDestination: String { say("Destination", "遷移先", "目标") }
    var linkDestinationHint: String {
        say("An https address, or one of the app's own scheme.", "https のアドレス、またはアプリ独自のスキーム。", "https 地址,或应用自有的 scheme。")
    }
    var linkNoHost: String {
        say(
            "The configuration has no brand domain yet. Add one to domains.brand first.",
            "設定にブランドドメインがありません。先に domains.brand に追加してください。", "配置中还没有品牌域名。请先添加到 domains.brand。")
    }
    var linkSuffix: String { say("Suffix", "サフィックス", "后缀") }
    func linkSuffixHint(_ host: String) -> String {
        say(
            "Follows https://\(host)/. Left out, it is a random code.", "https://\(host)/ に続く部分。空欄ならランダムなコードになります。",
            "接在 https://\(host)/ 之后。留空则使用随机代码。")
    }
    var linkExpiry: String { say("Expires", "有効期限", "到期时间") }
    var linkExpiryHint: String {
        say("From the start of this day in UTC the link leads nowhere.", "この日の始まり (UTC) からリンクは使えなくなります。", "从这一天开始 (UTC) 链接失效。")
    }
    var linkChannels: String { say("Also for channels", "ほかのチャネル用にも作成", "同时为以下渠道创建") }
    var linkChannelsHint: String {
        say(
            "One name a line: each gets its own link. At most 50.", "1 行に 1 つ。それぞれ専用のリンクを作成します。最大 50 件。",
            "每行一个名称,各自获得一个链接。最多 50 个。")
    }
    var linkMore: String { say("Ways, preview and handover", "遷移方法・プレビュー・引き継ぎ", "跳转方式、预览与交接") }
    var linkWaysHint: String {
        say(
            "Where browsers go: app, store, page, web, or an https address; several with spaces between. Left out, the usual way.",
            "ブラウザーでの遷移先: app、store、page、web、または https のアドレス。複数は空白で区切ります。空欄なら標準の動作。",
            "浏览器的去向:app、store、page、web 或 https 地址;多个用空格分隔。留空则采用默认方式。")
    }
    func linkDevice(_ device: LinkHappening.Device) -> String {
        switch device {
        case .ios: "iOS"
        case .android: "Android"
        case .desktop: say("Computer", "パソコン", "电脑")
        case .ipadOrMac: ipadOrMac
        }
    }
    var linkHandover: String { say("Handover to the app", "アプリへの引き継ぎ", "交接给应用") }
    func linkWay(_ platform: String) -> String { say("Way on \(platform)", "\(platform) での遷移", "\(platform) 的跳转方式") }
    var linkPreviewTitle: String { say("Preview: title", "プレビューのタイトル", "预览标题") }
    var linkPreviewText: String { say("Preview: text", "プレビューの説明", "预览说明") }
    var linkPreviewImage: String { say("Preview: image", "プレビューの画像", "预览图片") }
    var linkPasteboard: String {
        say("The page offers to copy the link for the app (iOS)", "ページでアプリ用にリンクをコピーできるようにする (iOS)", "页面提供为应用复制链接 (iOS)")
    }
    var linkCode: String { say("The page shows a code to type", "ページに入力用のコードを表示する", "页面显示可输入的代码") }
    var linkMadeTitle: String { say("The links are made", "リンクを作成しました", "链接已创建") }
    var linkMade: String { say("The link is made. It works now.", "リンクを作成しました。すぐに使えます。", "链接已创建,立即可用。") }
    func linkNotMade(_ channels: [String]) -> String {
        let names = channels.joined(separator: ", ")
        return say("Not made, because the place was taken: \(names)", "使用中のため作成できませんでした: \(names)", "因地址已被占用而未创建:\(names)")
    }
    var linkAll: String { say("All links", "すべてのリンク", "所有链接") }
}

/// The page of a link.
extension Words {
    var linkFacts: String { say("The link", "リンクの内容", "链接信息") }
    var linkAddress: String { say("Address", "アドレス", "地址") }
    var linkCopy: String { say("Copy", "コピー", "复制") }
    var linkCopied: String { say("Copied", "コピーしました", "已复制") }
    var linkNever: String { say("Never", "なし", "永不") }
    var linkInFile: String {
        say("The configuration has this link. Change or remove it there.", "このリンクは設定にあります。変更や削除は設定で行います。", "此链接在配置中。请在配置中修改或删除。")
    }
    var linkShared: String { say("For sharing", "共有", "分享") }
    func linkQRCode(_ name: String) -> String { say("QR code of \(name)", "\(name) の QR コード", "\(name) 的二维码") }
    func linkQRDownload(_ format: String) -> String { say("QR code as \(format)", "QR コード (\(format))", "二维码 (\(format))") }
    var linkNoQR: String { say("The address is too long for a QR code.", "アドレスが長すぎて QR コードにできません。", "地址过长,无法生成二维码。") }
    var linkPreview: String { say("What messengers show", "メッセージでのプレビュー", "在聊天应用中的预览") }
    func linkClicks(_ days: Int) -> String {
        say("Clicks of the last \(days) days", "直近 \(days) 日間のクリック", "最近 \(days) 天的点击")
    }
    var linkFewerDays: String {
        say(
            "These are fewer days than usual: there are many clicks to read.", "クリックが多いため、通常より短い期間を表示しています。",
            "点击较多,因此显示的天数少于平常。")
    }
    var linkCountries: String { say("Clicks by country", "国別のクリック", "按国家/地区的点击") }
    var linkRemoveTitle: String { say("Remove the link", "リンクを削除", "删除链接") }
    var linkRemoveText: String {
        say(
            "A person who taps it then sees a page that says that the link is gone. Its clicks stay in the reports.",
            "削除後にタップすると、リンクがないことを知らせるページが表示されます。クリックはレポートに残ります。", "删除后点击会看到链接不存在的页面。点击数据保留在报告中。")
    }

    var linkHappens: String { say("What happens at a tap", "タップすると", "点击后会发生什么") }
    var linkHappensNote: String {
        say(
            "Computed by the rules of the redirect. A phone opens the app by itself only where its system trusts the domain.",
            "リダイレクトと同じ規則で計算しています。端末が自動でアプリを開くのは、システムがドメインを信頼している場合だけです。",
            "按重定向的同一规则计算。只有系统信任该域名时,手机才会直接打开应用。")
    }
    var linkTapped: String { say("Tapped", "タップする場所", "点击位置") }
    var linkWithApp: String { say("App installed", "アプリあり", "已安装应用") }
    var linkWithoutApp: String { say("App not installed", "アプリなし", "未安装应用") }
    var linkOpensApp: String { say("The app opens", "アプリが開く", "打开应用") }
    var linkOpensStore: String { say("The store opens", "ストアが開く", "打开商店") }
    var linkOpensWeb: String { say("A web page opens", "Web ページが開く", "打开网页") }
    var linkOpensPage: String { say("The link's page, with ways on", "リンクのページで選ぶ", "链接页面,可继续选择") }
    var linkOpensNothing: String { say("A page says that it has expired", "期限切れのページ", "显示已过期的页面") }

    func linkPlace(_ device: LinkHappening.Device, isInApp: Bool) -> String {
        switch (device, isInApp) {
        case (.ios, false): say("iPhone, browser", "iPhone のブラウザー", "iPhone 浏览器")
        case (.ios, true): say("iPhone, inside another app", "iPhone のアプリ内ブラウザー", "iPhone 应用内浏览器")
        case (.android, false): say("Android, browser", "Android のブラウザー", "Android 浏览器")
        case (.android, true): say("Android, inside another app", "Android のアプリ内ブラウザー", "Android 应用内浏览器")
        case (.desktop, _): linkDevice(.desktop)
        case (.ipadOrMac, _): say("Safari on an iPad or a Mac", "iPad または Mac の Safari", "iPad 或 Mac 上的 Safari")
        }
    }

    func linkWayOn(_ way: LinkHappening.Way) -> String {
        switch way {
        case .app: say("app", "アプリ", "应用")
        case .store: say("store", "ストア", "商店")
        case .web: say("web", "Web", "网页")
        case .pasteboard: say("copies the link", "リンクをコピー", "复制链接")
        case .code: say("code to type", "入力用コード", "输入代码")
        case .scan: say("QR code", "QR コード", "二维码")
        }
    }
}

/// What is wrong with a link.
extension Words {
    var linkWrongDestination: String {
        say(
            "This destination cannot be used. Write a whole https address, or one of the app's own scheme.",
            "この遷移先は使えません。https の完全なアドレスか、アプリ独自のスキームを指定してください。", "无法使用此目标。请填写完整的 https 地址,或应用自有的 scheme。")
    }
    var linkLeadsToLink: String {
        say(
            "This address is on a domain of links, and a link cannot lead to a link. Write where that one leads.",
            "リンク用のドメインのアドレスです。リンクから別のリンクへは遷移できません。最終的な遷移先を指定してください。",
            "该地址位于链接域名上,链接不能指向另一个链接。请填写它最终指向的地址。")
    }
    var linkWrongHost: String {
        say("This is not a domain of the configuration.", "設定にないドメインです。", "该域名不在配置中。")
    }
    var linkTaken: String {
        say(
            "This place is taken: by another link, by the server, or by a path of the app. Choose another suffix.",
            "ほかのリンク、サーバー、またはアプリのパスで使用中です。別のサフィックスを選んでください。", "该位置已被其他链接、服务器或应用路径占用。请选择其他后缀。")
    }
    var linkWrongSuffix: String {
        say(
            "A suffix is a path of at most 512 bytes, without ? and #.", "サフィックスは 512 バイト以内のパスで、? と # は使えません。",
            "后缀为不超过 512 字节的路径,不含 ? 和 #。")
    }
    var linkLongLabel: String { say("This label is longer than 200 bytes.", "ラベルが 200 バイトを超えています。", "标签超过 200 字节。") }
    var linkWrongDay: String { say("This is not a day after today.", "今日より後の日付ではありません。", "这不是今天之后的日期。") }
    var linkWrongExpiry: String { say("This is not a time in Unix milliseconds.", "Unix ミリ秒の時刻ではありません。", "这不是 Unix 毫秒时间。") }
    var linkWrongWay: String {
        say("Write app, store, page, web, or an https address.", "app、store、page、web、または https のアドレスを指定してください。", "请填写 app、store、page、web 或 https 地址。")
    }
    var linkWrongPreview: String {
        say(
            "The preview has a text that is too long, or an image that is not https.", "プレビューの文が長すぎるか、画像が https ではありません。",
            "预览文字过长,或图片不是 https。")
    }
    var linkWrongChannels: String {
        say("Write at most 50 channels, each once, one a line.", "チャネルは 1 行に 1 つ、重複なしで 50 件まで。", "每行一个渠道,不可重复,最多 50 个。")
    }
    var linkWrong: String { say("This link cannot be made.", "このリンクは作成できません。", "无法创建此链接。") }
}
