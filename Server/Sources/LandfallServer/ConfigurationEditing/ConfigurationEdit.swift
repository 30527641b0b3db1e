// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A change of one entry of a `landfall.yaml`: it replaces the text of that entry. All other bytes stay, including comments.
struct ConfigurationEdit: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        /// An entry that does not exist is added after the others. An index that equals the count of a list adds an element.
        case set(ConfigurationValue)
        case remove
    }

    let path: ConfigurationEditPath
    let change: Change

    static func set(_ path: ConfigurationEditPath, to value: ConfigurationValue) -> ConfigurationEdit {
        ConfigurationEdit(path: path, change: .set(value))
    }

    static func remove(_ path: ConfigurationEditPath) -> ConfigurationEdit { ConfigurationEdit(path: path, change: .remove) }

    /// The changed text. The parser reads it as the old values with this one change. ``Configuration`` decides whether a
    /// server can serve it: several edits may be needed first.
    func applied(to text: String) throws(ConfigurationEditRefusal) -> String {
        let old = try Self.tree(text)
        let lines = ConfigurationLines(text)
        var writing = ConfigurationRewriting(lines)
        try change(ConfigurationLayout(lines: lines), old, &writing)
        let new = String(decoding: writing.result, as: UTF8.self)
        guard let tree = try? Self.tree(new), isOnlyChange(from: old, to: tree, path.steps[...]) else {
            throw .entangled(path, line: lines.line(of: writing.firstChange) + 1)
        }
        return new
    }

    /// The changed text, if a server can serve it.
    /// - Throws: ``ConfigurationEditRefusal/invalid(_:)`` with every problem of the changed file.
    func checked(
        in text: String, file: String = "landfall.yaml", by read: (String) throws(ConfigurationError) -> Void
    ) throws(ConfigurationEditRefusal) -> String {
        let new = try applied(to: text)
        do { try read(new) } catch { throw .invalid(error) }
        return new
    }

    static func tree(_ text: String) throws(ConfigurationEditRefusal) -> ConfigurationNode {
        var source = ConfigurationText()
        guard let tree = source.parse(text), source.problems.isEmpty else {
            throw .unreadable(ConfigurationError(file: "The file", problems: source.problems))
        }
        return tree
    }

    private func change(
        _ layout: ConfigurationLayout, _ tree: ConfigurationNode, _ writing: inout ConfigurationRewriting
    ) throws(ConfigurationEditRefusal) {
        guard var place = layout.root(tree) else { throw .unclear(path, line: 1) }
        var parent: ConfigurationExtent?
        for (depth, step) in path.steps.enumerated() {
            let line = layout.lines.line(of: place.start) + 1
            if place.isAlias { throw .repeated(path, line: line, definedIn: place.node.place.line) }
            guard let index = place.node.index(of: step) else {
                guard case .set(let value) = change else { throw .absent(path) }
                try add(value, at: path.steps[depth...], to: place, layout, &writing)
                return
            }
            let next = step.isIndex ? layout.element(index, of: place) : layout.entry(index, of: place)
            guard let next else { throw .unclear(path, line: line) }
            (parent, place) = (place, next)
        }
        guard let parent else { throw .unclear(path, line: 1) }
        switch change {
        case .set(let value): writing.replace(place, with: value)
        case .remove:
            guard writing.remove(place, from: parent) else {
                throw .unclear(path, line: layout.lines.line(of: place.start) + 1)
            }
        }
    }

    /// - Parameter steps: the part of the path that does not exist yet.
    private func add(
        _ value: ConfigurationValue, at steps: ArraySlice<ConfigurationEditPath.Step>, to place: ConfigurationExtent,
        _ layout: ConfigurationLayout, _ writing: inout ConfigurationRewriting
    ) throws(ConfigurationEditRefusal) {
        var value = value
        for step in steps.dropFirst().reversed() {
            guard case .key(let name) = step else { throw .absent(path) }
            value = .mapping([.init(name: name, value: value)])
        }
        guard let step = steps.first else { throw .absent(path) }
        let last: ConfigurationExtent?
        switch (step, place.node.content) {
        case (.key(let name), .mapping(let entries)) where entries.isEmpty:
            return writing.replace(place, with: .mapping([.init(name: name, value: value)]))
        case (.index(0), .list(let elements)) where elements.isEmpty: return writing.replace(place, with: .list([value]))
        case (.key(let name), .scalar) where place.node.isNull:
            return writing.replace(place, with: .mapping([.init(name: name, value: value)]))
        case (.index(0), .scalar) where place.node.isNull: return writing.replace(place, with: .list([value]))
        case (.key, .mapping(let entries)): last = layout.entry(entries.count - 1, of: place)
        case (.index(elementCount(place.node)), .list(let elements)): last = layout.element(elements.count - 1, of: place)
        default: throw .absent(path)
        }
        guard let last else { throw .unclear(path, line: layout.lines.line(of: place.start) + 1) }
        if case .key(let name) = step {
            writing.add(.init(name: name, value: value), behind: last)
        } else {
            writing.add(value, behind: last)
        }
    }

    private func elementCount(_ node: ConfigurationNode) -> Int {
        if case .list(let elements) = node.content { elements.count } else { -1 }
    }

    /// - Parameter steps: the rest of the path to the changed value.
    private func isOnlyChange(
        from old: ConfigurationNode, to new: ConfigurationNode, _ steps: ArraySlice<ConfigurationEditPath.Step>
    ) -> Bool {
        guard let step = steps.first else {
            if case .set(let value) = change { return value.isSaid(by: new) } else { return false }
        }
        let rest = steps.dropFirst()
        switch (old.content, new.content, step) {
        case (.mapping(let before), .mapping(let after), .key(let name)):
            let isRemoval = rest.isEmpty && change == .remove
            let kept = isRemoval ? before.filter { !$0.key.hasSameBytes(as: name) } : before
            let isAddition = !isRemoval && after.count == kept.count + 1
            guard isAddition || after.count == kept.count else { return false }
            if isAddition, let last = after.last {
                guard last.key.hasSameBytes(as: name), isSaid(by: last.value, rest) else { return false }
            }
            return zip(kept, after).allSatisfy { old, new in
                old.key.hasSameBytes(as: new.key)
                    && (!isRemoval && !isAddition && old.key.hasSameBytes(as: name)
                        ? isOnlyChange(from: old.value, to: new.value, rest) : old.value.saysTheSame(as: new.value))
            }
        case (.list(let before), .list(let after), .index(let index)):
            let isRemoval = rest.isEmpty && change == .remove
            var kept = before
            if isRemoval { kept.remove(at: index) }
            let isAddition = !isRemoval && after.count == kept.count + 1
            guard isAddition || after.count == kept.count else { return false }
            if isAddition, let last = after.last, !isSaid(by: last, rest) { return false }
            return zip(kept, after).enumerated().allSatisfy { place, pair in
                !isRemoval && !isAddition && place == index
                    ? isOnlyChange(from: pair.0, to: pair.1, rest) : pair.0.saysTheSame(as: pair.1)
            }
        case (.scalar, _, _) where old.isNull: return isSaid(by: new, steps)
        default: return false
        }
    }

    /// True if a value that did not exist is the new one, below the keys that lead to it.
    private func isSaid(by node: ConfigurationNode, _ steps: ArraySlice<ConfigurationEditPath.Step>) -> Bool {
        guard case .set(let value) = change else { return false }
        var node = node
        for step in steps {
            switch (step, node.content) {
            case (.key(let name), .mapping(let entries)) where entries.count == 1 && entries[0].key.hasSameBytes(as: name):
                node = entries[0].value
            case (.index(0), .list(let elements)) where elements.count == 1: node = elements[0]
            default: return false
            }
        }
        return value.isSaid(by: node)
    }
}
