// SPDX-License-Identifier: Apache-2.0

/// A rule of an audience, in the form in which people read it.
package indirect enum ConditionPart: Hashable, Sendable {
    case all([ConditionPart])
    case any([ConditionPart])
    case not(ConditionPart)
    /// A rule with a name; nil where the file has none of that name.
    case segment(String, ConditionPart?)
    case share(of: String, from: String?, to: String)
    case test(attribute: String, operation: String, values: [String])
    /// Only the text of the file has what follows here.
    case rest
}

extension ConditionPart {
    /// At most so many lines: the text of the file has the rest.
    private static let mostLines = 400
    /// The values of a comparison that are shown.
    static let mostValues = 100

    /// The rule as sentences, in lists.
    func html(_ words: Words) -> HTML {
        var left = Self.mostLines
        let list: [ConditionPart] = if case .all(let parts) = self { parts } else { [self] }
        return Self.list(list, words, &left)
    }

    private static func list(_ parts: [ConditionPart], _ words: Words, _ left: inout Int) -> HTML {
        var items: [HTML] = []
        for part in parts {
            guard left > 0 else {
                items.append(li { "…" })
                break
            }
            left -= 1
            items.append(part.item(words, &left))
        }
        return ul(.class("conditions")) { for item in items { item } }
    }

    private func item(_ words: Words, _ left: inout Int) -> HTML {
        func group(_ title: String, _ parts: [ConditionPart]) -> HTML {
            let inner = Self.list(parts, words, &left)
            return li {
                p { title }
                inner
            }
        }
        switch self {
        case .all(let parts): return group(words.allOf, parts)
        case .any(let parts): return group(words.anyOf, parts)
        case .not(.all(let parts)): return group(words.noneOf, [.all(parts)])
        case .not(let part): return group(words.noneOf, [part])
        case .segment(let name, let part):
            guard let part else { return li { words.segment(name) } }
            if case .all(let parts) = part { return group(words.segment(name), parts) }
            return group(words.segment(name), [part])
        case .share(let name, let from, let to): return li { words.share(of: name, from: from ?? "0%", to: to) }
        case .test(let attribute, let operation, let values):
            let said = values.prefix(Self.mostValues).joined(separator: ", ") + (values.count > Self.mostValues ? ", …" : "")
            return li { words.test(attribute, operation, said) }
        case .rest: return li { "…" }
        }
    }
}

extension Words {
    var allOf: String { say("All of these:", "次のすべて:", "满足以下全部条件:") }
    var anyOf: String { say("At least one of these:", "次のいずれか:", "满足以下任一条件:") }
    var noneOf: String { say("Not this:", "次に当てはまらない:", "不满足以下条件:") }
    func segment(_ name: String) -> String { say("The segment \(name):", "セグメント \(name):", "市场细分 \(name):") }
    func share(of name: String, from: String, to: String) -> String {
        say("The draw \(name) is from \(from) to below \(to)", "抽選 \(name) が \(from) 以上 \(to) 未満", "抽签 \(name) 在 \(from) 至 \(to) 之间(不含)")
    }

    /// One comparison. The names of attributes and unknown operators stay as the file writes them.
    func test(_ attribute: String, _ operation: String, _ value: String) -> String {
        switch operation {
        case "is": say("\(attribute) is \(value)", "\(attribute) が \(value)", "\(attribute) 是 \(value)")
        case "isNot": say("\(attribute) is known and is not \(value)", "\(attribute) が判明しており \(value) 以外", "\(attribute) 已知且不是 \(value)")
        case "in": say("\(attribute) is one of \(value)", "\(attribute) が次のいずれか: \(value)", "\(attribute) 是以下之一:\(value)")
        case "notIn":
            say(
                "\(attribute) is known and is none of \(value)", "\(attribute) が判明しており次のいずれでもない: \(value)",
                "\(attribute) 已知且不是以下任何一个:\(value)")
        case "exists" where value.lowercased() == "false": say("\(attribute) is not known", "\(attribute) が不明", "\(attribute) 未知")
        case "exists": say("\(attribute) is known", "\(attribute) が判明している", "\(attribute) 已知")
        case "<": say("\(attribute) is below \(value)", "\(attribute) が \(value) より小さい", "\(attribute) 小于 \(value)")
        case "<=": say("\(attribute) is at most \(value)", "\(attribute) が \(value) 以下", "\(attribute) 不超过 \(value)")
        case ">": say("\(attribute) is above \(value)", "\(attribute) が \(value) より大きい", "\(attribute) 大于 \(value)")
        case ">=": say("\(attribute) is at least \(value)", "\(attribute) が \(value) 以上", "\(attribute) 不低于 \(value)")
        case "between": say("\(attribute) is between \(value)", "\(attribute) が次の範囲内: \(value)", "\(attribute) 介于 \(value)")
        case "startsWith": say("\(attribute) starts with \(value)", "\(attribute) が \(value) で始まる", "\(attribute) 以 \(value) 开头")
        case "endsWith": say("\(attribute) ends with \(value)", "\(attribute) が \(value) で終わる", "\(attribute) 以 \(value) 结尾")
        case "contains": say("\(attribute) contains \(value)", "\(attribute) が \(value) を含む", "\(attribute) 包含 \(value)")
        case "anyOf": say("\(attribute) has any of \(value)", "\(attribute) に次のいずれかがある: \(value)", "\(attribute) 含有以下任一项:\(value)")
        case "allOf": say("\(attribute) has all of \(value)", "\(attribute) に次のすべてがある: \(value)", "\(attribute) 含有以下全部:\(value)")
        case "noneOf":
            say("\(attribute) is known and has none of \(value)", "\(attribute) が判明しており次のいずれもない: \(value)", "\(attribute) 已知且不含以下任何一项:\(value)")
        case "within": say("\(attribute) is within the last \(value)", "\(attribute) が過去 \(value) 以内", "\(attribute) 在最近 \(value) 之内")
        case "olderThan": say("\(attribute) is longer ago than \(value)", "\(attribute) が \(value) より前", "\(attribute) 早于 \(value) 之前")
        default: "\(attribute) \(operation) \(value)"
        }
    }
}
