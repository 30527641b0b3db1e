// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The changes of a file by the entries that they concern, so that each mapping and list on the way to them is looked at once.
struct ConfigurationEditTree: Sendable {
    typealias Step = ConfigurationEditPath.Step

    /// Of the first edit that leads here.
    let path: ConfigurationEditPath
    private(set) var change: ConfigurationEdit.Change?
    /// In the order of the edits.
    private(set) var below: [(step: Step, edits: ConfigurationEditTree)] = []
    private var places: [Step: Int] = [:]

    init(_ path: ConfigurationEditPath) { self.path = path }

    /// - Parameter steps: the rest of the edit's path.
    mutating func insert(_ edit: ConfigurationEdit, _ steps: ArraySlice<Step>) throws(ConfigurationEditRefusal) {
        guard let step = steps.first else {
            guard below.isEmpty, change == nil else { throw .entangled(edit.path, line: 1) }
            change = edit.change
            return
        }
        guard change == nil else { throw .entangled(edit.path, line: 1) }
        let place = places[step] ?? below.count
        if place == below.count {
            places[step] = place
            below.append((step, ConfigurationEditTree(edit.path)))
        }
        try below[place].edits.insert(edit, steps.dropFirst())
    }

    /// The value that the edits make where the file has none.
    func value() throws(ConfigurationEditRefusal) -> ConfigurationValue {
        switch change {
        case .set(let value): return value
        case .remove: throw .absent(path)
        case nil: break
        }
        var members: [ConfigurationValue.Member] = [], elements: [ConfigurationValue] = []
        for (step, edits) in below {
            switch step {
            case .key(let name) where elements.isEmpty: members.append(.init(name: name, value: try edits.value()))
            case .index(elements.count) where members.isEmpty: elements.append(try edits.value())
            default: throw .absent(edits.path)
            }
        }
        return elements.isEmpty ? .mapping(members) : .list(elements)
    }
}

extension ConfigurationNode {
    /// The edits below this value: those of its entries by their indices, in the order of the file, and those of entries that it lacks.
    func entries(
        of edits: ConfigurationEditTree
    ) -> (known: [(index: Int, edits: ConfigurationEditTree)], missing: [(step: ConfigurationEditPath.Step, edits: ConfigurationEditTree)]) {
        let places = Dictionary(edits.below.enumerated().map { ($0.element.step, $0.offset) }) { first, _ in first }
        var known: [(index: Int, edits: ConfigurationEditTree)] = [], found: Set<Int> = []
        func take(_ index: Int, _ step: ConfigurationEditPath.Step) {
            guard let place = places[step] else { return }
            found.insert(place)
            known.append((index, edits.below[place].edits))
        }
        switch content {
        case .mapping(let entries): for (index, entry) in entries.enumerated() { take(index, .key(entry.key)) }
        case .list(let elements): for index in elements.indices { take(index, .index(index)) }
        case .scalar: break
        }
        return (known, edits.below.indices.filter { !found.contains($0) }.map { edits.below[$0] })
    }

    /// True if this is what the other file says after one step of the edits.
    func says(_ old: ConfigurationNode, with edits: ConfigurationEditTree, in step: ConfigurationEdits.Step) -> Bool {
        if let change = edits.change {
            if case .set(let value) = change, step == .replacing { return value.isSaid(by: self) }
            return saysTheSame(as: old)
        }
        let (known, missing) = old.entries(of: edits)
        let added = step == .adding ? missing : []
        let removed = step == .removing ? Set(known.filter { $0.edits.change == .remove }.map(\.index)) : []
        let changed = Dictionary(known.map { ($0.index, $0.edits) }) { first, _ in first }
        func says(_ value: ConfigurationNode, _ old: ConfigurationNode, _ index: Int) -> Bool {
            changed[index].map { value.says(old, with: $0, in: step) } ?? value.saysTheSame(as: old)
        }
        func isSaid(_ edits: ConfigurationEditTree, by node: ConfigurationNode) -> Bool { (try? edits.value())?.isSaid(by: node) ?? false }
        switch (content, old.content) {
        case (.mapping(let entries), _) where old.isMapping || old.isNull && !added.isEmpty:
            let kept = old.entries.enumerated().filter { !removed.contains($0.offset) }
            guard entries.count == kept.count + added.count else { return false }
            return zip(entries, kept).allSatisfy { $0.key.hasSameBytes(as: $1.element.key) && says($0.value, $1.element.value, $1.offset) }
                && zip(entries.dropFirst(kept.count), added).allSatisfy { .key($0.key) == $1.step && isSaid($1.edits, by: $0.value) }
        case (.list(let elements), _) where old.isList || old.isNull && !added.isEmpty:
            let kept = old.items.enumerated().filter { !removed.contains($0.offset) }
            guard elements.count == kept.count + added.count else { return false }
            return zip(elements, kept).allSatisfy { says($0, $1.element, $1.offset) }
                && zip(elements.dropFirst(kept.count), added).allSatisfy { isSaid($1.edits, by: $0) }
        default: return added.isEmpty && saysTheSame(as: old)
        }
    }

    var isList: Bool { if case .list = content { true } else { false } }

    var isMapping: Bool { if case .mapping = content { true } else { false } }
}
