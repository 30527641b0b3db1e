// SPDX-License-Identifier: Apache-2.0

/// How the server is doing.
extension Words {
    var health: String { say("Health", "稼働状況", "运行状况") }
    var healthNote: String {
        say("What this node knows about itself", "このノード自身が把握している状態", "此节点所了解的自身状态")
    }
    var healthGood: String { say("Every check is in order.", "すべての項目が正常です。", "所有检查均正常。") }
    func healthBad(_ count: Int, of all: Int) -> String {
        say("\(count) of \(all) checks are not in order.", "\(all) 項目のうち \(count) 項目に問題があります。", "\(all) 项检查中有 \(count) 项异常。")
    }
    var healthChecks: String { say("Checks", "確認項目", "检查项") }
    var inOrder: String { say("In order", "正常", "正常") }
    var notInOrder: String { say("Problem", "問題あり", "异常") }
    var outsideChecks: String {
        say(
            "This command also looks from outside: DNS, certificates, association files, proxies.",
            "このコマンドは、DNS、証明書、関連付けファイル、プロキシーも外から確認します。", "此命令还会从外部检查 DNS、证书、关联文件和代理。")
    }
    var releaseOfServer: String { say("Release", "リリース", "发行版") }
    var runningFor: String { say("Running for", "稼働時間", "已运行") }
    var servedVersion: String { say("Configuration version", "設定のバージョン", "配置版本") }
    var openConnections: String { say("Connections", "接続", "连接") }
    var heldAnswers: String { say("Held answers", "保留中の応答", "等待中的应答") }
    var liveWatchers: String { say("Pages that watch live", "ライブを表示中のページ", "正在查看实时的页面") }

    /// The two largest units of a time: 3 days 4 hours.
    func span(_ milliseconds: Int64) -> String {
        let minutes = max(milliseconds, 0) / 60_000, days = minutes / 1_440, hours = minutes / 60 % 24
        if days > 0 { return joined(day(days), hours > 0 ? hour(hours) : nil) }
        if hours > 0 { return joined(hour(hours), minutes % 60 > 0 ? minute(minutes % 60) : nil) }
        return minutes > 0 ? minute(minutes) : say("less than a minute", "1 分未満", "不到 1 分钟")
    }

    private func joined(_ first: String, _ second: String?) -> String { second.map { first + " " + $0 } ?? first }
    private func day(_ count: Int64) -> String { say(count == 1 ? "1 day" : "\(count) days", "\(count) 日", "\(count) 天") }
    private func hour(_ count: Int64) -> String { say(count == 1 ? "1 hour" : "\(count) hours", "\(count) 時間", "\(count) 小时") }
    private func minute(_ count: Int64) -> String { say(count == 1 ? "1 minute" : "\(count) minutes", "\(count) 分", "\(count) 分钟") }
}

/// The names of the checks, what they found, and what to do.
extension Words {
    func name(of finding: HealthCheck.Finding) -> String {
        switch finding {
        case .store: say("Store", "ストア", "存储")
        case .writes: say("Writes", "書き込み", "写入")
        case .disk: say("Disk", "ディスク", "磁盘")
        case .configuration: say("Configuration", "設定", "配置")
        case .configurationFile: say("Configuration file", "設定ファイル", "配置文件")
        case .reports: say("Reports", "レポート", "报告")
        case .jobs: say("Background work", "バックグラウンド処理", "后台任务")
        case .backup: say("Backup", "バックアップ", "备份")
        case .held: heldAnswers
        case .connections: openConnections
        case .keys: say("Keys", "キー", "密钥")
        }
    }

