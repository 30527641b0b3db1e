// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Reads nodes as the expected values. A problem is noted and reading goes on, so that one run reports all problems.
struct ConfigurationReader {
    /// Secrets are never in the file.
    let secrets: SecretEnvironment
    /// Stop after 100 problems: each suggestion costs time.
    static let mostProblems = 100
    private(set) var problems: [ConfigurationProblem] = []
    /// What is allowed, but probably not meant.
    private(set) var warnings: [ConfigurationProblem] = []

    init(secrets: SecretEnvironment) { self.secrets = secrets }

    /// - Parameter message: not evaluated once enough problems are noted.
    mutating func note(_ place: ConfigurationNode.Place, _ message: @autoclosure () -> String) {
        guard problems.count < Self.mostProblems else { return }
        problems.append(ConfigurationProblem(place: place, message: message()))
    }

    /// Notes a warning: the file can still be served.
    /// - Parameter lacked: the value whose absence the warning is about.
    mutating func warn(_ place: ConfigurationNode.Place, _ message: @autoclosure () -> String, lacked: ConditionSubject? = nil) {
        guard warnings.count < Self.mostProblems else { return }
        warnings.append(ConfigurationProblem(place: place, message: message(), lacked: lacked))
    }

    /// The named values of one mapping.
    struct Fields {
        let place: ConfigurationNode.Place
        fileprivate let values: [ExactText: ConfigurationNode]

        /// Nil if the field is absent or null.
        subscript(_ key: String) -> ConfigurationNode? { values[ExactText(key)].flatMap { $0.isNull ? nil : $0 } }
    }

    /// Reads a mapping whose keys are all known.
    mutating func fields(
        _ node: ConfigurationNode, of what: String, required: [String] = [], optional: [String] = []
    ) -> Fields? {
        guard let entries = entries(node, of: what) else { return nil }
        let known = required + optional
        for entry in entries where !known.contains(where: entry.key.hasSameBytes) {
            note(entry.keyPlace, "\(what) has no '\(entry.key.shortened)'.\(Suggestion.sentence(for: entry.key, among: known))")
        }
        let fields = Fields(
            place: node.place, values: Dictionary(uniqueKeysWithValues: entries.map { (ExactText($0.key), $0.value) }))
        for key in required where fields[key] == nil {
            note(fields.values[ExactText(key)]?.place ?? node.place, "\(what) needs '\(key)'. Add it.")
        }
        return fields
    }

    mutating func entries(_ node: ConfigurationNode, of what: String) -> [ConfigurationNode.Entry]? {
        if case .mapping(let entries) = node.content { return entries }
        note(node.place, "\(what) is not a mapping. Write 'name: value' lines, indented below it.")
        return nil
    }

    mutating func list(_ node: ConfigurationNode, of what: String, most: Int = .max) -> [ConfigurationNode]? {
        guard case .list(let elements) = node.content else {
            note(node.place, "\(what) is not a list. Write '- ' before each element, or [one, two].")
            return nil
        }
        guard elements.count <= most else {
            note(node.place, "\(what) has \(elements.count) elements; at most \(most) fit. Remove some.")
            return nil
        }
        return elements
    }

    /// The text of any scalar: an unquoted 1.10 is "1.10".
    /// - Parameter longest: in bytes of UTF-8.
    mutating func text(_ node: ConfigurationNode?, _ what: String, longest: Int = Limits.configurationText) -> String? {
        guard let node else { return nil }
        guard case .scalar(let text, _) = node.content, !text.isEmpty, !node.isNull else {
            note(node.place, "\(what) is not a text. Write one value.")
            return nil
        }
        guard text.utf8.count <= longest else {
            note(node.place, "\(what) is longer than \(longest) bytes. Shorten it.")
            return nil
        }
        return text
    }

    mutating func flag(_ node: ConfigurationNode?, _ what: String) -> Bool? {
        guard let node else { return nil }
        if case .scalar(let text, isQuoted: false) = node.content, let flag = Bool(text.lowercased()) { return flag }
        note(node.place, "\(what) is neither true nor false. Write one of them, without quotes.")
        return nil
    }

    /// One of a closed set of words.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ node: ConfigurationNode?, _ what: String, as type: Choice.Type = Choice.self
    ) -> Choice? where Choice.RawValue == String {
        guard let node, let text = text(node, what) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let known = Choice.allCases.map(\.rawValue)
        note(node.place, "\(what) cannot be '\(text.shortened)'.\(Suggestion.sentence(for: text, among: known))")
        return nil
    }

    /// The name of something: 1…64 of letters, digits, dot, underscore and dash.
    mutating func isName(_ text: String, at place: ConfigurationNode.Place, of what: String, longest: Int = Limits.name) -> Bool
    {
        let isAllowed =
            (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                Character(UnicodeScalar($0)).isASCIIWord || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
            }
        if !isAllowed {
            note(place, "\(what) cannot be called '\(text.shortened)'. Use 1 to \(longest) of A-Z, a-z, 0-9, '.', '_' and '-'.")
        }
        return isAllowed
    }
}

extension Character {
    /// A letter, a digit or an underscore.
    var isASCIIWord: Bool { isASCII && (isLetter || isNumber || self == "_") }
}
