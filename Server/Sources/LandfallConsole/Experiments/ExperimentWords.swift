// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallResults

extension Words {
    var experiments: ExperimentWords { ExperimentWords(words: self) }
}

/// The texts of the pages about experiments. Their verdicts are single words: nothing is trending, and nothing is the best.
struct ExperimentWords: Translating {
    let words: Words
    var language: Language { words.language }

    func say(_ english: String, _ japanese: String, _ chinese: String) -> String { words.say(english, japanese, chinese) }
    func count(_ value: Int) -> String { words.language.count(Int64(value)) }

    // MARK: The list

    var title: String { say("Experiments", "A/B テスト", "A/B 测试") }
    var experiment: String { say("Experiment", "A/B テスト", "A/B 测试") }
    var state: String { say("State", "状態", "状态") }
    var placements: String { say("Placements", "プレースメント", "版位") }
    var units: String { say("Units", "ユニット", "单元") }
    var planned: String { say("Planned", "計画", "计划") }
    var matured: String { say("Window over", "期間終了", "窗口已结束") }
    var listNote: String {
        say(
            "The verdict is on the page of each experiment: it is counted when the page is opened.",
            "判定は各テストのページにあります。ページを開いたときに集計します。", "结论在各测试的页面上,打开页面时统计。")
    }
    var noExperiments: String { say("No experiment is configured yet", "A/B テストはまだありません", "尚未配置任何 A/B 测试") }
    var noExperimentsText: String {
        say(
            "Add one under experiments: in landfall.yaml, name it in a placement, and publish.",
            "landfall.yaml の experiments: に追加し、プレースメントで指定して公開してください。",
            "请在 landfall.yaml 的 experiments: 中添加,在版位中引用并发布。")
    }
    var firstExperiment: String {
        say(
            "Make the first one as a draft, name it in a placement, and start it.",
            "最初の 1 件を下書きとして作成し、プレースメントで指定してから開始してください。",
            "请先以草稿创建第一个测试,在版位中引用,然后开始。")
    }
    var wholeExample: String { say("A whole one, in landfall.yaml:", "landfall.yaml での全体の例:", "landfall.yaml 中的完整示例:") }
    func name(of state: ExperimentState) -> String {
        switch state {
        case .draft: say("Draft", "下書き", "草稿")
        case .live: say("Live", "実施中", "进行中")
        case .stopped: say("Stopped", "停止", "已停止")
        case .promoted(let variation): say("Promoted: \(variation)", "採用: \(variation)", "已采用:\(variation)")
        }
    }

    // MARK: Health

    var health: String { say("Health", "健全性", "健康状况") }
    var check: String { say("Check", "項目", "检查项") }
    var finding: String { say("Finding", "結果", "结果") }
    func name(of health: ExperimentHealth.Outcome) -> String {
        switch health {
        case .good: say("OK", "正常", "正常")
        case .look: say("Look", "要確認", "请留意")
        case .failed: say("Failed", "異常", "异常")
        case .fact: "–"
        }
    }
    var ratio: String { say("Sample ratio", "割り当て比率", "样本比例") }
    func ratio(of part: String) -> String {
        switch part {
        case "platform": say("Sample ratio by platform", "プラットフォーム別の割り当て比率", "按平台的样本比例")
        case "version": say("Sample ratio by version", "バージョン別の割り当て比率", "按版本的样本比例")
        default: say("Sample ratio by source", "ソース別の割り当て比率", "按来源的样本比例")
        }
    }
    func atAnyLook(_ counts: String, _ p: String) -> String {
        say("\(counts) units, \(p) at any look", "\(counts) ユニット、\(p)(いつ見ても有効)", "\(counts) 个单元,\(p)(任何时候查看均有效)")
    }
    var shownOfDecided: String { say("Shown of decided", "決定のうち表示", "已决定中的已展示") }
    var decidedCompared: String {
        say(
            "Among those shown, one variation lost some. So all units are compared for whom it was decided.",
            "表示されたユニットでは一部のバリアントに欠けがあります。そのため、決定したすべてのユニットを比較します。",
            "在已展示的单元中,有变体丢失了一部分。因此比较所有已决定的单元。")
    }
    var crossovers: String { say("In two variations", "2 つのバリアント", "处于两个变体") }
    func ofUnits(_ share: String) -> String { say("\(share) of units", "ユニットの \(share)", "单元的 \(share)") }
    var windowOver: String { say("Conversion window over", "計測期間の終了", "转化窗口已结束") }
    var echoed: String { say("Echoed by phones", "端末からの復元", "由手机带回") }
    var fallbackFirst: String { say("Saw a fallback first", "先にフォールバックを表示", "先看到备用付费墙") }

