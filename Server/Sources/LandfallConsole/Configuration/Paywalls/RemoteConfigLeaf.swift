// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallWire

/// One value of a remote config that contains no other values.
struct RemoteConfigLeaf: Sendable {
    let steps: [ConfigurationEditPath.Step]
    let node: ConfigurationNode

    /// As the page names it: `texts[0].title`.
    var path: String { ConfigurationEditPath(steps)?.description ?? "" }

    /// The first values of a remote config, in the order of the file.
    static func first(_ most: Int, of node: ConfigurationNode) -> [RemoteConfigLeaf] {
        var leaves: [RemoteConfigLeaf] = [], steps: [ConfigurationEditPath.Step] = []
        func add(_ node: ConfigurationNode) {
            guard leaves.count < most else { return }
            guard !node.isLeaf else { return leaves.append(RemoteConfigLeaf(steps: steps, node: node)) }
            node.forEachPart { step, part in
                steps.append(step)
                add(part)
                steps.removeLast()
            }
        }
        add(node)
        return leaves
    }
}

/// How many values the default locale has at each place, so that each other locale is compared with it in the time of its own length.
struct RemoteConfigShape: Sendable {
    let count: Int
    private var parts: [ConfigurationEditPath.Step: RemoteConfigShape] = [:]

    init(_ node: ConfigurationNode) {
        var parts: [ConfigurationEditPath.Step: RemoteConfigShape] = [:]
        if !node.isLeaf { node.forEachPart { parts[$0] = RemoteConfigShape($1) } }
        count = node.isLeaf ? 1 : parts.values.reduce(0) { $0 + $1.count }
        self.parts = parts
    }

    /// How many of its values another locale lacks.
    func missing(in other: ConfigurationNode) -> Int { parts.isEmpty ? 0 : other.isLeaf ? count : count - covered(by: other) }

    /// A text where the default has an object, or an object where it has a text, is another form, and lacks nothing.
    private func covered(by other: ConfigurationNode) -> Int {
        guard !other.isLeaf, !parts.isEmpty else { return count }
        var covered = 0
        other.forEachPart { covered += parts[$0]?.covered(by: $1) ?? 0 }
        return covered
    }
}

extension ConfigurationNode {
    /// True for what contains no other values.
    var isLeaf: Bool {
        switch content {
        case .scalar: true
        case .list(let elements): elements.isEmpty
        case .mapping(let entries): entries.isEmpty
        }
    }

    fileprivate func forEachPart(_ body: (ConfigurationEditPath.Step, ConfigurationNode) -> Void) {
        switch content {
        case .scalar: break
        case .list(let elements): for (index, element) in elements.enumerated() { body(.index(index), element) }
        case .mapping(let entries): for entry in entries { body(.key(entry.key), entry.value) }
        }
    }

    /// As the page shows a leaf: a text without quotes.
    var leafText: String {
        switch content {
        case .scalar(let text, _): isNull ? "null" : text
        case .list: "[]"
        case .mapping: "{}"
        }
    }

    /// As JSON that people read, with sorted keys.
    var readableJSON: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value(isJSON: true))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
