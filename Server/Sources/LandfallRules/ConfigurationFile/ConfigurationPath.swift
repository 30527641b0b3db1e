// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The path of a value in the file, as people write it: `placements.onboarding[0].paywall`, `audiences.ads["app.version"]`.
package struct ConfigurationPath: Hashable, Sendable, CustomStringConvertible {
    /// In bytes. A longer path is cut.
    static let longest = 200

    package private(set) var description = ""

    mutating func step(into key: String) {
        let isPlain = !key.isEmpty && key.utf8.allSatisfy {
            Character(UnicodeScalar($0)).isASCIIWord || $0 == UInt8(ascii: "-")
        }
        if !isPlain {
            append("[\"\(key.shortened)\"]")
        } else {
            append(description.isEmpty ? key : "." + key)
        }
    }

    mutating func step(into index: Int) { append("[\(index)]") }

    private mutating func append(_ text: String) {
        guard description.utf8.count < Self.longest else { return }
        description = (description + text).cut(toBytes: Self.longest)
    }
}

extension ConfigurationNode {
    /// The path from here to the node with this number, see ``Place/node``; the longest existing part if there is no such node.
    package func path(toNode number: Int) -> String {
        var path = ConfigurationPath()
        var node = self
        while node.place.node != number {
            switch node.content {
            case .mapping(let entries):
                guard let entry = entries.last(where: { $0.value.place.node <= number }) else { return path.description }
                path.step(into: entry.key)
                node = entry.value
            case .list(let elements):
                guard let index = elements.lastIndex(where: { $0.place.node <= number }) else { return path.description }
                path.step(into: index)
                node = elements[index]
            case .scalar: return path.description
            }
        }
        return path.description
    }
}
