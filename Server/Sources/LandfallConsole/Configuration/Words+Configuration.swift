// SPDX-License-Identifier: Apache-2.0

/// Placements, audiences and paywalls.
extension Words {
    var placements: String { say("Placements", "プレースメント", "版位") }
    var placement: String { say("Placement", "プレースメント", "版位") }
    var audiences: String { say("Audiences", "オーディエンス", "目标受众") }
    var audience: String { say("Audience", "オーディエンス", "目标受众") }
    var paywalls: String { say("Paywalls", "ペイウォール", "付费墙") }
    var paywall: String { say("Paywall", "ペイウォール", "付费墙") }
    func version(_ number: Int64) -> String { say("Version \(number)", "バージョン \(number)", "版本 \(number)") }

    func name(of kind: ConfigurationUse.Kind) -> String {
        switch kind {
        case .placement: placement
        case .audience: audience
        case .experiment: say("Experiment", "A/B テスト", "A/B 测试")
        case .testDevice: say("Test device", "テスト端末", "测试设备")
        }
    }

    var everyone: String { say("Everyone", "全員", "所有人") }
    var usedBy: String { say("Used by", "使用箇所", "使用处") }
    var used: String { say("Uses", "使用数", "使用次数") }
    var inTheFile: String { say("In the file", "ファイルでの記述", "在文件中") }
    var yamlUnclear: String {
        say(
            "The file writes this in a form that cannot be shown apart. Look at the whole version.",
            "この部分だけを表示できない書き方です。バージョン全体をご覧ください。", "文件中的写法无法单独显示。请查看整个版本。")
    }
    func andMore(_ count: Int) -> String { say("and \(count) more", "ほか \(count) 件", "另有 \(count) 项") }
    var nameContains: String { say("Name contains", "名前に含まれる文字", "名称包含") }
    var search: String { say("Search", "検索", "搜索") }
    var nothingFound: String { say("Nothing has such a name.", "該当する名前がありません。", "没有匹配的名称。") }
    var pages: String { say("Pages", "ページ", "页面") }
    var previousPage: String { say("Previous", "前へ", "上一页") }
    var nextPage: String { say("Next", "次へ", "下一页") }
    func page(_ page: Int, of pages: Int) -> String { say("Page \(page) of \(pages)", "\(page) / \(pages) ページ", "第 \(page) 页,共 \(pages) 页") }

    var noPlacements: String {
        say("No placements yet.", "プレースメントはまだありません。", "还没有版位。")
    }
    func writeFirst(in section: String) -> String {
        say(
            " Write one below '\(section)' in landfall.yaml, then run: landfall apply",
            "landfall.yaml の \(section) に書き、landfall apply を実行します。", "请在 landfall.yaml 的 \(section) 中添加,然后运行 landfall apply。")
    }
    var makeFirst: String { say(" Make the first one.", "最初の 1 件を作成してください。", "请创建第一个。") }
    var whoSeesWhat: String { say("Who sees what", "誰に何を表示するか", "谁看到什么") }
    var orderNote: String {
        say(
            "From top to bottom: the first audience that matches wins. Everyone is always last.",
            "上から順に評価し、最初に一致したオーディエンスを使います。「全員」は常に最後です。", "自上而下:第一个匹配的目标受众生效。“所有人”始终在最后。")
    }
    var position: String { say("Position", "順番", "顺序") }
    var sees: String { say("Sees", "表示", "看到") }
    var noUsesOfPlacement: String {
        say(
            "No test device has a paywall of its own here. The app asks for the placement by this name.",
            "ここで専用のペイウォールを持つテスト端末はありません。アプリはこの名前で取得します。", "没有测试设备在此指定付费墙。应用通过此名称请求该版位。")
    }
}

