// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The differences of two files in meaning: comments, the order of keys, quotes and aliases change nothing. Compares the files'
/// values, so it can also compare versions that this release cannot serve.
package struct ConfigurationChanges: Hashable, Sendable {
    /// Further changes are not listed, only counted.
    static let mostListed = 1_000
    /// A value whose JSON has more bytes than this is cut to its beginning, as text.
    static let longestValue = 8 * 1024

    package private(set) var listed: [ConfigurationChange] = []
    /// The number of changes that are not listed.
    package private(set) var unlisted = 0

    /// Sections that have a change, whether it is listed or not.
    package private(set) var sections: Set<String> = []

    /// - Parameter before: nil means that there was no file.
    package init(from before: ConfigurationNode?, to after: ConfigurationNode?) {
        compare(before, after, [])
        for section in Configuration.protectedSections.subtracting(sections).sorted() {
            compareWhole(before?[section], after?[section], section)
        }
    }

    package var isEmpty: Bool { listed.isEmpty }

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
        let old = Child.all(of: before, way, isJSON), new = Child.all(of: after, way, isJSON)
        if Self.isOrdered(way) { tellOrder(old.map(\.step), new.map(\.step), way) }
        let oldByName = Dictionary(uniqueKeysWithValues: old.map { ($0.name, $0.node) })
        let newByName = Dictionary(uniqueKeysWithValues: new.map { ($0.name, $0.node) })
        for child in old { compare(child.node, newByName[child.name], way + [child.step]) }
        for child in new where oldByName[child.name] == nil { compare(nil, child.node, way + [child.step]) }
    }

    /// A protected section may differ in a way that no sentence above describes, such as the order of its entries. That is one
    /// change of the whole section: nobody may change it unseen.
    private mutating func compareWhole(_ before: ConfigurationNode?, _ after: ConfigurationNode?, _ section: String) {
        let old = before?.writtenOut([section]), new = after?.writtenOut([section])
        guard let old, let new, !old.hasSameMeaning(as: new, false) else { return }
        note(
            ConfigurationChange(
                kind: .changed, steps: [section], before: old.value(isJSON: false).cut, after: new.value(isJSON: false).cut,
                sentence: "\(section): its entries or their order change"))
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

/// A value of a mapping, or an element of a list, on its way to its counterpart in the other file.
private struct Child {
    /// The name, and how many children before it have the same name: the second child of a name is not the counterpart of the first.
    struct Name: Hashable {
        let text: ExactText
        let occurrence: Int
    }

    let name: Name
    let node: ConfigurationNode

    /// Its name in the path; `NAME (2)` for a second one of that name.
    var step: String { name.occurrence == 0 ? name.text.text : "\(name.text.text) (\(name.occurrence + 1))" }

    static func all(of node: ConfigurationNode?, _ way: [String], _ isJSON: Bool) -> [Child] {
        let named: [(name: String, node: ConfigurationNode)] =
            switch node?.content {
            case .mapping(let entries): entries.filter { isJSON || !$0.value.isNull }.map { ($0.key, $0.value) }
            case .list(let nodes):
                nodes.enumerated().map { ($1.name(in: way) ?? "[\($0)]", $1.inFull(way)) }
            case .scalar, nil: []
            }
        var seen: [ExactText: Int] = [:]
        return named.map { name, node in
            let text = ExactText(name), occurrence = seen[text, default: 0]
            seen[text] = occurrence + 1
            return Child(name: Name(text: text, occurrence: occurrence), node: node)
        }
    }
}

extension ConfigurationNode {
    /// A brand domain may be given as its host only.
    fileprivate func inFull(_ way: [String]) -> ConfigurationNode {
        guard way == ["domains", "brand"], text != nil else { return self }
        return ConfigurationNode(place: place, content: .mapping([Entry(key: "host", keyPlace: place, value: self)]))
    }

    /// A section with its short forms in full.
    fileprivate func writtenOut(_ way: [String]) -> ConfigurationNode {
        switch content {
        case .mapping(let entries):
            let entries = entries.map { Entry(key: $0.key, keyPlace: $0.keyPlace, value: $0.value.writtenOut(way + [$0.key])) }
            return ConfigurationNode(place: place, content: .mapping(entries))
        case .list(let nodes): return ConfigurationNode(place: place, content: .list(nodes.map { $0.inFull(way) }))
        case .scalar: return self
        }
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
            isJSON(way) ? old.count == new.count && !old.isEmpty : (old + new).allSatisfy { $0.name(in: way) != nil }
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
}
