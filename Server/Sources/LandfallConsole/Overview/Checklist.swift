// SPDX-License-Identifier: Apache-2.0

/// What a new server needs, in order. Each step is done when the server has seen it, so nobody ticks it.
struct Checklist: Hashable, Sendable {
    enum Step: String, CaseIterable, Sendable { case keyUsed, firstOpen, linkTapped, attributed, paywallShown }

    let done: Set<Step>
    /// The team has hidden it.
    let isHidden: Bool

    init(done: Set<Step>, isHidden: Bool = false) {
        self.done = done
        self.isHidden = isHidden
    }

    var isComplete: Bool { done.count == Step.allCases.count }

    func html(_ frame: Frame) -> HTML {
        let words = frame.words
        if isHidden { return frame.can(.publishing) ? choice(frame, "shown", words.showChecklist) : .empty }
        return section(.class("block checklist"), Attribute("data-checklist", "")) {
            header(.class("head")) {
                h2 { words.checklist }
                if frame.can(.publishing) { choice(frame, "hidden", words.hideChecklist) }
            }
            p(.class("note")) { words.checklistText }
            ol {
                for step in Step.allCases {
                    let isDone = done.contains(step)
                    li(.class(isDone ? "done" : "open"), Attribute("data-step", step.rawValue)) {
                        span(.class("tick"), Attribute("aria-hidden", "true")) {}
                        div {
                            // A reader hears the step with its new state.
                            span(Attribute("role", "status")) {
                                strong { words.name(of: step) }
                                span(.class("hidden state"), Attribute("data-done", words.isDone)) { isDone ? words.isDone : words.isOpen }
                            }
                            p { words.advice(on: step) }
                        }
                    }
                }
            }
        }
    }

    private func choice(_ frame: Frame, _ value: String, _ title: String) -> HTML {
        form(Attribute("method", "post"), .action(Place("/console/checklist"))) {
            frame.proof
            input(.type("hidden"), .name("list"), .value(value))
            button(.class("plain")) { title }
        }
    }
}

extension Words {
    var hideChecklist: String { say("Hide this list", "この一覧を隠す", "隐藏此列表") }
    var showChecklist: String { say("Show the first steps", "「はじめに」を表示", "显示“开始使用”") }
    var checklist: String { say("Getting started", "はじめに", "开始使用") }
    var checklistText: String {
        say(
            "Each step ticks itself when the server sees it happen.", "サーバーが検知すると、各項目に自動で印が付きます。",
            "服务器检测到后会自动勾选每一步。")
    }
    var isDone: String { say("Done", "完了", "已完成") }
    var isOpen: String { say("Not yet", "未完了", "未完成") }

    func name(of step: Checklist.Step) -> String {
        switch step {
        case .keyUsed: say("A key is used", "キーが使われる", "密钥被使用")
        case .firstOpen: say("A first open arrives", "初回起動が届く", "收到首次打开")
        case .linkTapped: say("A link is tapped", "リンクがタップされる", "链接被点击")
        case .attributed: say("A source is known", "ソースがわかる", "得知来源")
        case .paywallShown: say("A paywall is shown", "ペイウォールが表示される", "展示付费墙")
        }
    }

    func advice(on step: Checklist.Step) -> String {
        switch step {
        case .keyUsed:
            say(
                "Add the SDK with this server's address and your SDK key.", "このサーバーのアドレスと SDK キーで SDK を組み込みます。",
                "使用此服务器地址和 SDK 密钥接入 SDK。")
        case .firstOpen:
            say("Open the app for the first time.", "アプリを初めて起動します。", "首次打开应用。")
        case .linkTapped:
            say("Make a link and tap it on a phone.", "リンクを作り、端末でタップします。", "创建链接,并在手机上点击。")
        case .attributed:
            say(
                "Open the app after the tap: its first open names the link.", "タップのあとアプリを起動すると、初回起動にリンクが結び付きます。",
                "点击后打开应用:首次打开将关联到该链接。")
        case .paywallShown:
            say(
                "Ask for a placement and report the paywall that you show.", "プレースメントを取得し、表示したペイウォールを報告します。",
                "请求一个版位,并上报所展示的付费墙。")
        }
    }
}
