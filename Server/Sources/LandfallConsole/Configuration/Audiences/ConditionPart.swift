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
        case .not(.all(let parts)): return group(words.notAllOf, parts)
        case .not(.any(let parts)): return group(words.noneOf, parts)
        case .not(let part): return group(words.notThis, [part])
        case .segment(let name, let part):
            guard let part else { return li { words.segment(name) } }
            if case .all(let parts) = part { return group(words.segment(name), parts) }
            return group(words.segment(name), [part])
        case .share(let name, let from, let to): return li { words.share(of: name, from: from ?? "0%", to: to) }
        case .test(let attribute, let operation, let values):
            let values = operation.hasPrefix("is") ? values.map { words.said($0) } : values
            let said = values.prefix(Self.mostValues).joined(separator: ", ") + (values.count > Self.mostValues ? ", …" : "")
            return li { words.test(words.name(ofAttribute: attribute), operation, said) }
        case .rest: return li { "…" }
        }
    }
}

extension Words {
    var allOf: String { translate("All of these:") }
    var anyOf: String { translate("At least one of these:") }
    var noneOf: String { translate("None of these:") }
    var notAllOf: String { translate("Not all of these:") }
    var notThis: String { translate("Not this:") }
    func segment(_ name: String) -> String { translate("The segment \(name):") }
    func share(of name: String, from: String, to: String) -> String {
        translate("The draw \(name) is from \(from) to below \(to)")
    }

    /// One comparison. Unknown operators stay as the file writes them.
    func test(_ attribute: String, _ operation: String, _ value: String) -> String {
        switch operation {
        case "is": translate("\(attribute) is \(value)")
        case "isNot": translate("\(attribute) is known and is not \(value)")
        case "in": translate("\(attribute) is one of \(value)")
        case "notIn": translate("\(attribute) is known and is none of \(value)")
        case "exists" where value.lowercased() == "false": translate("\(attribute) is not known")
        case "exists": translate("\(attribute) is known")
        case "<": translate("\(attribute) is below \(value)")
        case "<=": translate("\(attribute) is at most \(value)")
        case ">": translate("\(attribute) is above \(value)")
        case ">=": translate("\(attribute) is at least \(value)")
        case "between": translate("\(attribute) is between \(value)")
        case "startsWith": translate("\(attribute) starts with \(value)")
        case "endsWith": translate("\(attribute) ends with \(value)")
        case "contains": translate("\(attribute) contains \(value)")
        case "anyOf": translate("\(attribute) has any of \(value)")
        case "allOf": translate("\(attribute) has all of \(value)")
        case "noneOf": translate("\(attribute) is known and has none of \(value)")
        case "within": translate("\(attribute) is within the last \(value)")
        case "olderThan": translate("\(attribute) is longer ago than \(value)")
        default: "\(attribute) \(operation) \(value)"
        }
    }
}
