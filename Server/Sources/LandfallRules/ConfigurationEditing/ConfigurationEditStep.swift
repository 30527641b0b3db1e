// SPDX-License-Identifier: Apache-2.0

/// Makes one step of the edits of a file: goes through the values on the way to them, and writes.
struct ConfigurationEditStep {
    let layout: ConfigurationLayout
    private(set) var writing: ByteReplacements
    private let step: ConfigurationEdits.Step

    init(_ step: ConfigurationEdits.Step, _ lines: ConfigurationLines) {
        self.step = step
        layout = ConfigurationLayout(lines: lines)
        writing = ByteReplacements(lines)
    }

    /// - Parameter place: a value that stays; something in it changes.
    mutating func make(_ edits: ConfigurationEditTree, in place: ConfigurationExtent) throws(ConfigurationEditRefusal) {
        let line = layout.lines.line(of: place.start) + 1
        if place.isAlias { throw .repeated(edits.path, line: line, definedIn: place.node.place.line) }
        let (known, missing) = place.node.entries(of: edits)
        let concerned = known.filter { concerns($0.edits) }
        guard let places = layout.children(concerned.map(\.index), of: place) else { throw .unclear(edits.path, line: line) }
        let removed = zip(concerned, places).filter { $0.0.edits.change == .remove }.map { (index: $0.0.index, place: $0.1) }
        for ((_, edits), entry) in zip(concerned, places) {
            switch edits.change {
            case .set(let value): writing.replace(entry, with: value)
            case .remove: break
            case nil: try make(edits, in: entry)
            }
        }
        if step == .adding, !missing.isEmpty { try add(missing, to: place) }
        guard let first = removed.first, !writing.remove(removed, from: place) else { return }
        throw .unclear(edits.below.first { $0.edits.change == .remove }?.edits.path ?? edits.path, line: layout.lines.line(of: first.place.start) + 1)
    }

    /// Whether this step has, or may have, something to do there.
    private func concerns(_ edits: ConfigurationEditTree) -> Bool {
        switch edits.change {
        case .set: step == .replacing
        case .remove: step == .removing
        case nil: true
        }
    }

    private mutating func add(
        _ missing: [(step: ConfigurationEditPath.Step, edits: ConfigurationEditTree)], to place: ConfigurationExtent
    ) throws(ConfigurationEditRefusal) {
        var members: [ConfigurationValue.Member] = [], elements: [ConfigurationValue] = []
        let count = place.node.items.count
        for (step, edits) in missing {
            switch step {
            case .key(let name) where elements.isEmpty: members.append(.init(name: name, value: try edits.value()))
            case .index(count + elements.count) where members.isEmpty: elements.append(try edits.value())
            default: throw .absent(edits.path)
            }
        }
        let path = missing[0].edits.path
        guard place.node.isNull || (members.isEmpty ? place.node.isList : place.node.isMapping) else { throw .absent(path) }
        let last = max(place.node.entries.count, count) - 1
        guard last >= 0 else { return writing.replace(place, with: members.isEmpty ? .list(elements) : .mapping(members)) }
        guard let behind = layout.children([last], of: place)?.first else {
            throw .unclear(path, line: layout.lines.line(of: place.start) + 1)
        }
        for member in members { writing.add(member, behind: behind) }
        for element in elements { writing.add(element, behind: behind) }
    }
}
