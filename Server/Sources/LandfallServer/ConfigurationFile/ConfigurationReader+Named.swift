// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// References to names that another part of the file defines.
extension ConfigurationReader {
    /// - Parameter kind: the kind of thing, and the key that has its name.
    mutating func reference<Value>(_ node: ConfigurationNode?, _ kind: String, _ named: Named<Value>) -> Value? {
        guard let node, let name = text(node, "'\(kind)'") else { return nil }
        _ = isKnown(name, kind, at: node.place, among: named.names)
        return named[name]
    }

    /// - Parameter whereNone: what to do if nothing of that kind is defined.
    /// - Returns: false after noting that there is nothing of that name.
    mutating func isKnown(
        _ name: String, _ kind: String, at place: ConfigurationNode.Place, among known: Set<ExactText>, whereNone: String = ""
    ) -> Bool {
        if known.contains(ExactText(name)) { return true }
        func advice() -> String { known.isEmpty ? whereNone : Suggestion.sentence(for: name, among: known.map(\.text)) }
        note(place, "There is no \(kind) '\(name.shortened)'.\(advice())")
        return false
    }
}