    func sentence(_ finding: HealthCheck.Finding) -> String {
        switch finding {
        case .store(nil): say("Nothing damaged was met.", "破損は見つかっていません。", "未发现损坏。")
        case .store(let text?): say("The store is damaged: \(text).", "ストアが破損しています: \(text)。", "存储已损坏:\(text)。")
        case .writes(let text?, _): say("The last write failed: \(text)", "直前の書き込みが失敗しました: \(text)", "最近一次写入失败:\(text)")
        case .writes(nil, let waiting):
            say("Writes succeed; \(waiting) wait.", "書き込みは成功しています。待機中: \(waiting)。", "写入正常,等待中:\(waiting)。")
        case .disk(let free): say("\(part(free)) of the disk is free.", "ディスクの空き: \(part(free))。", "磁盘剩余 \(part(free))。")
        case .configuration(let served, let newest) where newest > served:
            say(
                "Version \(served) is served; version \(newest) cannot be served here.",
                "バージョン \(served) を配信中です。バージョン \(newest) はここでは配信できません。", "正在使用版本 \(served);版本 \(newest) 无法在此使用。")
        case .configuration(let served, _):
            say("Version \(served) is served, and is the newest.", "最新のバージョン \(served) を配信中です。", "正在使用最新版本 \(served)。")
        case .configurationFile(let problem, let served):
            say(
                "The server's file was refused; version \(served) of the store is served. \(problem)",
                "サーバーの設定ファイルを読み込めなかったため、ストアのバージョン \(served) を配信中です。\(problem)",
                "服务器的配置文件被拒绝,正在使用存储中的版本 \(served)。\(problem)")
        case .reports(nil): say("The first days are not counted yet.", "最初の日の集計がまだ終わっていません。", "最初几天的数据尚未统计完。")
        case .reports(let behind?):
            behind < 60_000
                ? say("The counted days are complete.", "集計は最新です。", "统计数据是最新的。")
                : say("The counted days are \(span(behind)) behind.", "集計が \(span(behind)) 遅れています。", "统计数据落后 \(span(behind))。")
        case .jobs(let late):
            late < 60_000
                ? say("No work is late.", "遅れている処理はありません。", "没有延迟的任务。")
                : say("Some work is \(span(late)) late.", "\(span(late)) 遅れている処理があります。", "有任务延迟了 \(span(late))。")
        case .backup(nil): say("This store knows of no backup.", "このストアのバックアップの記録はありません。", "此存储没有备份记录。")
        case .backup(let age?): say("The last backup is \(span(age)) old.", "最後のバックアップは \(span(age)) 前です。", "上次备份在 \(span(age))前。")
        case .held(let count, let most):
            say("\(count) of at most \(most).", "最大 \(most) のうち \(count)。", "最多 \(most),当前 \(count)。")
        case .connections(let count, let most):
            say("\(count) of at most \(most).", "最大 \(most) のうち \(count)。", "最多 \(most),当前 \(count)。")
        case .keys(false, _): say("Every SDK key has ended: no app can call.", "すべての SDK キーが期限切れです。アプリは接続できません。", "所有 SDK 密钥均已过期,应用无法调用。")
        case .keys(true, let ending) where ending.isEmpty:
            say("No key ends within 30 days.", "30 日以内に期限が切れるキーはありません。", "30 天内没有密钥到期。")
        case .keys(true, let ending):
            say("Keys that end soon: \(list(ending)).", "まもなく期限が切れるキー: \(list(ending))。", "即将到期的密钥:\(list(ending))。")
        }
    }

    /// What to do about it; for every check, whether or not it is needed.
    func fix(_ finding: HealthCheck.Finding) -> String {
        switch finding {
        case .store: say("Stop the server and restore a backup.", "サーバーを止め、バックアップから復元してください。", "请停止服务器并从备份恢复。")
        case .writes: say("Look at the disk and at the server's log.", "ディスクとサーバーのログを確認してください。", "请查看磁盘和服务器日志。")
        case .disk:
            say(
                "Free some space: below 5 % writes are refused.", "空き容量を増やしてください。5% を下回ると書き込みを拒否します。",
                "请释放空间:低于 5% 时将拒绝写入。")
        case .configuration:
            say(
                "Correct the configuration, or update this node to the release that published it.",
                "設定を直すか、公開したリリースにこのノードを更新してください。", "请更正配置,或将此节点升级到发布该配置的版本。")
        case .configurationFile:
            say(
                "Correct the file, then give the command 'landfall reload'.", "ファイルを直し、'landfall reload' を実行してください。",
                "请更正该文件,然后运行 'landfall reload'。")
        case .reports, .jobs:
            say("Look at the server's log, and whether the disk is busy.", "サーバーのログと、ディスクの負荷を確認してください。", "请查看服务器日志以及磁盘是否繁忙。")
        case .backup: say("Make a backup, and repeat it every day.", "バックアップを作成し、毎日繰り返してください。", "请进行备份,并每天重复。")
        case .held, .connections:
            say("Raise the limit, or add a machine in front.", "上限を上げるか、前段に台数を増やしてください。", "请提高上限,或在前端增加机器。")
        case .keys:
            say(
                "Add the next key below 'keys', and ship apps and backends with it.", "'keys' に次のキーを追加し、アプリとバックエンドに組み込んでください。",
                "请在 'keys' 下添加新密钥,并随应用和后端发布。")
        }
    }

    private func part(_ share: Double) -> String { language.share(share) }

    private func list(_ ending: [HealthCheck.EndingKey]) -> String {
        ending.map { "\($0.name) (\(Language.calendar($0.endsAtMs).date) UTC)" }.joined(separator: ", ")
    }
}
