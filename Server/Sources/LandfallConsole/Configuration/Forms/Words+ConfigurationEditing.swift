// SPDX-License-Identifier: Apache-2.0

/// The forms of placements, audiences and paywalls.
extension Words {
    var draftNote: String {
        say(
            "Not published yet. Only these lines of the file would change.", "まだ公開されていません。変わるのはファイルの次の行だけです。",
            "尚未发布。文件中只会更改以下行。")
    }
    var draftLines: String { say("Changed lines", "変わる行", "更改的行") }
    var draftMessage: String { say("Why", "変更の理由", "更改原因") }
    var draftMessageHint: String { say("The version keeps it, for the team.", "チームのため、バージョンに残ります。", "将随版本保存,供团队参考。") }
    var review: String { say("Review", "確認へ進む", "检查") }
    var ownedByFile: String {
        say(
            "This server takes its configuration from a file only (--config-owner file). Copy this into the file:",
            "このサーバーの設定はファイルだけで管理されます (--config-owner file)。ファイルに次の内容を書いてください:",
            "此服务器仅从文件读取配置(--config-owner file)。请将以下内容复制到文件中:")
    }
    var tooLargeToCarry: String {
        say(
            "The file is too large for a form of the console. Copy this into it, then run: landfall apply",
            "ファイルが大きいためコンソールのフォームでは送れません。次の内容をファイルに書き、landfall apply を実行してください。",
            "文件太大,无法通过控制台表单提交。请将以下内容复制到文件中,然后运行 landfall apply。")
    }
    var removeFromFile: String { say("Remove these lines from the file.", "ファイルからこれらの行を削除してください。", "请从文件中删除这些行。") }
    var edit: String { say("Change", "変更", "更改") }
    var take: String { say("Take the changes over", "変更を反映", "应用更改") }
    var takeAndOpen: String { say("Take them over and go on in:", "反映して次のロケールへ:", "应用并继续编辑:") }
    var asYAML: String { say("As YAML", "YAML で編集", "以 YAML 编辑") }
    var yamlOf: String { say("The entry as the file has it", "ファイルでの記述", "文件中的内容") }
    var takeYAML: String { say("Take this text over", "この内容を反映", "应用此内容") }
    func delete(_ name: String) -> String { say("Delete \(name)", "\(name) を削除", "删除 \(name)") }
    func moveUp(_ name: String) -> String { say("Move \(name) up", "\(name) を上へ", "上移 \(name)") }
    func moveDown(_ name: String) -> String { say("Move \(name) down", "\(name) を下へ", "下移 \(name)") }
    func shown(to name: String) -> String { say("What \(name) sees", "\(name) に表示するもの", "\(name) 看到的内容") }
    func changeShowing(_ name: String) -> String { say("Change what \(name) sees", "\(name) に表示するものを変更", "更改 \(name) 看到的内容") }
    var showingAsYAML: String {
        say(
            "This placement is too long for a choice in each line. Change what an audience sees as YAML.",
            "このプレースメントは長いため、行ごとの選択はできません。表示するものは YAML で変更してください。",
            "该版位过长,无法逐行选择。请以 YAML 更改目标受众看到的内容。")
    }
    var addEntry: String { say("Add an audience", "オーディエンスを追加", "添加目标受众") }
    var add: String { say("Add", "追加", "添加") }
    var attribute: String { say("Attribute", "属性", "属性") }
    var operation: String { say("Operator", "演算子", "运算符") }
    func attribute(_ row: Int) -> String { say("Attribute of condition \(row)", "条件 \(row) の属性", "条件 \(row) 的属性") }
    func operation(_ row: Int) -> String { say("Operator of condition \(row)", "条件 \(row) の演算子", "条件 \(row) 的运算符") }
    func value(_ row: Int) -> String { say("Value of condition \(row)", "条件 \(row) の値", "条件 \(row) 的值") }
    var rowsNote: String {
        say(
            "Several values: separate them by commas. An empty attribute removes the line. Groups (all, any, not), segments and shares stay as they are; change them as YAML.",
            "複数の値はコンマで区切ります。属性を空にすると行を削除します。グループ (all, any, not)、セグメント、抽選は YAML で変更してください。",
            "多个值用英文逗号分隔。属性留空将删除该行。组合(all、any、not)、市场细分和抽签保持不变,请以 YAML 更改。")
    }
    var productsNote: String { say("One product id in each line, in the order in which they are shown.", "1 行に 1 つのプロダクト ID を、表示順に書きます。", "每行一个产品 ID,按展示顺序排列。") }
    func missingHint(_ value: String) -> String { say("missing; the default is: \(value)", "なし。デフォルト: \(value)", "缺失;默认值:\(value)") }
}

/// What can be wrong in them.
extension Words {
    var everyoneStays: String {
        say("Everyone stays the last entry.", "「全員」は常に最後です。", "“所有人”必须保持在最后。")
    }
    var noSuchEntry: String {
        say("This entry is not there any more. Reload the page.", "この項目はもうありません。ページを再読み込みしてください。", "该条目已不存在。请重新加载页面。")
    }
    var chooseAudience: String { say("Choose an audience.", "オーディエンスを選んでください。", "请选择目标受众。") }
    var chooseShowing: String { say("Choose what they see.", "表示する内容を選んでください。", "请选择展示内容。") }
    func twice(_ test: String) -> String {
        say("'\(test)' is here twice. Keep one of them.", "「\(test)」が 2 つあります。1 つにしてください。", "“\(test)”出现了两次。请保留一个。")
    }
    var needsCondition: String {
        say("An audience needs a condition.", "オーディエンスには条件が必要です。", "目标受众至少需要一个条件。")
    }
    func isGroup(_ name: String) -> String {
        say("'\(name)' is no attribute. Write it as YAML.", "「\(name)」は属性ではありません。YAML で書いてください。", "“\(name)”不是属性。请以 YAML 填写。")
    }
    var needsValue: String { say("Write a value.", "値を入力してください。", "请填写值。") }
    func needsKind(_ kind: String) -> String {
        say("The value was a \(kind). Write one, or change its kind as YAML.", "値の種類は \(kind) です。種類を変えるには YAML で編集します。", "原值类型为 \(kind)。如需更改类型,请以 YAML 编辑。")
    }
    func isUsed(_ name: String, by users: [ConfigurationUse]) -> String {
        let names = users.prefix(20).map { self.name(of: $0.kind) + " " + $0.name } + (users.count > 20 ? [andMore(users.count - 20)] : [])
        let list = language.list(names)
        return say(
            "\(name) is used by: \(list). Change these first.", "\(name) は次で使われています: \(list)。先にそちらを変更してください。",
            "\(name) 正被使用:\(list)。请先更改这些内容。")
    }
    func line(_ number: Int) -> String { say("Line \(number)", "\(number) 行目", "第 \(number) 行") }
    func longEntry(_ kibibytes: Int) -> String {
        say("The entry may have \(kibibytes) KiB.", "項目は \(kibibytes) KiB までです。", "条目最多 \(kibibytes) KiB。")
    }
    var notOneEntry: String {
        say("Write this entry only, with its own name.", "この項目だけを、元の名前のまま書いてください。", "请只填写此条目,并保留原名称。")
    }
}
