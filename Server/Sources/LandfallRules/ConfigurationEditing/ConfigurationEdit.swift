// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A change of one entry of a `landfall.yaml`: it replaces the text of that entry. All other bytes stay, including comments.
package struct ConfigurationEdit: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// An entry that does not exist is added after the others. An index that equals the count of a list adds an element.
        case set(ConfigurationValue)
        case remove
    }

    package let path: ConfigurationEditPath
    package let change: Change

    package init(path: ConfigurationEditPath, change: Change) {
        (self.path, self.change) = (path, change)
    }

    package static func set(_ path: ConfigurationEditPath, to value: ConfigurationValue) -> ConfigurationEdit {
        ConfigurationEdit(path: path, change: .set(value))
    }

    package static func remove(_ path: ConfigurationEditPath) -> ConfigurationEdit { ConfigurationEdit(path: path, change: .remove) }

    /// The changed text. The parser reads it as the old values with this one change. ``Configuration`` decides whether a
    /// server can serve it: several edits may be needed first.
    package func applied(to text: String) throws(ConfigurationEditRefusal) -> String { try ConfigurationEdits([self]).applied(to: text) }

    package static func tree(_ text: String) throws(ConfigurationEditRefusal) -> ConfigurationNode {
        var source = ConfigurationText()
        guard let tree = source.parse(text), source.problems.isEmpty else {
            throw .unreadable(ConfigurationError(file: "The file", problems: source.problems))
        }
        return tree
    }
}

/// Changes of several entries of one file, made together. Whatever their number, the file is read once, and once more after each of
/// the three steps that has something to do: values are replaced, entries are added, entries are removed.
///
/// Every path means the file as it was. An entry may have one change, and none if an entry around it has one.
package struct ConfigurationEdits: Sendable {
    enum Step: CaseIterable, Sendable { case replacing, adding, removing }

    package let edits: [ConfigurationEdit]

    package init(_ edits: [ConfigurationEdit]) { self.edits = edits }

    /// The changed text, read as the old values with these changes only.
    /// - Parameter read: the values of the text, if they are known.
    package func applied(to text: String, read: ConfigurationNode? = nil) throws(ConfigurationEditRefusal) -> String {
        guard let first = edits.first else { return text }
        var tree = ConfigurationEditTree(first.path)
        for edit in edits { try tree.insert(edit, edit.path.steps[...]) }
        var text = text
        var old = if let read { read } else { try ConfigurationEdit.tree(text) }
        for step in Step.allCases {
            let lines = ConfigurationLines(text)
            var making = ConfigurationEditStep(step, lines)
            guard let root = making.layout.root(old) else { throw .unclear(first.path, line: 1) }
            try making.make(tree, in: root)
            guard making.writing.hasChanges else { continue }
            guard let bytes = making.writing.result else { throw .unclear(first.path, line: lines.line(of: making.writing.firstChange) + 1) }
            text = String(decoding: bytes, as: UTF8.self)
            guard let new = try? ConfigurationEdit.tree(text), new.says(old, with: tree, in: step) else {
                throw .entangled(first.path, line: lines.line(of: making.writing.firstChange) + 1)
            }
            old = new
        }
        return text
    }
}
