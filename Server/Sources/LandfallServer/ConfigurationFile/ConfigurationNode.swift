// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A value of the file with its place. Aliases are already followed; keys are unique.
struct ConfigurationNode: Sendable {
    /// Both count from 1; a column is a Unicode scalar.
    struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
        let line: Int
        let column: Int
        /// The number of the node that is there, in the order of reading and from 1; 0 where no node is meant. Aliases put several
        /// nodes at one place, so places are compared without it.
        var node = 0

        static let start = Place(line: 1, column: 1)
        var description: String { "\(line):\(column)" }

        static func == (left: Place, right: Place) -> Bool { (left.line, left.column) == (right.line, right.column) }

        func hash(into hasher: inout Hasher) {
            hasher.combine(line)
            hasher.combine(column)
        }

        static func < (left: Place, right: Place) -> Bool { (left.line, left.column) < (right.line, right.column) }
    }

    struct Entry: Sendable {
        let key: String
        let keyPlace: Place
        let value: ConfigurationNode
    }

    enum Content: Sendable {
        case mapping([Entry])
        case list([ConfigurationNode])
        /// As written, without quotes. Only an unquoted scalar can be null, a number or a flag.
        case scalar(String, isQuoted: Bool)
    }

    let place: Place
    let content: Content

    /// True for a mapping with this key and any value.
    func has(_ key: String) -> Bool {
        if case .mapping(let entries) = content { entries.contains { $0.key.hasSameBytes(as: key) } } else { false }
    }

    /// A scalar in its written form; nil for a list and a mapping.
    var text: String? { if case .scalar(let text, _) = content { text } else { nil } }

    /// An unquoted `~`, `null` or nothing at all.
    var isNull: Bool {
        if case .scalar(let text, isQuoted: false) = content {
            ["", "~", "null", "Null", "NULL"].contains(text)
        } else {
            false
        }
    }
}