/// Audiences.
extension Words {
    var noAudiences: String {
        say(
            "No audiences yet: everyone sees the same.", "オーディエンスはまだありません。全員に同じものが表示されます。", "还没有目标受众:所有人看到的相同。")
    }
    var conditions: String { say("Conditions", "条件", "条件") }
    var conditionsNote: String {
        say("An install matches if all of these hold.", "次のすべてを満たすインストールが一致します。", "满足以下全部条件的安装即匹配。")
    }
    var matches: String { say("Matches", "一致", "匹配") }
    var matching: String { say("Match", "一致", "匹配") }
    var matchUnknown: String { say("Not known yet", "未確定", "尚未确定") }
    var notMatching: String { say("Do not match", "不一致", "不匹配") }
    func fewerThan(_ count: Int) -> String { say("fewer than \(count)", "\(count) 未満", "少于 \(count)") }
    func about(_ count: String) -> String { say("about \(count)", "約 \(count)", "约 \(count)") }
    func ofInstalls(_ share: String) -> String { say("\(share) of installs", "インストールの \(share)", "占安装的 \(share)") }
    func ofAllInstalls(_ count: String) -> String {
        say("All stored installs were looked at: \(count).", "保存済みの全インストール (\(count)) を調べました。", "已检查所有存储的安装:\(count)。")
    }
    func ofSample(_ count: String) -> String {
        say(
            "From a random sample of \(count) installs; the range has 95 % confidence.", "無作為に選んだ \(count) インストールによる値です。範囲の信頼度は 95% です。",
            "来自 \(count) 个安装的随机样本;区间的置信度为 95%。")
    }
    func countedAt(_ time: String) -> String {
        say(" Counted at \(time) \(clock.zone).", " 集計時刻 \(time) \(clock.zone)。", " 统计于 \(time) \(clock.zone)。")
    }
    var matchesNote: String {
        say(
            "Matches: the share of installs that each audience matches by itself, whatever stands above it.",
            "一致: 上の行に関係なく、各オーディエンスだけで見た場合のインストールの割合です。", "匹配:各目标受众单独匹配的安装占比,不考虑其上方的条目。")
    }
    var countMatches: String { say("Count matches", "一致数を数える", "统计匹配数") }
    var notCounted: String {
        say("Nobody counted lately. A count looks at up to 10,000 installs.", "最近の集計はありません。最大 10,000 インストールを調べます。", "近期没有统计。统计最多检查 10,000 个安装。")
    }
    var countBusy: String {
        say("A count is under way. Try again in a moment.", "集計中です。しばらくしてからもう一度お試しください。", "正在统计。请稍后重试。")
    }
    var notServed: String {
        say("This server does not serve this version, so it cannot count.", "このサーバーはこのバージョンを配信していないため、数えられません。", "此服务器未提供该版本,因此无法统计。")
    }
    var noInstalls: String { say("There are no installs yet.", "インストールはまだありません。", "还没有安装。") }
    var noUsesOfAudience: String {
        say("No placement asks for it.", "どのプレースメントからも使われていません。", "没有版位使用它。")
    }
}

/// Paywalls.
extension Words {
    var noPaywalls: String {
        say("No paywalls yet.", "ペイウォールはまだありません。", "还没有付费墙。")
    }
    var products: String { say("Products", "プロダクト", "产品") }
    var noProducts: String { say("It has no products.", "プロダクトはありません。", "没有产品。") }
    var locales: String { say("Locales", "ロケール", "语言区域") }
    var remoteConfig: String { say("Remote config", "リモートコンフィグ", "远程配置") }
    var noRemoteConfig: String { say("It has no remote config.", "リモートコンフィグはありません。", "没有远程配置。") }
    var path: String { say("Path", "パス", "路径") }
    var value: String { say("Value", "値", "值") }
    var missing: String { say("missing", "なし", "缺失") }
    var isDefault: String { say(" (default)", "(デフォルト)", "(默认)") }
    func lacks(_ count: Int) -> String { say(" – \(count) missing", " – \(count) 件なし", " – 缺 \(count) 项") }
    func missingValues(_ count: Int, of locale: String) -> String {
        say(
            "Values of \(locale) that this locale lacks: \(count). Phones do not get them in this locale.",
            "\(locale) にあってこのロケールにない値: \(count) 件。このロケールの端末には届きません。", "\(locale) 中有而此语言区域缺少的值:\(count) 项。此语言区域的手机不会收到它们。")
    }
    var asJSON: String { say("As JSON", "JSON で見る", "以 JSON 查看") }
    var preview: String { say("Preview of the texts", "文言のプレビュー", "文案预览") }
    var previewNote: String {
        say(
            "A neutral preview, not the app's own screen: the app decides what it shows. No picture is loaded.",
            "汎用のプレビューです。アプリの画面ではなく、実際の表示はアプリが決めます。画像は読み込みません。",
            "中性预览,并非应用的实际界面:由应用决定展示内容。不会加载图片。")
    }
    var appearance: String { say("Appearance", "外観", "外观") }
    var likeThisPage: String { say("Like this page", "このページと同じ", "与本页相同") }
    var light: String { say("Light", "ライト", "浅色") }
    var dark: String { say("Dark", "ダーク", "深色") }
    var width: String { say("Width", "幅", "宽度") }
    var smallPhone: String { say("Small phone", "スマートフォン(小)", "小屏手机") }
    var largePhone: String { say("Large phone", "スマートフォン(大)", "大屏手机") }
    var tablet: String { say("Tablet", "タブレット", "平板") }
    var noUsesOfPaywall: String {
        say("No placement and no experiment shows it.", "どのプレースメントや A/B テストからも使われていません。", "没有版位或 A/B 测试使用它。")
    }
}
