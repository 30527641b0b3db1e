// SPDX-License-Identifier: Apache-2.0

extension ConfigurationReader {
    /// Rules with names that audiences and other segments use. They may be in any order, and none may refer to itself, directly or
    /// through others.
    mutating func segments(_ node: ConfigurationNode, _ context: inout ConditionContext) {
        let entries = entries(node, of: "'segments'") ?? []
        var order = SegmentOrder(entries)
        for index in order.sorted() {
            let entry = entries[index]
            let isName = isName(entry.key, at: entry.keyPlace, of: "A segment")
            let condition = order.isInCycle(index) ? nil : rule(entry.value, &context)
            context.segments.add(entry.key, isName ? condition.map { Segment(name: entry.key, condition: $0) } : nil)
        }
        for cycle in order.cycles {
            note(
                cycle.place,
                "The segments \(cycle.names.map { "'\($0.shortened)'" }.joined(separator: " → ")) refer to each other in a circle. Remove one of these references.")
        }
    }
}

/// In which order segments can be read: each after those that it uses.
private struct SegmentOrder {
    struct Cycle {
        let names: [String]
        /// The place of the reference that closes the circle.
        let place: ConfigurationNode.Place
    }

    private let entries: [ConfigurationNode.Entry]
    private let indices: [String: Int]
    private var order: [Int] = []
    private var isDone: [Bool]
    private var inCycles: Set<Int> = []
    private(set) var cycles: [Cycle] = []

    init(_ entries: [ConfigurationNode.Entry]) {
        self.entries = entries
        indices = Dictionary(entries.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { first, _ in first })
        isDone = Array(repeating: false, count: entries.count)
    }

    func isInCycle(_ index: Int) -> Bool { inCycles.contains(index) }

    /// Without recursion: a chain may be as long as the file.
    mutating func sorted() -> [Int] {
        for start in entries.indices where !isDone[start] {
            var stack: [(index: Int, uses: [Use])] = [(start, Self.uses(in: entries[start].value))]
            var open: Set<Int> = [start]
            while let index = stack.last?.index {
                guard let use = stack[stack.count - 1].uses.popLast() else {
                    stack.removeLast()
                    open.remove(index)
                    isDone[index] = true
                    order.append(index)
                    continue
                }
                guard let next = indices[use.name], !isDone[next] else { continue }
                if open.contains(next) {
                    // What comes next in the order is not known where this segment is read.
                    inCycles.insert(index)
                    // Stops when the reader notes no more problems, because each cycle may be as long as the file.
                    guard cycles.count < ConfigurationReader.mostProblems else { continue }
                    let path = stack.map(\.index).drop { $0 != next }
                    inCycles.formUnion(path)
                    cycles.append(Cycle(names: Self.told(path.map { entries[$0].key }) + [entries[next].key], place: use.place))
                } else {
                    open.insert(next)
                    stack.append((next, Self.uses(in: entries[next].value)))
                }
            }
        }
        return order
    }

    /// The names of a cycle; for a long one, without those in the middle.
    private static func told(_ names: [String]) -> [String] {
        names.count > mostNames ? Array(names.prefix(mostNames - 1)) + ["…"] + names.suffix(1) : names
    }

    private static let mostNames = 10

    private typealias Use = (name: String, place: ConfigurationNode.Place)

    private static func uses(in node: ConfigurationNode) -> [Use] {
        switch node.content {
        case .scalar: []
        case .list(let elements): elements.flatMap { uses(in: $0) }
        case .mapping(let entries):
            entries.flatMap { entry -> [Use] in
                if entry.key == "segment", case .scalar(let name, _) = entry.value.content { return [(name, entry.value.place)] }
                return uses(in: entry.value)
            }
        }
    }
}
