// SPDX-License-Identifier: Apache-2.0

/// Members, sessions and the audit log.
extension Words {
    var memberColumn: String { say("Member", "メンバー", "成员") }
    var roleColumn: String { say("Role", "ロール", "角色") }
    var lastSeen: String { say("Last seen", "最終利用", "最近活动") }
    var actions: String { say("Actions", "操作", "操作") }
    var never: String { say("Never", "なし", "从未") }
    var you: String { say("You", "自分", "您") }
    var change: String { say("Change", "変更", "更改") }
    var sessionsColumn: String { say("Sessions", "セッション", "会话") }
    var endAllSessions: String { say("End all sessions", "すべてのセッションを終了", "结束所有会话") }
    var openInvitations: String { say("Open invitations", "未使用の招待", "待接受的邀请") }
    var invitedBy: String { say("Invited by", "招待した人", "邀请人") }
    var until: String { say("Until", "期限", "有效期至") }
    var serverOperator: String { say("Operator of the server", "サーバーの運用担当者", "服务器运维人员") }
    var cancelInvitation: String { say("Cancel", "取り消す", "取消") }
    func cancelInvitation(of email: String) -> String {
        say("Cancel the invitation of \(email)", "\(email) の招待を取り消す", "取消对 \(email) 的邀请")
    }
    func fullTeam(_ most: Int) -> String {
        say(
            "There are \(most) members already, which is the limit. Remove a member first.",
            "メンバーはすでに上限の \(most) 人です。先に 1 人を削除してください。", "成员已达上限 \(most) 人,请先移除一位成员。")
    }
    func remove(_ name: String) -> String { say("Remove \(name)", "\(name) を削除", "移除 \(name)") }
    var invite: String { say("Invite somebody", "メンバーを招待", "邀请成员") }
    var makeInvitation: String { say("Make an invitation link", "招待リンクを作成", "生成邀请链接") }
    func invited(_ email: String) -> String {
        say(
            "Send this link to \(email). It works once, within 24 hours, and is not shown again.",
            "このリンクを \(email) に送ってください。24 時間以内に 1 回だけ使えます。再表示はされません。",
            "请将此链接发送给 \(email)。链接 24 小时内有效,仅可使用一次,不会再次显示。")
    }
    var auditNote: String { say("Every change and sign-in; times in \(clock.zone)", "すべての変更とサインイン。時刻は \(clock.zone)", "所有更改与登录;时间为 \(clock.zone)") }
    var time: String { say("Time", "時刻", "时间") }
    var action: String { say("Action", "操作", "操作") }
    var subject: String { say("What", "対象", "对象") }
    var network: String { say("Network", "ネットワーク", "网络") }
    var everyAction: String { say("Every action", "すべての操作", "所有操作") }
    var showEntries: String { say("Show these", "絞り込む", "筛选") }
    var noAuditEntries: String { say("No entry is like this.", "該当する記録はありません。", "没有符合条件的记录。") }
    var noAuditEntriesYet: String {
        say(
            "The newest entries are not like this. Look at older ones.", "最近の記録に該当するものはありません。以前の記録をご覧ください。",
            "最近的记录中没有符合条件的内容,请查看更早的记录。")
    }
    func serverKeyNamed(_ name: String) -> String { say("Key \(name)", "キー \(name)", "密钥 \(name)") }
    func installsForgotten(_ count: String) -> String { say("Installs: \(count)", "インストール: \(count)", "安装:\(count)") }
    var sessions: String { say("Where you are signed in", "サインイン中の場所", "已登录的位置") }
    var browser: String { say("Browser", "ブラウザー", "浏览器") }
    var since: String { say("Since", "開始", "开始于") }
    var thisSession: String { say("This session", "このセッション", "当前会话") }
    var endSession: String { say("End", "終了", "结束") }
    var changePassword: String { say("Change the password", "パスワードを変更", "更改密码") }
    var currentPassword: String { say("Current password", "現在のパスワード", "当前密码") }
    var newPassword: String { say("New password", "新しいパスワード", "新密码") }
    var endsOtherSessions: String {
        say("This ends all your other sessions.", "ほかのセッションはすべて終了します。", "这将结束您的所有其他会话。")
    }
    var passwordSaved: String { say("The password is changed.", "パスワードを変更しました。", "密码已更改。") }
    var wrongCurrentPassword: String { say("This is not your password.", "パスワードが違います。", "密码不正确。") }
    var confirmTitle: String { say("Confirm that it is you", "本人確認", "确认身份") }
    var confirmText: String {
        say(
            "This is dangerous or cannot be undone, so it asks for your password again after 15 minutes.",
            "危険な操作、または取り消せない操作です。15 分以上たつとパスワードをもう一度確認します。", "此操作有风险或无法撤销,超过 15 分钟需再次输入密码。")
    }
    var confirm: String { say("Confirm", "確認", "确认") }

    /// The stored names of actions are the server's; an unknown one, of a newer release, stays as it is.
    func name(ofAction action: String) -> String {
        switch action {
        case "signed_in": say("Signed in", "サインイン", "登录")
        case "sign_in_failed": say("Sign-in failed", "サインイン失敗", "登录失败")
        case "signed_out": say("Signed out", "サインアウト", "退出登录")
        case "confirmed": say("Confirmed their password", "パスワードを確認", "确认密码")
        case "confirm_failed": say("Gave a wrong password", "パスワードの確認に失敗", "密码确认失败")
        case "owner_created": say("Created the owner", "オーナーを作成", "创建所有者")
        case "joined": say("Joined", "参加", "加入")
        case "invited": say("Invited", "招待", "邀请")
        case "role_changed": say("Changed a role", "ロールを変更", "更改角色")
        case "member_removed": say("Removed a member", "メンバーを削除", "移除成员")
        case "password_changed": say("Changed the password", "パスワードを変更", "更改密码")
        case "session_ended": say("Ended a session", "セッションを終了", "结束会话")
        case "sessions_ended": say("Ended all sessions of a member", "メンバーのすべてのセッションを終了", "结束成员的所有会话")
        case "invitation_cancelled": say("Cancelled an invitation", "招待を取り消し", "取消邀请")
        case "link_made": say("Made a link", "リンクを作成", "创建链接")
        case "version_published": say("Published a version", "バージョンを公開", "发布版本")
        case "version_rolled_back": say("Rolled back to a version", "バージョンをロールバック", "回滚版本")
        case "version_scheduled": say("Scheduled a version", "バージョンの公開を予約", "计划了版本的发布")
        case "version_went_live": say("Published a scheduled version", "予約済みのバージョンを公開", "发布已计划的版本")
        case "version_failed": say("Could not publish a scheduled version", "予約済みのバージョンを公開できませんでした", "未能发布已计划的版本")
        case "version_cancelled": say("Cancelled a scheduled version", "予約済みのバージョンを取り消し", "取消已计划的版本")
        case "link_removed": say("Removed a link", "リンクを削除", "删除链接")
        case "link_archived": say("Archived a link", "リンクをアーカイブ", "归档链接")
        case "link_taken_up": say("Took up a link again", "リンクを再開", "恢复链接")
        case "link_relabelled": say("Changed a link's labels", "リンクのラベルを変更", "更改链接标签")
        case "link_changed": say("Changed a link", "リンクを変更", "更改链接")
        case "checklist_hidden": say("Hid the first steps", "「はじめに」を非表示", "隐藏了“开始使用”")
        case "checklist_shown": say("Showed the first steps again", "「はじめに」を再表示", "重新显示了“开始使用”")
        case "person_forgotten": say("Forgot a person", "ユーザーを消去", "清除用户数据")
        default: action
        }
    }
}
