// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A value of the file with its place. Aliases are already followed; keys are unique.
package struct ConfigurationNode: Sendable {
    /// Both count from 1; a column is a Unicode scalar.
    package struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
        package let line: Int
        package let column: Int
        /// The number of the node at this place, from 1 in the order of reading; 0 if no node is meant. Aliases put several
        /// nodes at one place, so places are compared without it.
        package var node = 0

        package static let start = Place(line: 1, column: 1)
        package var description: String { "\(line):\(column)" }

        package static func == (left: Place, right: Place) -> Bool { (left.line, left.column) == (right.line, right.column) }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(line)
            hasher.combine(column)
        }

        package static func < (left: Place, right: Place) -> Bool { (left.line, left.column) < (right.line, right.column) }
    }

    package struct Entry: Sendable {
        package let key: String
        package let keyPlace: Place
        package let value: ConfigurationNode
    }

    package enum Content: Sendable {
        case mapping([Entry])
        case list([ConfigurationNode])
        /// As written, without quotes. Only an unquoted scalar can be null, a number or a flag.
        case scalar(String, isQuoted: Bool)
    }

    package let place: Place
    package let content: Content

    package init(place: Place, content: Content) {
        (self.place, self.content) = (place, content)
    }

    /// True for a mapping with this key and any value.
    package func has(_ key: String) -> Bool {
        if case .mapping(let entries) = content { entries.contains { $0.key.hasSameBytes(as: key) } } else { false }
    }

    /// A scalar in its written form; nil for a list and a mapping.
    package var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

    /// An unquoted `~`, `null` or nothing at all.
    package var isNull: Bool {
        if case .scalar(let text, isQuoted: false) = content {
            ["", "~", "null", "Null", "NULL"].contains(text)
        } else {
            false
        }
    }
}

extension ConfigurationNode {
    /// The entries of a mapping; empty for anything else.
    package var entries: [Entry] { if case .mapping(let entries) = content { entries } else { [] } }

    /// The elements of a list; empty for anything else.
    package var items: [ConfigurationNode] { if case .list(let elements) = content { elements } else { [] } }
}
