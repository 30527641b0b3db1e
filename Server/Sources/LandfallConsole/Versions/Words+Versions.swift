// SPDX-License-Identifier: Apache-2.0

extension Words {
    var versions: VersionWords { VersionWords(words: self) }
}

/// The texts of the pages about versions and publishing.
struct VersionWords: Translating {
    let words: Words
    var language: Language { words.language }

    private func say(_ english: String, _ japanese: String, _ chinese: String) -> String { words.say(english, japanese, chinese) }
    private func count(_ value: Int64) -> String { words.language.count(value) }

    // MARK: Versions

    var title: String { say("Versions", "バージョン", "版本") }
    var version: String { say("Version", "バージョン", "版本") }
    func version(_ number: Int64) -> String { say("Version \(number)", "バージョン \(number)", "版本 \(number)") }
    var author: String { say("Who", "公開した人", "发布者") }
    var message: String { say("Why", "理由", "原因") }
    var messageHint: String {
        say("One line for the list of versions.", "バージョン一覧に残る 1 行です。", "一行说明,显示在版本列表中。")
    }
    var live: String { say("Live", "公開中", "当前生效") }
    var all: String { say("All versions", "すべてのバージョン", "所有版本") }
    var noVersions: String { say("No version is published yet.", "公開されたバージョンはまだありません。", "尚未发布任何版本。") }
    var ownedByFile: String {
        say(
            "This server publishes its own file only (--config-owner file).",
            "このサーバーは自身のファイルだけを公開します(--config-owner file)。", "此服务器仅发布自己的文件(--config-owner file)。")
    }
    var scheduled: String { say("Scheduled", "予約済み", "已计划") }
    var due: String { say("Due", "公開予定", "计划时间") }
    var state: String { say("State", "状態", "状态") }
    var cancelIt: String { say("Cancel", "取り消す", "取消") }
    func cancel(_ time: String) -> String {
        say("Cancel the version of \(time)", "\(time) のバージョンを取り消す", "取消 \(time) 的版本")
    }
    func name(of state: ScheduledLine.State) -> String {
        switch state {
        case .waiting: say("Waiting", "待機中", "等待中")
        case .failed: say("Failed", "失敗", "失败")
        case .cancelled: say("Cancelled", "取り消し済み", "已取消")
        }
    }

    // MARK: One version

    func compare(with number: Int64) -> String {
        say("Compare with the live version \(number)", "公開中のバージョン \(number) と比較", "与当前版本 \(number) 比较")
    }
    func changes(since number: Int64) -> String {
        say("What changes from version \(number)", "バージョン \(number) からの変更", "相对版本 \(number) 的更改")
    }
    var firstChanges: String { say("What it contains", "内容", "内容") }
    var unknownAgainst: String {
        say(
            "The version to compare with does not exist; this is the one before.",
            "比較するバージョンがないため、1 つ前と比べています。", "要比较的版本不存在,这里与前一个版本比较。")
    }
    var byLine: String { say("Line by line", "行ごとの変更", "逐行对比") }
    var yaml: String { say("The text", "テキスト", "全文") }
    func yamlField(_ number: Int64) -> String {
        say("YAML of version \(number), to copy", "バージョン \(number) の YAML(コピー用)", "版本 \(number) 的 YAML(供复制)")
    }
    var download: String { say("Download the YAML", "YAML をダウンロード", "下载 YAML") }
    var tooLongToShow: String {
        say("It is too long for a page. Download it.", "長すぎて表示できません。ダウンロードしてください。", "内容过长,请下载查看。")
    }
    var rollBack: String { say("Roll back", "ロールバック", "回滚") }
    func rollBack(to number: Int64) -> String {
        say("Roll back to version \(number)", "バージョン \(number) にロールバック", "回滚到版本 \(number)")
    }
    func rollBackNote(_ number: Int64, newest: Int64) -> String {
        say(
            "This publishes the text of version \(number) again, as a new version. It takes back every later change.",
            "バージョン \(number) のテキストを新しいバージョンとして公開します。以後の変更はすべて元に戻ります。",
            "将版本 \(number) 的文本作为新版本再次发布,之后的所有更改都会被撤销。")
    }
    func meanwhile(_ newest: Int64) -> String {
        say(
            "Version \(newest) was published meanwhile. Look at what changes, then send the form again.",
            "その間にバージョン \(newest) が公開されました。変更を確認してから、もう一度送信してください。",
            "期间已发布版本 \(newest)。请查看更改后再次提交。")
    }
    var isLiveAlready: String {
        say("This text is live already. Nothing was published.", "このテキストはすでに公開中です。何も公開していません。", "该文本已生效,未发布任何内容。")
    }
    var cannotBeServed: String {
        say(
            "This version cannot be served any more. Nothing was published.", "このバージョンは現在は配信できません。何も公開していません。",
            "该版本已无法使用,未发布任何内容。")
    }

    // MARK: Comparing