    // MARK: Verdict

    var verdict: String { say("Verdict", "判定", "结论") }
    var suppressed: String {
        say(
            "No verdict: the sample ratio failed. Units did not come in the ratio of the weights, so something loses or adds units in one variation. Until it is found, no number below can be trusted.",
            "判定なし: 割り当て比率に異常があります。ユニットが重みどおりに来ていないため、どれかのバリアントで欠けや余分が生じています。原因が分かるまで、以下の数値は信頼できません。",
            "无结论:样本比例异常。单元没有按权重分配,说明某个变体丢失或多出了单元。在找到原因之前,下面的数字都不可信。")
    }
    var alone: String {
        say("There is one variation, and nothing to compare it with.", "バリアントが 1 つだけで、比較する相手がありません。", "只有一个变体,无从比较。")
    }
    func sentence(_ verdict: Verdict, _ variation: String, on metric: String, day: Int?) -> String {
        let decided = day.map { say(", decided on day \($0)", "(\($0) 日目に決定)", "(第 \($0) 天得出)") } ?? ""
        return switch verdict {
        case .higher: say("\(variation) is higher on \(metric)\(decided).", "\(metric) では \(variation) が高い\(decided)。", "\(variation) 在 \(metric) 上更高\(decided)。")
        case .lower: say("\(variation) is lower on \(metric)\(decided).", "\(metric) では \(variation) が低い\(decided)。", "\(variation) 在 \(metric) 上更低\(decided)。")
        case .notDecided: say("\(variation) is not decided on \(metric).", "\(metric) では \(variation) は未決着です。", "\(variation) 在 \(metric) 上尚无定论。")
        case .safe, .harmed, .suppressed: word(verdict)
        }
    }
    func word(_ verdict: Verdict) -> String {
        switch verdict {
        case .higher: say("higher", "高い", "更高")
        case .lower: say("lower", "低い", "更低")
        case .notDecided: say("not decided", "未決着", "尚无定论")
        case .safe: say("safe", "安全", "安全")
        case .harmed: say("harmed", "悪化", "受损")
        case .suppressed: say("suppressed", "判定なし", "不作结论")
        }
    }
    var earlyStop: String {
        say("Effects at early stops run high; expect less.", "早く止めたときの効果は大きめに出ます。実際はこれより小さいと考えてください。", "提前停止时效果往往偏高,请预期更小的效果。")
    }
    var notNoDifference: String {
        say(
            "Not decided does not mean that there is no difference: the intervals say what is possible.",
            "未決着は差がないという意味ではありません。ありうる範囲は区間が示します。", "尚无定论并不表示没有差异:区间说明了可能的范围。")
    }
    func unitsLeft(_ left: Int, of planned: Int) -> String {
        left > 0
            ? say("\(count(left)) more units to the planned \(count(planned)).", "計画の \(count(planned)) まであと \(count(left)) ユニットです。", "距计划的 \(count(planned)) 个单元还差 \(count(left)) 个。")
            : say("The planned \(count(planned)) units are there.", "計画の \(count(planned)) ユニットに達しました。", "已达到计划的 \(count(planned)) 个单元。")
    }
    var toKnow: String { say("To know", "注意", "须知") }
    func sentence(_ note: ExperimentNote) -> String {
        switch note {
        case .noPrimary:
            say("The experiment names no primary metric, so nothing is compared. Add primary: to it.", "主要指標がないため、何も比較していません。primary: を追加してください。", "该测试没有主要指标,因此不作比较。请为其添加 primary:。")
        case .unrecorded(let metric):
            say(
                "'\(metric)' counts purchases, which this server does not record yet: nothing is known of it.", "「\(metric)」は購入を数えますが、このサーバーはまだ購入を記録していません。値は分かりません。",
                "“\(metric)”统计购买,而此服务器尚不记录购买:其值未知。")
        case .expiring(let eventDays):
            say(
                "Events are kept for \(words.language.count(eventDays)) days. A unit that was exposed longer ago still counts, but what it did is deleted, so rates become too low. Keep events for longer: retention.eventDays.",
                "イベントの保存期間は \(words.language.count(eventDays)) 日です。それより前に表示されたユニットは数え続けますが、その行動は削除されるため、率が低くなりすぎます。retention.eventDays を長くしてください。",
                "事件保留 \(words.language.count(eventDays)) 天。更早展示的单元仍会计入,但其行为已被删除,因此比率会偏低。请加大 retention.eventDays。")
        }
    }
}

