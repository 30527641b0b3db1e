// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Yams

/// Parses YAML into nodes within limits, so that a hostile file is refused and does no harm. Only this file uses Yams.
///
/// Scalars are read as YAML 1.2 says, so `NO` is Norway and `1.10` keeps its zero.
package struct ConfigurationText {
    /// Bytes.
    package static let largest = 4 * 1024 * 1024
    static let deepest = 64
    /// The most nodes after aliases are followed: limits a file of nested aliases.
    package static let mostNodes = 500_000

    package private(set) var problems: [ConfigurationProblem] = []
    private let mostNodes: Int
    private var nodeCount = 0

    package init(mostNodes: Int = Self.mostNodes) { self.mostNodes = mostNodes }

    /// The file has more values than it may have.
    package var hasTooManyNodes: Bool { nodeCount > mostNodes }

    /// Nil for a text that is not usable YAML; `problems` then says why.
    package mutating func parse(_ text: String) -> ConfigurationNode? {
        guard text.utf8.count <= Self.largest else {
            note(
                .start,
                "The file is larger than 4 MiB. Move large remote configs to your own server and keep their address here.")
            return nil
        }
        guard CombiningMarks.areFew(escaped: Data(text.utf8)) else {
            note(.start, "A text has more than \(CombiningMarks.mostInARow) combining marks in a row. Remove some.")
            return nil
        }
        if let place = AliasedKeys.first(in: text) {
            note(place, "An alias is used in a key. Write the key out; aliases are for values.")
            return nil
        }
        do {
            guard let root = try Parser(yaml: text, resolver: .basic).singleRoot() else {
                note(.start, "The file is empty. Start from Examples/SelfHost/landfall.yaml.")
                return nil
            }
            return node(root, depth: 0)
        } catch {
            note(error, in: text)
            return nil
        }
    }

    private mutating func note(_ place: ConfigurationNode.Place, _ message: String) {
        problems.append(ConfigurationProblem(place: place, message: message))
    }

    /// Nil once a limit is passed: that is noted once, and the rest of the file is not read.
    private mutating func node(_ node: Node, depth: Int) -> ConfigurationNode? {
        nodeCount += 1
        let place = ConfigurationNode.Place(node.mark, node: nodeCount)
        guard nodeCount <= mostNodes else {
            if nodeCount == mostNodes + 1 {
                note(
                    place,
                    "The file has more than \(mostNodes) values, counting those that aliases repeat. Use fewer aliases.")
            }
            return nil
        }
        guard depth <= Self.deepest else {
            note(place, "Values are nested deeper than \(Self.deepest) levels. Flatten them.")
            return nil
        }
        switch node {
        case .scalar(let scalar): return ConfigurationNode(place: place, content: content(scalar, place))
        case .sequence(let sequence):
            var list: [ConfigurationNode] = []
            for element in sequence {
                guard let element = self.node(element, depth: depth + 1) else { return nil }
                list.append(element)
            }
            return ConfigurationNode(place: place, content: .list(list))
        case .mapping(let mapping):
            return entries(mapping, depth: depth).map { ConfigurationNode(place: place, content: .mapping($0)) }
        case .alias:
            note(place, "This alias has no anchor. Define the anchor above it.")
            return nil
        }
    }

    private mutating func entries(_ mapping: Node.Mapping, depth: Int) -> [ConfigurationNode.Entry]? {
        var entries: [ConfigurationNode.Entry] = []
        var places: [String: ConfigurationNode.Place] = [:]
        for (key, value) in mapping {
            // A key is read as its text.
            let place = ConfigurationNode.Place(key.mark, node: nodeCount + 1)
            guard let name = key.scalar?.string else {
                note(place, "A key is a list or a mapping. Use a name.")
                continue
            }
            guard let value = node(value, depth: depth + 1) else { return nil }
            if name == "<<" {
                note(place, "Merge keys ('<<') are not supported. Write the values out, or use an alias for one whole value.")
            } else if let first = places.updateValue(place, forKey: name) {
                note(place, "'\(name.shortened)' is here a second time; the first is in line \(first.line). Keep one of them.")
            } else {
                entries.append(.init(key: name, keyPlace: place, value: value))
            }
        }
        return entries
    }

    private mutating func content(_ scalar: Node.Scalar, _ place: ConfigurationNode.Place) -> ConfigurationNode.Content {
        if scalar.string.unicodeScalars.contains("\0") {
            note(place, "The text contains U+0000, which no database stores. Remove it.")
        }
        if !["", Tag.Name.str.rawValue].contains(scalar.tag.rawValue) {
            note(
                place,
                "Tags such as '\(scalar.tag.rawValue.shortened)' are not supported. Remove the tag; quote the value if it is text.")
        }
        return .scalar(scalar.string, isQuoted: scalar.style != .plain || !scalar.tag.rawValue.isEmpty)
    }

    private mutating func note(_ error: any Error, in text: String) {
        switch error as? YamlError {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            let advice =
                context?.text.contains("block scalar") == true
                ? "An operator that starts with '>' needs quotes: \">=\"."
                : "Look at the indentation, colons and quotes here and in the line above."
            let reason = [context?.text, problem].compactMap(\.self).joined(separator: ", ")
            note(.init(mark), "This is not YAML (\(reason)). \(advice)")
        case .reader(let problem, let offset, _, _):
            note(
                .init(character: offset ?? 0, of: text),
                "The file contains a character that YAML does not allow (\(problem)). Remove it.")
        case .duplicatedKeysInMapping(let names, let context):
            let listed = names.map { "'\($0.shortened)'" }.joined(separator: ", ")
            note(.init(context.mark), "\(listed) occurs more than once in this mapping; this is the first one. Keep one of them.")
        default: note(.start, "The file cannot be read as YAML. Save it as UTF-8 text.")
        }
    }
}

extension ConfigurationNode.Place {
    fileprivate init(_ mark: Mark?, node: Int = 0) {
        self.init(line: mark?.line ?? 1, column: mark?.column ?? 1, node: node)
    }

    fileprivate init(character offset: Int, of text: String) {
        let before = text.prefix(offset)
        let lineStart = before.lastIndex(where: \.isNewline).map { before.index(after: $0) } ?? before.startIndex
        self.init(
            line: before.count(where: \.isNewline) + 1,
            column: before[lineStart...].unicodeScalars.count + 1
        )
    }
}

extension String {
    /// Short enough to be repeated in a message.
    package var shortened: String { utf8.count <= 60 ? self : cut(toBytes: 60) + "…" }
}
