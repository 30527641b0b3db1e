// SPDX-License-Identifier: Apache-2.0

/// The page that asks for e-mail address and password.
struct SignInPage {
    let words: Words
    /// Where to go afterwards.
    let next: String?
    var email = ""
    var problems: [FieldProblem] = []
    /// False on plain http that leaves the machine: then nobody can sign in.
    var isSafe = true

    var html: HTML {
        Card(words: words, address: Place("/console/sign-in", query: [("next", next)]).text, heading: words.signIn).html {
            problems.summary(words)
            if isSafe {
                form(Attribute("method", "post"), .action(Place("/console/sign-in"))) {
                    if let next { input(.type("hidden"), .name("next"), .value(next)) }
                    Field(name: "email", title: words.email, type: "email", value: email, complete: "username", problems: problems).html
                    Field(name: "password", title: words.password, type: "password", complete: "current-password", problems: problems).html
                    button(.class("primary")) { words.signIn }
                }
                p(.class("hint")) { words.lostPassword; " "; code { "landfall console invite" } }
            } else {
                p { words.needsHTTPS }
            }
        }
    }
}

/// The page that makes a member from a link: the first owner, or somebody who was invited.
struct JoinPage {
    enum Reason: Sendable { case setUp, invitation }

    let words: Words
    let reason: Reason
    let token: String
    /// Nil: the person chooses it.
    let invitedEmail: String?
    var name = ""
    var email = ""
    var problems: [FieldProblem] = []

    private var isSetUp: Bool { reason == .setUp }

    var html: HTML {
        let place = isSetUp ? Place("/console/setup", query: [("token", token)]) : Place("/console/join", query: [("token", token)])
        return Card(words: words, address: place.text, heading: isSetUp ? words.setUp : words.join).html {
            p { isSetUp ? words.setUpText : words.joinText }
            problems.summary(words)
            form(Attribute("method", "post"), .action(isSetUp ? Place("/console/setup") : Place("/console/join"))) {
                input(.type("hidden"), .name("token"), .value(token))
                Field(name: "name", title: words.yourName, value: name, complete: "name", problems: problems).html
                if let invitedEmail {
                    input(.type("hidden"), .name("email"), .value(invitedEmail), Attribute("autocomplete", "username"))
                    p(.class("hint")) { words.email + ": "; strong { invitedEmail } }
                } else {
                    Field(name: "email", title: words.email, type: "email", value: email, complete: "username", problems: problems).html
                }
                Field(
                    name: "password", title: words.password, type: "password", hint: words.passwordRule, complete: "new-password",
                    problems: problems
                ).html
                button(.class("primary")) { isSetUp ? words.createOwner : words.join }
            }
        }
    }
}

/// A link that has ended, or that was used before.
struct EndedLinkPage {
    let words: Words
    init(words: Words) { self.words = words }

    var html: HTML {
        Card(words: words, address: "/console/sign-in", heading: words.endedLink).html {
            p { words.endedLinkText }
            pre(Attribute("tabindex", "0")) { code { "landfall console invite --email you@example.com --role owner" } }
            p { a(.class("button"), .href(Place("/console/sign-in"))) { words.signIn } }
        }
    }
}

extension Words {
    var signIn: String { say("Sign in", "サインイン", "登录") }
    var email: String { say("E-mail", "メールアドレス", "电子邮箱") }
    var password: String { say("Password", "パスワード", "密码") }
    var yourName: String { say("Your name", "名前", "您的姓名") }
    var lostPassword: String {
        say("Lost your password? An operator can run", "パスワードを忘れた場合は、運用担当者が次を実行できます:", "忘记密码?运维人员可以运行")
    }
    var passwordRule: String {
        say(
            "15 characters or more; a sentence is fine. Spaces and pasting are welcome.", "15 文字以上。文章でも構いません。空白や貼り付けも使えます。",
            "至少 15 个字符,可以是一句话。允许空格和粘贴。")
    }
    var needsHTTPS: String {
        say(
            "The console signs in over https only, or on the server's own machine. Open it at its https address.",
            "コンソールには https か、サーバー自身のマシンからのみサインインできます。https のアドレスで開いてください。",
            "控制台仅允许通过 https 或在服务器本机上登录。请使用 https 地址打开。")
    }
    var setUp: String { say("Set up the console", "コンソールの設定", "设置控制台") }
    var setUpText: String {
        say(
            "You are the first here: this makes you the owner of this server.", "最初の利用者として、このサーバーのオーナーになります。",
            "您是第一位用户:将成为此服务器的所有者。")
    }
    var createOwner: String { say("Create the owner", "オーナーを作成", "创建所有者") }
    var join: String { say("Join", "参加する", "加入") }
    var joinText: String {
        say("You are invited to this console. Choose a password.", "このコンソールに招待されています。パスワードを決めてください。", "您被邀请加入此控制台。请设置密码。")
    }
    var endedLink: String { say("This link has ended", "このリンクは終了しました", "此链接已失效") }
    var endedLinkText: String {
        say(
            "It was used, replaced, or is too old. An operator of the server can make a new one:",
            "使用済み、置き換え済み、または期限切れです。サーバーの運用担当者が新しいリンクを作れます:", "链接已被使用、被替换或已过期。运行服务器的人可以生成新链接:")
    }
    var wrongPassword: String {
        say(
            "This e-mail address and password do not match. After ten failures, sign-in pauses for 15 minutes.",
            "メールアドレスとパスワードが一致しません。10 回失敗すると 15 分間サインインできません。", "邮箱与密码不匹配。失败十次后将暂停登录 15 分钟。")
    }
    var missingName: String { say("Enter your name, at most 100 characters.", "名前を 100 文字以内で入力してください。", "请输入姓名,最多 100 个字符。") }
    var wrongEmail: String { say("Enter an e-mail address.", "メールアドレスを入力してください。", "请输入电子邮箱。") }
    var takenEmail: String { say("A member has this address.", "このアドレスのメンバーがすでにいます。", "已有成员使用此邮箱。") }
    var shortPassword: String { say("Use 15 characters or more.", "15 文字以上にしてください。", "请使用至少 15 个字符。") }
    var longPassword: String { say("Use at most 1,000 bytes.", "1,000 バイト以内にしてください。", "请不要超过 1,000 字节。") }
    var commonPassword: String {
        say(
            "This is too easy to guess. Choose another one.", "推測されやすいパスワードです。別のものにしてください。", "此密码太容易被猜到,请换一个。")
    }
}
