// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What one change of the file means, so that it can be said in the language of the reader. Names, keys and values stay as the
/// file has them.
enum ChangeMeaning: Hashable, Sendable {
    /// What an audience sees at a placement.
    enum Outcome: Hashable, Sendable {
        case paywall(String), experiment(String), nothing
        /// As the file has it.
        case other(String)
    }

    /// - Parameter value: nil where the entry says little.
    case added(section: String, name: String, value: String?)
    case removed(section: String, name: String)
    /// - Parameter before: nil where the audience was not asked; `after`: nil where it is asked no longer.
    case shows(placement: String, audience: String, before: Outcome?, after: Outcome?)
    case order(section: String, name: String, before: [String], after: [String])
    /// - Parameters:
    ///   - name: nil for a section that has no entries.
    ///   - path: below the entry; empty for the entry itself.
    case value(section: String, name: String?, path: String, before: String?, after: String?)

    /// What the file has is `code`: it is the same in every language. English pages have the server's sentence, which says more.
    func html(_ words: Words) -> HTML {
        let parts = marked(words).split(separator: Self.mark, omittingEmptySubsequences: false)
        return HTMLBuilder.buildArray(
            parts.enumerated().map { place, part in place % 2 == 1 ? code { String(part) } : HTMLBuilder.buildExpression(String(part)) })
    }

    /// Stands before and after what the file has. No file has this character.
    private static let mark: Character = "\u{1}"

    fileprivate static func quoted(_ text: String) -> String { "\(mark)\(text.filter { $0 != mark })\(mark)" }

    private func marked(_ words: Words) -> String {
        let quoted = Self.quoted
        switch self {
        case .added(let section, let name, let value):
            let what = words.noun(section) + " " + quoted(name), value = value.map { ": " + quoted($0) } ?? ""
            return words.say("\(what) is added\(value)", "\(what) を追加\(value)", "添加\(what)\(value)")
        case .removed(let section, let name):
            let what = words.noun(section) + " " + quoted(name)
            return words.say("\(what) is removed", "\(what) を削除", "删除\(what)")
        case .shows(let placement, let audience, let before, let after):
            return shows(words.placement + " " + quoted(placement), words.asked(audience), before, after, words)
        case .order(let section, let name, let before, let after):
            let what = words.noun(section) + " " + quoted(name)
            let old = quoted(before.joined(separator: ", ")), new = quoted(after.joined(separator: ", "))
            return section == "experiments"
                ? words.say(
                    "\(what): the variations are now in the order \(new); it was \(old)", "\(what): バリアントの順序を \(new) に変更 (変更前: \(old))", "\(what):变体的顺序改为 \(new)(之前:\(old))")
                : words.say(
                    "\(what): audiences are now asked in the order \(new); it was \(old)", "\(what): オーディエンスの評価順を \(new) に変更 (変更前: \(old))", "\(what):目标受众的判断顺序改为 \(new)(之前:\(old))")
        case .value(let section, let name, let path, let before, let after):
            let subject = words.noun(section) + (name.map { " " + quoted($0) } ?? "")
            let what = path.isEmpty ? subject : subject + ": " + quoted(path)
            switch (before.map(quoted), after.map(quoted)) {
            case (nil, let after?): return words.say("\(what) is added: \(after)", "\(what) を追加: \(after)", "\(what) 已添加:\(after)")
            case (let before?, nil): return words.say("\(what) is removed; it was \(before)", "\(what) を削除 (変更前: \(before))", "\(what) 已删除(之前:\(before))")
            case (let before, let after):
                return words.say("\(what) changes from \(before ?? "–") to \(after ?? "–")", "\(what) を \(before ?? "–") から \(after ?? "–") に変更", "\(what) 由 \(before ?? "–") 改为 \(after ?? "–")")
            }
        }
    }

    private func shows(
        _ placement: String, _ audience: String, _ before: Outcome?, _ after: Outcome?, _ words: Words
    ) -> String {
        let old = before.map { words.outcome($0) } ?? "–", new = after.map { words.outcome($0) } ?? "–"
        if before == nil { return words.say("\(placement): \(audience) now sees \(new)", "\(placement): \(audience)に \(new) を表示", "\(placement):\(audience)将看到 \(new)") }
        if after == nil {
            return words.say(
                "\(placement): \(audience) is no longer asked; it saw \(old)", "\(placement): \(audience)を対象から外す (変更前の表示: \(old))", "\(placement):移除\(audience)(之前看到 \(old))")
        }
        return words.say(
            "\(placement): \(audience) now sees \(new) instead of \(old)", "\(placement): \(audience)への表示を \(old) から \(new) に変更", "\(placement):\(audience)看到的内容由 \(old) 改为 \(new)")
    }
}

extension Words {
    fileprivate func asked(_ audience: String) -> String {
        audience == AudienceID.everyone.rawValue ? everyone : self.audience + " " + ChangeMeaning.quoted(audience) + " "
    }

    fileprivate func outcome(_ outcome: ChangeMeaning.Outcome) -> String {
        switch outcome {
        case .paywall(let name): paywall + " " + ChangeMeaning.quoted(name)
        case .experiment(let name): self.name(of: .experiment) + " " + ChangeMeaning.quoted(name)
        case .nothing: say("nothing", "何も表示しない設定", "不展示")
        case .other(let text): ChangeMeaning.quoted(text)
        }
    }

    /// An entry of a section; the section's own key where it has no word.
    fileprivate func noun(_ section: String) -> String {
        switch section {
        case "paywalls": paywall
        case "audiences": audience
        case "placements": placement
        case "experiments": name(of: .experiment)
        case "testDevices": name(of: .testDevice)
        case "segments": say("Segment", "セグメント", "市场细分")
        case "links": say("Link", "リンク", "链接")
        case "attributes": say("Attribute", "属性", "属性")
        case "keys": say("Key", "キー", "密钥")
        case "layers": say("Layer", "レイヤー", "流量层")
        case "holdouts": say("Holdout", "ホールドアウト", "保留组")
        case "events": say("Event", "イベント", "事件")
        case "metrics": say("Metric", "指標", "指标")
        case "products": say("Product", "プロダクト", "产品")
        default: ChangeMeaning.quoted(section)
        }
    }
}