    var unreadable: String {
        say("One of the texts is no YAML, so only lines are compared.", "YAML ではないテキストがあるため、行だけを比べます。", "其中一个文本不是 YAML,仅逐行比较。")
    }
    var noMeaning: String {
        say("Nothing changes in meaning.", "意味の変更はありません。", "含义没有变化。")
    }
    var noLines: String { say("No line differs.", "行の違いはありません。", "没有不同的行。") }
    func furtherChanges(_ number: Int64) -> String {
        say("\(count(number)) more changes", "ほかに \(count(number)) 件の変更", "另有 \(count(number)) 项更改")
    }
    func furtherLines(_ number: Int64) -> String {
        say("\(count(number)) more lines are not shown", "ほかに \(count(number)) 行は省略", "另有 \(count(number)) 行未显示")
    }
    func lineCounts(added: Int64, removed: Int64) -> String {
        say(
            "Lines: +\(count(added)) −\(count(removed))", "行: +\(count(added)) −\(count(removed))", "行:+\(count(added)) −\(count(removed))")
    }
    func line(_ number: Int) -> String { say("Line \(number)", "\(number) 行目", "第 \(number) 行") }
    func place(line: Int, column: Int) -> String {
        say("Line \(line), column \(column)", "\(line) 行目 \(column) 文字目", "第 \(line) 行,第 \(column) 列")
    }
}

extension VersionWords {
    // MARK: Editing

    var edit: String { say("Edit the configuration", "設定を編集", "编辑配置") }
    var text: String { say("Configuration (YAML)", "設定(YAML)", "配置(YAML)") }
    func madeFrom(_ number: Int64) -> String {
        say("From version \(number)", "バージョン \(number) から編集", "基于版本 \(number)")
    }
    var checkHint: String {
        say(
            "Nothing is published before you have seen what changes.", "変更内容を確認するまで公開されません。",
            "在您查看更改之前不会发布。")
    }
    var check: String { say("Check", "確認する", "检查") }
    var checkAgain: String { say("Check again", "もう一度確認", "再次检查") }
    var ownedByFileEdit: String {
        say(
            "This server publishes its own file only (--config-owner file). You can edit and check the text here, then copy it into that file.",
            "このサーバーは自身のファイルだけを公開します(--config-owner file)。ここで編集と確認をして、そのファイルにコピーしてください。",
            "此服务器仅发布自己的文件(--config-owner file)。您可以在此编辑和检查,然后复制到该文件。")
    }
    var unchanged: String {
        say(
            "This is the text of the live version. There is nothing to publish.",
            "公開中のバージョンと同じテキストです。公開するものはありません。", "该文本与当前版本相同,没有可发布的内容。")
    }
    var emptyText: String { say("The text is empty.", "テキストが空です。", "文本为空。") }
    func longText(_ kibibytes: Int) -> String {
        say(
            "The text is longer than \(kibibytes) KiB. Publish it with 'landfall apply'.",
            "テキストが \(kibibytes) KiB を超えています。「landfall apply」で公開してください。",
            "文本超过 \(kibibytes) KiB,请使用“landfall apply”发布。")
    }
    func longMessage(_ bytes: Int) -> String {
        say("Write one line of at most \(bytes) bytes.", "\(bytes) バイト以内の 1 行で書いてください。", "请写一行,不超过 \(bytes) 字节。")
    }
    func unknownBase(_ newest: Int64) -> String {
        say(
            "It is not known which version this text was made from. It is now compared with version \(newest): look closely at what changes.",
            "元のバージョンが不明です。バージョン \(newest) と比較するので、変更をよく確認してください。",
            "无法得知该文本基于哪个版本。现与版本 \(newest) 比较,请仔细查看更改。")
    }

    // MARK: Reviewing