/// The tables and the picture.
extension ExperimentWords {
    func byVariation(_ metric: String) -> String { say("\(metric) by variation", "バリアント別の \(metric)", "各变体的 \(metric)") }
    var variation: String { say("Variation", "バリアント", "变体") }
    func control(_ name: String) -> String { say("\(name), control", "\(name)(コントロール)", "\(name)(对照)") }
    var converted: String { say("Converted", "コンバージョン", "转化") }
    var rate: String { say("Rate", "率", "比率") }
    var mean: String { say("Mean", "平均", "均值") }
    var interval: String { say("95 % interval", "95% 区間", "95% 区间") }
    func liftAgainst(_ control: String) -> String {
        say("Lift against \(control), valid at any look", "\(control) に対する増減(いつ見ても有効)", "相对 \(control) 的提升(任何时候查看均有效)")
    }
    var difference: String { say("difference", "差", "差值") }
    var tooFew: String { say("Too few to say", "少なすぎて不明", "数量过少,无法判断") }
    var guardrails: String { say("Guardrails", "ガードレール指標", "护栏指标") }
    var secondaries: String { say("Secondary metrics (exploratory)", "副次指標(探索的)", "次要指标(探索性)") }
    var segments: String { say("By source (exploratory)", "ソース別(探索的)", "按来源(探索性)") }
    var exploratory: String {
        say(
            "Looking at many of these finds differences by chance. They decide nothing; test again what you find.",
            "数多く見れば偶然の差も見つかります。ここでは何も決まりません。見つけたものは改めてテストしてください。", "查看的项目多了,难免出现偶然差异。这里不作定论;发现的问题请重新测试。")
    }
    var metric: String { say("Metric", "指標", "指标") }
    var source: String { say("Source", "ソース", "来源") }
    func source(_ name: String) -> String {
        switch name {
        case "none": say("None known", "不明", "无已知来源")
        case "pending": say("Answer pending", "回答待ち", "等待答复")
        case "other": say("Other", "その他", "其他")
        default: name
        }
    }
    func dayByDay(_ variation: String, _ control: String) -> String {
        say("\(variation) against \(control), day by day", "\(control) に対する \(variation) の推移", "\(variation) 相对 \(control) 的逐日变化")
    }
    func bandFinding(_ estimate: String, _ interval: String, units: Int) -> String {
        say(
            "After \(count(units)) units the estimate is \(estimate), between \(interval).",
            "\(count(units)) ユニットの時点で推定値は \(estimate)、範囲は \(interval)。", "\(count(units)) 个单元后的估计值为 \(estimate),范围 \(interval)。")
    }
    var estimate: String { say("Estimate", "推定値", "估计值") }
    var bandInterval: String { say("Interval, valid at any look", "区間(いつ見ても有効)", "区间(任何时候查看均有效)") }
    var zero: String { say("No difference", "差なし", "无差异") }
    var newEpoch: String { say("New epoch", "新しいエポック", "新阶段") }
    var from: String { say("From", "下限", "下限") }
    var to: String { say("To", "上限", "上限") }
    func units(_ number: Int) -> String { say("\(count(number)) units", "\(count(number)) ユニット", "\(count(number)) 个单元") }
    func day(_ number: Int) -> String { say("Day \(number)", "\(number) 日目", "第 \(number) 天") }
    func exposed(_ units: Int, by basis: ExperimentNumbers.Basis) -> String {
        switch basis {
        case .shown: say("\(count(units)) units shown", "表示 \(count(units)) ユニット", "已展示 \(count(units)) 个单元")
        case .decided: say("\(count(units)) units decided", "決定 \(count(units)) ユニット", "已决定 \(count(units)) 个单元")
        }
    }
    var epochs: String { say("Epochs", "エポック", "阶段") }
    var epoch: String { say("Epoch", "エポック", "阶段") }
    var began: String { say("Began", "開始", "开始") }
    var weights: String { say("Weights", "重み", "权重") }
    var salt: String { say("Salt", "ソルト", "盐值") }
    var noEpochs: String { say("It has not begun.", "まだ始まっていません。", "尚未开始。") }
    var configuration: String { say("Configuration", "構成", "配置") }
}

