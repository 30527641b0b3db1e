// SPDX-License-Identifier: Apache-2.0

/// Why an install sees a paywall.
extension Words {
    var why: String { say("Why do they see this?", "なぜこれが表示されるのか", "为什么会看到这个?") }
    var whyNow: String { say("Why do they see a paywall now?", "現在の表示の理由", "为什么现在看到此付费墙?") }
    var whyThen: String { say("Why did they see this?", "なぜこれが表示されたのか", "为什么当时看到这个?") }
    var explainNow: String { say("Explain the present answer", "現在の決定を説明", "解释当前结果") }
    var noPlacementToExplain: String { say("The configuration has no placement.", "設定にプレースメントがありません。", "配置中没有版位。") }
    var versionUnreadable: String {
        say(
            "The version of the configuration that decided cannot be read by this server any more, so this cannot be explained.",
            "決定に使われた設定のバージョンをこのサーバーでは読めないため、説明できません。", "此服务器已无法读取当时决定所用的配置版本,因此无法解释。")
    }
    var noPaywall: String { say("no paywall", "ペイウォールなし", "无付费墙") }
    func sees(_ paywall: String?, for audience: String) -> String {
        let paywall = paywall ?? noPaywall
        return say(
            "Sees: \(paywall). The first audience that matches is \(audience).", "表示: \(paywall)。最初に一致したオーディエンスは \(audience) です。",
            "会看到:\(paywall)。第一个匹配的目标受众是 \(audience)。")
    }
    func wasToSee(_ paywall: String?, for audience: String) -> String {
        let paywall = paywall ?? noPaywall
        return say(
            "Was to see: \(paywall). The first audience that matched was \(audience).", "表示するはずだったもの: \(paywall)。最初に一致したオーディエンスは \(audience) でした。",
            "当时应看到:\(paywall)。第一个匹配的目标受众是 \(audience)。")
    }
    var notFinal: String {
        say("An answer that is on its way can still change this.", "到着待ちの回答によって変わることがあります。", "尚未到达的答复可能会改变此结果。")
    }
    func isTestDevice(_ name: String) -> String { say("It is the test device \(name).", "テスト端末 \(name) です。", "这是测试设备 \(name)。") }
    var notInReports: String { say("Reports leave it out.", "レポートには含まれません。", "报告不计入此安装。") }
    var testPayload: String {
        say("Apple's answer about it is test data, of developer mode.", "Apple の回答は開発者モードのテストデータです。", "Apple 的答复是开发者模式的测试数据。")
    }
    var phoneShowed: String { say("The phone showed", "端末が表示したもの", "手机展示了") }
    var arrivedLater: String { say("Arrived after the exposure", "表示の後に届いた値", "展示之后到达的值") }
    var nothingLate: String {
        say("Nothing about the attribution arrived later.", "アトリビューションの情報は後から届いていません。", "之后没有收到有关归因的信息。")
    }
    var valueThen: String { say("Then", "当時", "当时") }
    var valueNow: String { say("Now", "現在", "现在") }
    var valueMissing: String { say("missing", "値なし", "缺失") }
    var audiencesInOrder: String { say("Audiences, in their order", "オーディエンス(評価順)", "目标受众(按顺序)") }
    var isChosen: String { say("Chosen", "選択", "已选择") }
    var notAsked: String { say("Not asked: an audience above it matched.", "上位のオーディエンスが一致したため未評価。", "未评估:上方的目标受众已匹配。") }
    func valueIs(_ text: String) -> String { say("The value is \(text).", "値: \(text)。", "值为 \(text)。") }
    func bucketIs(_ bucket: String) -> String {
        say("The draw gives bucket \(bucket) of 1,000,000.", "抽選のバケットは 1,000,000 中 \(bucket) です。", "抽签得到 1,000,000 个分桶中的 \(bucket)。")
    }
    func bucketOf(_ bucket: String) -> String { say("\(bucket) of 1,000,000", "1,000,000 中 \(bucket)", "1,000,000 中的 \(bucket)") }
    var valueIsMissing: String { say("The install has no such value.", "この値はありません。", "该安装没有此值。") }
    var valueOfAnotherType: String {
        say("It is of another type, so it counts as missing.", "型が違うため、値なしとして扱います。", "类型不同,视为缺失。")
    }
    var valueOnItsWay: String { say("An answer is on its way.", "回答を待っています。", "答复尚未到达。") }
    var valueIsNow: String {
        say("This is the value now: none was kept then.", "現在の値です。当時の値は保存されていません。", "这是当前值;当时的值未保存。")
    }
    var theDraw: String { say("The draw of the experiment", "A/B テストの抽選", "A/B 测试的抽签") }
    var drawSalt: String { say("Draw and salt", "抽選とソルト", "抽签与盐值") }
    var drawUnit: String { say("Unit", "ユニット", "单元") }
    var drawBucket: String { say("Bucket", "バケット", "分桶") }
    var drawBuckets: String { say("Buckets of this outcome", "この結果のバケット", "此结果的分桶") }
    func name(of answer: WhyPage.Answer) -> String {
        switch answer {
        case .yes: say("Yes", "はい", "是")
        case .no: say("No", "いいえ", "否")
        case .unknown: say("Unknown", "不明", "未知")
        }
    }
}
