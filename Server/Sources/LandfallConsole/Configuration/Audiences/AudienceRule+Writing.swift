// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// A rule in the form of the file.
struct WrittenAudienceRule: Sendable {
    let value: ConfigurationValue
    /// The path of each condition in the file, with its place in the form.
    fileprivate let places: [(path: String, place: String)]

    /// The place of the condition that a path of the file is in, or of the first one below the path.
    func place(of path: String) -> String? {
        func isIn(_ inner: String, _ outer: String) -> Bool { inner == outer || inner.hasPrefix(outer + ".") || inner.hasPrefix(outer + "[") }
        return (places.first { isIn(path, $0.path) } ?? places.first { isIn($0.path, path) })?.place
    }
}

extension AudienceRule {
    /// Conditions that are not whole, and groups without any, are left out.
    /// - Parameter path: of the entry.
    /// - Returns: nil where nothing is left.
    func written(at path: [String] = []) -> WrittenAudienceRule? {
        let parts = placed("")
        guard !parts.isEmpty else { return nil }
        var places: [(path: String, place: String)] = []
        let members = Self.members(kind == .all ? parts : [Placed(place: "", content: .group(kind, parts))], path, &places)
        return WrittenAudienceRule(value: .mapping(members), places: places)
    }

    /// A part with its place in the form.
    private struct Placed {
        enum Content {
            case line(Line)
            case group(Kind, [Placed])
        }

        let place: String
        let content: Content
    }

    private func placed(_ start: String) -> [Placed] {
        parts.enumerated().compactMap { index, part in
            let place = start + "\(index)"
            switch part {
            case .line(let line):
                return line.attribute.isEmpty || line.lacking != nil ? nil : Placed(place: place, content: .line(line))
            case .group(let rule):
                let inner = rule.placed(place + ".")
                return inner.isEmpty ? nil : Placed(place: place, content: .group(rule.kind, inner))
            }
        }
    }

    /// A mapping of conditions that must all hold. What has a key that is taken becomes an element of `all`.
    private static func members(
        _ parts: [Placed], _ path: [String], _ places: inout [(path: String, place: String)]
    ) -> [ConfigurationValue.Member] {
        var members: [ConfigurationValue.Member] = [], elements: [Placed] = []
        func taken(_ name: String) -> Int? { members.firstIndex { $0.name.hasSameBytes(as: name) } }
        for part in parts {
            switch part.content {
            case .group(.all, let inner): elements += inner
            case .group(let kind, let inner):
                let key = kind == .any ? "any" : "not"
                guard taken(key) == nil else { elements.append(part); continue }
                members.append(.init(name: key, value: group(kind, inner, path + [key], &places)))
            case .line(let line):
                let test = ConfigurationValue.Member(name: line.symbol, value: line.written)
                let isNamed = [Line.segment, Line.share].contains(line.attribute)
                if let index = taken(line.attribute) {
                    guard !isNamed, case .mapping(let tests) = members[index].value,
                        !tests.contains(where: { $0.name.hasSameBytes(as: test.name) })
                    else { elements.append(part); continue }
                    members[index] = .init(name: line.attribute, value: .mapping(tests + [test]))
                } else {
                    members.append(.init(name: line.attribute, value: isNamed ? line.written : .mapping([test])))
                }
                let steps = path + (isNamed ? [line.attribute] : [line.attribute, line.symbol])
                places.append((ConfigurationPath(steps).description, part.place))
            }
        }
        if !elements.isEmpty { members.append(.init(name: "all", value: list(elements, path + ["all"], &places))) }
        return members
    }

    private static func group(
        _ kind: Kind, _ parts: [Placed], _ path: [String], _ places: inout [(path: String, place: String)]
    ) -> ConfigurationValue {
        if kind == .any { return list(parts, path, &places) }
        guard kind == .neither, parts.count > 1 else { return .mapping(members(parts, path, &places)) }
        return .mapping([.init(name: "any", value: list(parts, path + ["any"], &places))])
    }

    private static func list(
        _ parts: [Placed], _ path: [String], _ places: inout [(path: String, place: String)]
    ) -> ConfigurationValue {
        .list(parts.enumerated().map { index, part in
            let path = path + ["[\(index)]"]
            if case .group(.all, let inner) = part.content { return .mapping(members(inner, path, &places)) }
            return .mapping(members([part], path, &places))
        })
    }
}

extension AudienceRule.Line {
    /// The operator of the file.
    fileprivate var symbol: String { operation == Self.missing ? "exists" : operation }

    /// What is typed, in the form of the file: one value, or several with commas between.
    fileprivate var written: ConfigurationValue {
        switch attribute {
        case Self.segment: return .text(value)
        case Self.share:
            let ends = [("from", from), ("to", to)].filter { !$0.1.isEmpty }.map { name, end in
                ConfigurationValue.Member(name: name, value: .text(Self.percentage(end)))
            }
            return .mapping([.init(name: "of", value: .text(value))] + ends)
        default: break
        }
        switch operation {
        case "exists": return .flag(true)
        case Self.missing: return .flag(false)
        case "startsWith", "endsWith", "contains":
            let values = Self.list(value)
            return values.count == 1 ? values[0] : .list(values)
        case "in", "notIn", "between", "anyOf", "allOf", "noneOf": return .list(Self.list(value))
        default: return Self.scalar(value)
        }
    }

    private static func percentage(_ text: String) -> String { text.utf8.last == UInt8(ascii: "%") ? text : text + "%" }

    private static func list(_ text: String) -> [ConfigurationValue] {
        var source = ConfigurationText()
        if let node = source.parse("[" + text + "]"), source.problems.isEmpty, case .list(let nodes) = node.content,
            nodes.allSatisfy({ $0.text?.isEmpty == false }), case .list(let values)? = ConfigurationValue(node)
        {
            return values
        }
        return text.split(separator: ",").map { scalar(String($0)) }
    }

    private static func scalar(_ text: String) -> ConfigurationValue {
        var source = ConfigurationText()
        guard let node = source.parse(text), source.problems.isEmpty, node.text?.isEmpty == false, !node.isNull,
            let value = ConfigurationValue(node)
        else { return .text(text) }
        return value
    }
}