/// Stopping an experiment.
extension ExperimentWords {
    var decide: String { say("Decide", "決定する", "作出决定") }
    var decideNote: String {
        say(
            "A stopped experiment assigns nobody any more: everyone sees one variation. The next page shows what changes; nothing is published before that.",
            "停止した A/B テストは誰も割り当てません。全員に 1 つのバリアントが表示されます。次のページで変更内容を確認するまで、何も公開されません。",
            "停止的 A/B 测试不再分配任何人:所有人都看到同一个变体。下一页显示改动;在此之前不会发布任何内容。")
    }
    var everyoneSees: String { say("What everyone sees from then on", "停止後に全員に表示するバリアント", "停止后所有人看到的变体") }
    var checkChange: String { say("Check the change", "変更を確認する", "检查改动") }
    var chooseVariation: String { say("Choose one of the variations.", "バリアントを 1 つ選んでください。", "请选择一个变体。") }
    func stopMessage(_ name: String, _ variation: String) -> String {
        say("Stop \(name): everyone sees \(variation)", "\(name) を停止: 全員に \(variation) を表示", "停止 \(name):所有人看到 \(variation)")
    }
    /// - Parameter lines: what the file should have.
    func cannotEdit(_ name: String, _ lines: [String]) -> String {
        say(
            "The entry '\(name)' shares its text with others, or is written in a form that cannot be changed in place. Write this by hand: \(language.list(lines)).",
            "「\(name)」の項目はほかと共有されているか、その場で変更できない形で書かれています。次を手で書いてください: \(language.list(lines))。",
            "“\(name)”条目与其他条目共享文本,或其写法无法就地修改。请手动写入:\(language.list(lines))。")
    }
}

/// Starting a draft.
extension ExperimentWords {
    var start: String { say("Start", "開始する", "开始测试") }
    var startNote: String {
        say(
            "A live experiment draws who sees which variation in its placements, by these weights. The next page shows what changes; nothing is published before that.",
            "実施中の A/B テストは、プレースメントで誰にどのバリアントを表示するかを重みに従って抽選します。次のページで変更内容を確認するまで、何も公開されません。",
            "进行中的 A/B 测试按权重抽签,决定谁在其版位中看到哪个变体。下一页显示改动;在此之前不会发布任何内容。")
    }
    var primary: String { say("Primary metric", "主要指標", "主要指标") }
    var plannedUnits: String { say("Planned units", "計画ユニット数", "计划单元数") }
    var plannedUnitsHint: String {
        say(
            "The interval is narrowest at this number. Empty leaves it as it is.", "この数で区間が最も狭くなります。空にすると変更しません。",
            "达到此数量时区间最窄。留空则保持不变。")
    }
    var checkStart: String { say("Check the start", "開始内容を確認する", "检查开始内容") }
    var noMetrics: String {
        say(
            "The file has no metric yet, and a start needs one. Add one below 'metrics' in the text of a version.",
            "ファイルに指標がありません。開始には指標が必要です。バージョンの本文の metrics に追加してください。", "文件中还没有指标,而开始测试需要一个。请在版本文本的 metrics 中添加。")
    }
    var chooseMetric: String { say("Choose one of the metrics.", "指標を 1 つ選んでください。", "请选择一个指标。") }
    var needsUnits: String {
        say("Write a whole number from 1 to 1,000,000,000.", "1 から 1,000,000,000 までの整数を入力してください。", "请填写 1 至 1,000,000,000 的整数。")
    }
    func startMessage(_ name: String) -> String { say("Start \(name)", "\(name) を開始", "开始 \(name)") }
}
