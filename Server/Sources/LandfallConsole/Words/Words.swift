// SPDX-License-Identifier: Apache-2.0

/// Every text of the console. The English is here; the catalogues of other languages have its translations.
package struct Words: Hashable, Sendable, Translating {
    package let language: Language
    var clock = PageClock.utc

    package init(_ language: Language) { self.language = language }

    func say(_ english: String, _ japanese: String, _ chinese: String) -> String {
        language == .japanese ? japanese : language == .chinese ? chinese : english
    }
}

/// Around every page.
extension Words {
    var skip: String { say("Skip to content", "本文へ移動", "跳到正文") }
    var menu: String { say("Menu", "メニュー", "菜单") }
    var navigation: String { say("Sections", "セクション", "栏目") }
    var languages: String { say("Language", "言語", "语言") }
    var overview: String { say("Overview", "概要", "概览") }
    var live: String { say("Live", "ライブ", "实时") }
    var links: String { say("Links", "リンク", "链接") }
    var members: String { say("Members", "メンバー", "成员") }
    var auditLog: String { say("Audit log", "監査ログ", "审计日志") }
    var account: String { say("Your account", "アカウント", "我的账户") }
    var signOut: String { say("Sign out", "サインアウト", "退出登录") }
    var save: String { say("Save", "保存", "保存") }
    var cancel: String { say("Cancel", "キャンセル", "取消") }
    var asTable: String { say("As a table", "表で見る", "以表格查看") }
    var none: String { say("None", "なし", "无") }
    var older: String { say("Older entries", "以前の記録", "更早的记录") }
    func completeTo(_ time: String, zone: String) -> String {
        say("Complete to \(time) \(zone)", "\(time) \(zone) までのデータ", "数据截至 \(time) \(zone)")
    }
}

/// Errors.
extension Words {
    var errorSummary: String { say("Please correct this:", "次の項目を直してください:", "请更正以下内容:") }
    var notFoundTitle: String { say("There is no such page", "ページが見つかりません", "没有这个页面") }
    var notFoundText: String {
        say("The address may be mistyped, or the thing was removed.", "アドレスが違うか、削除された可能性があります。", "地址可能有误,或内容已被删除。")
    }
    var forbiddenTitle: String { say("Your role does not allow this", "このロールでは操作できません", "您的角色无权执行此操作") }
    func forbiddenText(_ roles: [Role]) -> String {
        let names = language.list(roles.map { role($0) })
        return say(
            "This needs one of these roles: \(names). Ask an owner of this server.",
            "必要なロール: \(names)。このサーバーのオーナーに依頼してください。",
            "需要以下角色之一:\(names)。请联系此服务器的所有者。")
    }
    var forgedTitle: String { say("The form could not be checked", "フォームを確認できませんでした", "无法验证表单") }
    var forgedText: String {
        say(
            "It did not come from this console, or your session has changed since. Nothing was changed. Go back, reload the page and send it again.",
            "このコンソールから送られていないか、その後セッションが変わりました。何も変更されていません。前のページを再読み込みして、もう一度送信してください。",
            "表单不是来自本控制台,或您的会话已经改变。没有任何改动。请返回并重新加载页面后再提交。")
    }
    var tooLargeTitle: String { say("The form is too large", "フォームが大きすぎます", "表单过大") }
    func tooLargeText(_ kibibytes: Int) -> String {
        say(
            "It may have \(kibibytes) KiB as it is sent. Nothing was changed. Go back and send it in smaller parts.",
            "送信できるのは \(kibibytes) KiB までです。何も変更されていません。前のページに戻り、分けて送信してください。",
            "提交内容最多 \(kibibytes) KiB。没有任何改动。请返回并分几次提交。")
    }
    func tooManyFieldsText(_ most: Int) -> String {
        say(
            "It may have \(most) fields. Nothing was changed. Go back and send it in smaller parts.",
            "送信できる項目は \(most) 個までです。何も変更されていません。前のページに戻り、分けて送信してください。",
            "最多可提交 \(most) 个字段。没有任何改动。请返回并分几次提交。")
    }
    func tooLongDraftText(_ kibibytes: Int) -> String {
        say(
            "The configuration in it may have \(kibibytes) KiB. Nothing was changed. Change the file itself, and run: landfall apply",
            "フォームで送れる設定は \(kibibytes) KiB までです。何も変更されていません。ファイルを直接編集し、landfall apply を実行してください。",
            "表单中的配置最多 \(kibibytes) KiB。没有任何改动。请直接修改文件,然后运行 landfall apply。")
    }
    func tooManyValuesText(_ most: Int) -> String {
        let most = language.count(Int64(most))
        return say(
            "The configuration in it may have \(most) values, with those that aliases repeat. Nothing was changed. Change the file itself, and run: landfall apply",
            "フォームで送れる設定の値は、エイリアスの繰り返しを含めて \(most) 個までです。何も変更されていません。ファイルを直接編集し、landfall apply を実行してください。",
            "表单中的配置最多 \(most) 个值(含别名重复的值)。没有任何改动。请直接修改文件,然后运行 landfall apply。")
    }
    var unreadableTitle: String { say("The form cannot be read", "フォームを読み取れません", "无法读取表单") }
    var unreadableText: String {
        say(
            "A browser does not send such a form. Nothing was changed.",
            "ブラウザーが送る形式ではありません。何も変更されていません。", "它不是浏览器提交的表单。没有任何改动。")
    }
    var refusedTitle: String { say("A value is not possible", "指定できない値です", "值无效") }
    var refusedText: String {
        say(
            "The address or the form has a value that this page does not know. Nothing was changed.",
            "アドレスまたはフォームに、このページで使えない値があります。何も変更されていません。", "地址或表单中有此页面不支持的值。没有任何改动。")
    }
    var failedTitle: String { say("The server failed", "サーバーでエラーが起きました", "服务器出错") }
    func failedText(_ id: String) -> String {
        say(
            "Its log has the request \(id). Try again.", "サーバーのログにリクエスト \(id) があります。もう一度お試しください。",
            "服务器日志中有请求 \(id)。请重试。")
    }
    var busyTitle: String { say("The server is busy", "サーバーが混み合っています", "服务器繁忙") }
    var busyText: String { say("Try again in a moment.", "しばらくしてからもう一度お試しください。", "请稍后重试。") }
    var back: String { say("Back to the overview", "概要へ戻る", "返回概览") }
}

extension Words {
    /// By the name that the audit log stores; an unknown one stays as it is.
    func role(stored text: String) -> String { Role(rawValue: text).map { role($0) } ?? text }

    func role(_ role: Role) -> String {
        switch role {
        case .owner: say("Owner", "オーナー", "所有者")
        case .admin: say("Admin", "管理者", "管理员")
        case .editor: say("Editor", "編集者", "编辑")
        case .viewer: say("Viewer", "閲覧者", "查看者")
        case .support: say("Support", "サポート", "客服")
        }
    }

    func describe(_ role: Role) -> String {
        switch role {
        case .owner: say("Everything, also owners.", "オーナーの管理を含むすべて。", "所有权限,包括管理所有者。")
        case .admin: say("Everything but owners.", "オーナーの管理以外のすべて。", "除管理所有者外的所有权限。")
        case .editor: say("Reports, people, links, configuration.", "レポート、ユーザー、リンク、設定。", "报告、用户、链接、配置。")
        case .viewer: say("Reports and configuration, no people.", "レポートと設定の閲覧。個人の情報は見られません。", "查看报告和配置,不含个人信息。")
        case .support: say("People, no reports.", "ユーザーのみ。レポートは見られません。", "仅用户,不含报告。")
        }
    }
}
