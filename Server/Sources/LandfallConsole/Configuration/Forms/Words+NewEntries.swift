// SPDX-License-Identifier: Apache-2.0

/// The forms that add entries.
extension Words {
    func new(_ kind: NewEntryPage.Kind) -> String {
        switch kind {
        case .paywall: say("New paywall", "ペイウォールを作成", "新建付费墙")
        case .audience: say("New audience", "オーディエンスを作成", "新建目标受众")
        case .placement: say("New placement", "プレースメントを作成", "新建版位")
        case .experiment: say("New experiment", "A/B テストを作成", "新建 A/B 测试")
        }
    }
    var addsToDraft: String {
        say(
            "This is added to the draft below. Nothing is published yet.", "下の下書きに追加されます。まだ何も公開されていません。", "将添加到下方的草稿中。尚未发布任何内容。")
    }
    var addMore: String { say("Add to this draft:", "この下書きに追加:", "添加到此草稿:") }
    var entryName: String { say("Name", "名前", "名称") }
    var entryNameHint: String {
        say("Letters, digits, '.', '_' and '-'. The name stays as it is.", "英数字と「.」「_」「-」が使えます。名前は後から変えられません。", "可使用字母、数字、“.”、“_”和“-”。名称之后不能更改。")
    }
    var everyoneSees: String { say("Everyone sees", "全員に表示するもの", "所有人看到") }
    var moreAudiencesLater: String {
        say("Other audiences are added on the next page, above everyone.", "ほかのオーディエンスは次のページで「全員」の上に追加します。", "其他目标受众可在下一页添加到“所有人”之上。")
    }
    var firstLocale: String { say("Default locale", "デフォルトのロケール", "默认语言区域") }
    var localeHint: String { say("Such as en or zh-Hans. Leave it empty for a paywall without remote config.", "例: en、zh-Hans。リモートコンフィグがない場合は空にします。", "例如 en 或 zh-Hans。没有远程配置时请留空。") }
    var configHint: String {
        say("The values of this locale, as YAML or JSON, such as title: Unlock", "このロケールの値を YAML または JSON で書きます。例: title: Unlock", "以 YAML 或 JSON 填写此语言区域的值,例如 title: Unlock")
    }
    var newAudienceNote: String {
        say(
            "An install matches if all of these hold. An empty attribute is left out. Several values: separate them by commas.",
            "次のすべてを満たすインストールが一致します。属性が空の条件は使いません。複数の値はコンマで区切ります。",
            "满足以下全部条件的安装即匹配。属性留空的条件将被忽略。多个值用英文逗号分隔。")
    }
    func condition(_ row: Int) -> String { say("Condition \(row)", "条件 \(row)", "条件 \(row)") }
    var newExperimentNote: String {
        say(
            "The experiment is a draft: nobody is in it yet. The first variation is the control. A variation without a name is left out.",
            "A/B テストは下書きとして作られ、まだ誰も参加しません。最初のバリアントがコントロールです。名前が空のバリアントは使いません。",
            "A/B 测试以草稿创建,尚无人参与。第一个变体是对照组。名称留空的变体将被忽略。")
    }
    var controlVariation: String { say("Control", "コントロール", "对照组") }
    func variation(_ number: Int) -> String { say("Variation \(number)", "バリアント \(number)", "变体 \(number)") }
    var weight: String { say("Weight", "重み", "权重") }
    var newLocale: String { say("Add a locale", "ロケールを追加", "添加语言区域") }
    var newLocaleHint: String {
        say("It begins with the values of the default locale, to be translated.", "デフォルトのロケールの値を複製します。その後で翻訳してください。", "将复制默认语言区域的值,之后请翻译。")
    }
}

/// What can be wrong in them.
extension Words {
    var needsName: String { say("Write a name.", "名前を入力してください。", "请填写名称。") }
    func nameTaken(_ name: String) -> String {
        say("'\(name)' is there already. Choose another name.", "「\(name)」はすでにあります。別の名前にしてください。", "“\(name)”已存在。请选择其他名称。")
    }
    var needsLocale: String { say("Write a locale, such as en.", "en などのロケールを入力してください。", "请填写语言区域,例如 en。") }
    var needsMapping: String {
        say("Write keys with their values, such as title: Unlock", "キーと値を書いてください。例: title: Unlock", "请填写键和值,例如 title: Unlock")
    }
    var needsVariation: String { say("An experiment needs a variation.", "A/B テストにはバリアントが必要です。", "A/B 测试至少需要一个变体。") }
    var needsWeight: String { say("Write a whole number.", "整数を入力してください。", "请填写整数。") }
    var choosePaywall: String { say("Choose a paywall.", "ペイウォールを選んでください。", "请选择付费墙。") }
}
