// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// References to names that another part of the file defines.
extension ConfigurationReader {
    /// Notes each element of a list whose name an element before it has. The name is the one by which the element is found in two
    /// versions of the file.
    mutating func noteSecondNames(_ elements: [ConfigurationNode], in way: [String]) {
        var first: [ExactText: ConfigurationNode.Place] = [:]
        for element in elements {
            guard let name = element.name(in: way) else { continue }
            guard let before = first[ExactText(name)] else {
                first[ExactText(name)] = element.place
                continue
            }
            // The name is not repeated: it may be a secret that was put here by mistake.
            note(element.place, "The entry in line \(before.line) has the same name. Keep one of them.")
        }
    }

    /// - Parameter kind: the kind of thing, and the key that has its name.
    mutating func reference<Value>(_ node: ConfigurationNode?, _ kind: String, _ named: Named<Value>) -> Value? {
        guard let node, let name = text(node, "'\(kind)'") else { return nil }
        _ = isKnown(name, kind, at: node.place, among: named.names)
        return named[name]
    }

    /// - Parameter whereNone: the advice if nothing of that kind is defined.
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