    var review: String { say("Review before publishing", "公開前の確認", "发布前检查") }
    var whatChanges: String { say("What changes", "変更内容", "更改内容") }
    var impact: String { say("Who would see another paywall", "別のペイウォールを見る人", "谁会看到不同的付费墙") }
    var notMeasured: String {
        say(
            "This was not measured: the server is busy. Check again in a moment.",
            "サーバーが混み合っているため測定していません。しばらくしてからもう一度確認してください。", "服务器繁忙,未测量。请稍后再次检查。")
    }
    var nobodySampled: String { say("No install is stored yet.", "インストールはまだありません。", "尚无安装记录。") }
    func sampled(_ number: Int64) -> String {
        say(
            "Estimated from \(count(number)) stored installs; the range holds with 95 % confidence.",
            "保存済みのインストール \(count(number)) 件からの推定。範囲は 95% の信頼区間です。",
            "根据 \(count(number)) 个已存储的安装估算;范围为 95% 置信区间。")
    }
    var placement: String { say("Placement", "プレースメント", "版位") }
    var seeAnother: String { say("See another paywall", "別のペイウォール", "看到不同付费墙") }
    var share: String { say("Share", "割合", "比例") }
    var range: String { say("Range", "範囲", "范围") }
    var warnings: String { say("Warnings", "警告", "警告") }
    var publish: String { say("Publish", "公開する", "发布") }
    func publishAt(_ zone: String) -> String {
        say("Publish later, at (\(zone))", "日時を指定して公開(\(zone))", "定时发布(\(zone))")
    }
    var publishAtHint: String {
        say(
            "Empty publishes now. If clocks show the time twice, the first counts; a time that they skip is an hour later.",
            "空欄ならすぐに公開します。時計が同じ時刻を 2 回示す場合は最初の時刻、飛ばす時刻は 1 時間後になります。",
            "留空则立即发布。若时钟两次显示该时间,以第一次为准;若时钟跳过该时间,则顺延一小时。")
    }
    var wrongTime: String {
        say("Write a time after now, at most 366 days ahead.", "現在より後で、366 日以内の日時を入力してください。", "请填写现在之后、366 天以内的时间。")
    }
    var tooManyScheduled: String {
        say("A hundred versions wait already. Cancel one of them first.", "予約は 100 件までです。先にどれかを取り消してください。", "已有 100 个版本在等待,请先取消其中一个。")
    }
    var anotherIsScheduled: String {
        say(
            "Another version waits for its time. If both change the same part, the waiting one fails then, and takes nothing back.",
            "予約中のバージョンがあります。同じ箇所を変更する場合、予約の公開は失敗し、先の変更は取り消されません。",
            "有版本正在等待发布。若两者更改同一处,等待中的版本届时会失败,不会撤销已发布的更改。")
    }
    var confirmPassword: String { say("Give your password in a new tab", "新しいタブでパスワードを入力", "在新标签页中输入密码") }
    var editFurther: String { say("Edit further", "続けて編集", "继续编辑") }
    var copyYAML: String { say("YAML to copy", "コピー用の YAML", "供复制的 YAML") }
    var copyHint: String {
        say("Copy the text to where it is published.", "テキストを公開元にコピーしてください。", "请将文本复制到发布它的位置。")
    }
    func sentence(of refusal: ReviewPage.Refusal) -> String {
        switch refusal {
        case .ownedByFile: ownedByFile
        case .unchecked:
            say(
                "The text is not the one that was checked. Nothing was published: look at its changes first.",
                "確認したテキストと異なるため、公開していません。変更を確認してください。", "文本与检查过的不同,未发布。请先查看更改。")
        case .unproven:
            say(
                "This changes a protected section, such as the keys, and you gave your password more than 15 minutes ago. Nothing was published. Give it again (/console/confirm), then publish.",
                "キーなど保護された部分の変更には、パスワードの再入力が必要です(15 分以内)。公開していません。/console/confirm で入力してから公開してください。",
                "更改密钥等受保护的部分,需要在 15 分钟内输入过密码。未发布。请在 /console/confirm 重新输入密码后再发布。")
        case .protected(let sections):
            say(
                "Your role may not change \(language.list(sections)). An owner or admin can publish this text.",
                "このロールでは \(language.list(sections)) を変更できません。オーナーか管理者が公開できます。",
                "您的角色不能更改 \(language.list(sections))。所有者或管理员可以发布此文本。")
        }
    }

    // MARK: Two editors

    var conflict: String { say("Somebody has published meanwhile", "その間に別のバージョンが公開されました", "期间有人发布了新版本") }
    func conflictText(base: Int64, newest: Int64) -> String {
        say(
            "Your text was made from version \(base), and version \(newest) is live now. Nothing was published, and your text is kept below.",
            "バージョン \(base) から編集しましたが、現在はバージョン \(newest) が公開中です。公開はしていません。テキストは下に残っています。",
            "您的文本基于版本 \(base),而当前生效的是版本 \(newest)。未发布任何内容,您的文本保留在下方。")
    }
    var theirs: String { say("What was published", "公開された変更", "已发布的更改") }
    var own: String { say("What you changed", "あなたの変更", "您的更改") }
    var together: String { say("Both together", "両方をまとめたテキスト", "合并文本") }
    var merged: String {
        say(
            "The changes are in different places. This text has both; check it.",
            "変更箇所は重なっていません。両方を含むテキストを確認してください。", "更改位置不重叠。此文本包含双方的更改,请检查。")
    }
    func marked(_ number: Int64) -> String {
        say(
            "Both changed the same lines in \(count(number)) place(s), between <<<<<<< and >>>>>>>. Decide there, remove the marks and check the text.",
            "\(count(number)) か所で同じ行が変更されています(<<<<<<< から >>>>>>> まで)。どちらかを選び、印を消して確認してください。",
            "有 \(count(number)) 处双方更改了相同的行(在 <<<<<<< 与 >>>>>>> 之间)。请取舍、删除标记后检查。")
    }
    var ownText: String { say("Your text as it was", "編集したままのテキスト", "您原来的文本") }
}
