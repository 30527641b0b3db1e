// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The differences of two files in meaning: comments, the order of keys, quotes and aliases change nothing. Compares the files'
/// values, so it can also compare versions that this release cannot serve.
struct ConfigurationChanges: Hashable, Sendable {
    /// Further changes are not listed, only counted.
    static let mostListed = 1_000
    /// A value whose JSON has more bytes than this is cut to its beginning, as text.
    static let longestValue = 8 * 1024

    private(set) var listed: [ConfigurationChange] = []
    /// The number of changes that are not listed.
    private(set) var unlisted = 0

    /// Sections that have a change, whether it is listed or not.
    private(set) var sections: Set<String> = []

    /// - Parameter before: nil means that there was no file.
    init(from before: ConfigurationNode?, to after: ConfigurationNode?) {
        compare(before, after, [])
    }

    var isEmpty: Bool { listed.isEmpty }

    private mutating func compare(_ before: ConfigurationNode?, _ after: ConfigurationNode?, _ way: [String]) {
        let isJSON = Self.isJSON(way)
        if let before, let after {
            guard Self.descends(way, before, after) else {
                if !before.hasSameMeaning(as: after, isJSON) { tell(before, after, way) }
                return
            }
        } else if way.count > 1 || before?.text != nil || after?.text != nil {
            // A new entry is described as a whole. A section is described by its entries, even if the section is new.
            return tell(before, after, way)
        }
        let old = before?.children(way, isJSON) ?? [], new = after?.children(way, isJSON) ?? []
        if Self.isOrdered(way) { tellOrder(old.map(\.step), new.map(\.step), way) }
        let oldByKey = Dictionary(old.map { (ExactText($0.step), $0.node) }, uniquingKeysWith: { first, _ in first })
        let newByKey = Dictionary(new.map { (ExactText($0.step), $0.node) }, uniquingKeysWith: { first, _ in first })
        for child in old { compare(child.node, newByKey[ExactText(child.step)], way + [child.step]) }
        for child in new where oldByKey[ExactText(child.step)] == nil { compare(nil, child.node, way + [child.step]) }
    }

    private mutating func tell(_ before: ConfigurationNode?, _ after: ConfigurationNode?, _ way: [String]) {
        let isJSON = Self.isJSON(way)
        let old = before?.value(isJSON: isJSON), new = after?.value(isJSON: isJSON)
        let kind: ConfigurationChange.Kind = before == nil ? .added : after == nil ? .removed : .changed
        for sentence in ConfigurationSentence(way).sentences(before, after) {
            note(ConfigurationChange(kind: kind, steps: way, before: old?.cut, after: new?.cut, sentence: sentence))
        }
    }

    /// The names that both lists have may be in another order.
    private mutating func tellOrder(_ old: [String], _ new: [String], _ way: [String]) {
        let both = Set(old.map(ExactText.init)).intersection(new.map(ExactText.init))
        let stay = (old.map(ExactText.init).filter(both.contains), new.map(ExactText.init).filter(both.contains))
        guard stay.0 != stay.1 else { return }
        note(
            ConfigurationChange(
                kind: .changed, steps: way, before: .array(old.map { .string($0) }), after: .array(new.map { .string($0) }),
                sentence: ConfigurationSentence(way).order(old, new)))
    }

    private mutating func note(_ change: ConfigurationChange) {
        sections.insert(change.section)
        if listed.count < Self.mostListed { listed.append(change) } else { unlisted += 1 }
    }
}

extension ConfigurationNode {
    /// The values of a mapping, or the named elements of a list.
    fileprivate func children(_ way: [String], _ isJSON: Bool) -> [(step: String, node: ConfigurationNode)] {
        switch content {
        case .mapping(let entries): entries.filter { isJSON || !$0.value.isNull }.map { ($0.key, $0.value) }
        case .list(let nodes):
            nodes.enumerated().map { (ConfigurationChanges.name(of: $1, in: way) ?? "[\($0)]", $1.inFull(way)) }
        case .scalar: []
        }
    }
}

extension ConfigurationNode {
    /// A brand domain may be given as its host only.
    fileprivate func inFull(_ way: [String]) -> ConfigurationNode {
        guard way == ["domains", "brand"], text != nil else { return self }
        return ConfigurationNode(place: place, content: .mapping([Entry(key: "host", keyPlace: place, value: self)]))
    }
}

extension JSONValue {
    /// The value, cut to a length that people and clients can read.
    fileprivate var cut: JSONValue {
        let text = ConfigurationSentence.text(of: self)
        return text.utf8.count > ConfigurationChanges.longestValue ? .string(text.cut(toBytes: ConfigurationChanges.longestValue) + "…") : self
    }
}

extension ConfigurationChanges {
    /// False if the difference is described as a whole.
    private static func descends(_ way: [String], _ before: ConfigurationNode, _ after: ConfigurationNode) -> Bool {
        switch (before.content, after.content) {
        case (.mapping(let old), .mapping(let new)):
            // A new paywall for an audience is one change, and not two.
            !isTest(way) && !isRange(way) && (way.count != 3 || way[0] != "placements" || Set(old.map(\.key)) == Set(new.map(\.key)))
        case (.list(let old), .list(let new)):
            // A list of the team's own JSON is described by its elements, if it stays as long.
            isJSON(way) ? old.count == new.count && !old.isEmpty : (old + new).allSatisfy { name(of: $0, in: way) != nil }
        default: false
        }
    }

    /// True if the values here and below are the team's own JSON: a number differs from a text, and null from no value.
    private static func isJSON(_ way: [String]) -> Bool {
        switch way.first {
        case "paywalls": way.count > 3 && way[2] == "remoteConfig"
        case "experiments": way.count > 5 && way[2] == "variations" && way[4] == "remoteConfig"
        default: false
        }
    }

    /// The part of a layer that an experiment takes.
    private static func isRange(_ way: [String]) -> Bool { way.count == 3 && way[0] == "experiments" && way[2] == "layer" }

    /// An attribute with its operators, such as `country: { is: DE }`.
    private static func isTest(_ way: [String]) -> Bool {
        way.count == 3 && ["audiences", "segments"].contains(way[0])
    }

    /// True if the order of the elements has a meaning.
    private static func isOrdered(_ way: [String]) -> Bool {
        way.count == 2 && way[0] == "placements" || way.count == 3 && way[0] == "experiments" && way[2] == "variations"
    }

    /// The name by which an element of a list is found in both files; nil if it has none.
    static func name(of node: ConfigurationNode, in way: [String]) -> String? {
        switch way {
        case ["keys"]: node.text("sdk") ?? node.text("serverFrom")
        case ["links"]: node.text("url")
        case ["identity", "keys"]: node.text("id") ?? node.text("secretFrom") ?? node.text("publicKey")
        case ["domains", "brand"], ["domains", "old"]: node.text("host") ?? node.text
        case let keys where keys.count == 2 && keys[0] == "placements": node.text("audience")
        case let keys where keys.count == 3 && keys[0] == "experiments" && keys[2] == "guardrails": node.text("metric")
        default: nil
        }
    }
}
