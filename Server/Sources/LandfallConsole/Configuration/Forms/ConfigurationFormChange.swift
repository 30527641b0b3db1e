// SPDX-License-Identifier: Apache-2.0
import Hummingbird
package import LandfallRules
import LandfallServer
import LandfallWire

/// What is wrong with a change that a member asked for, at the fields of the form.
struct ConfigurationFormRefusal: Error {
    var problems: [FieldProblem]
    var status = HTTPResponse.Status.unprocessableContent

    init(_ field: String, _ sentence: String, status: HTTPResponse.Status = .unprocessableContent) {
        problems = [FieldProblem(field, sentence)]
        self.status = status
    }

    init(_ problems: [FieldProblem]) { self.problems = problems }
}

/// One change of one entry of the file, as a form asks for it.
package struct ConfigurationFormChange: Sendable {
    package let words: Words
    package let form: [String: String]
    package let document: ConfigurationDocument
    package let section: String
    package var name: String
    package let node: ConfigurationNode

    package init(
        words: Words, form: [String: String], document: ConfigurationDocument, section: String, name: String, node: ConfigurationNode
    ) {
        (self.words, self.form, self.document, self.section, self.name, self.node) = (words, form, document, section, name, node)
    }

    /// A field, with the line breaks that browsers send made plain, and without the spaces around it.
    func field(_ name: String) -> String {
        var text = raw(name).unicodeScalars[...]
        while text.first?.properties.isWhitespace == true { text.removeFirst() }
        while text.last?.properties.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// With the spaces around it.
    func raw(_ name: String) -> String { (form[name] ?? "").replacing("\r\n", with: "\n") }

    /// The lines of a field that are not empty, without the spaces around them.
    func lines(_ name: String) -> [String] {
        field(name).split(whereSeparator: \.isNewline).map { line in
            String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    func path(_ steps: [ConfigurationEditPath.Step] = []) throws -> ConfigurationEditPath {
        guard let path = ConfigurationEditPath([.key(section), .key(name)] + steps) else { throw RequestError.notFound }
        return path
    }

    /// The file with the changes.
    /// - Parameter text: nil is the document's.
    func applied(_ edits: [ConfigurationEdit], to text: String? = nil) throws -> String {
        try ConfigurationEdits(edits).applied(to: text ?? document.text, read: text == nil ? document.root : nil)
    }

    /// The entry as the member wrote it.
    func written() throws -> String {
        let entry = field("yaml")
        guard entry.utf8.count <= FormExcess.longestDraft else {
            throw ConfigurationFormRefusal("yaml", words.longEntry(FormExcess.longestDraft / 1024))
        }
        var source = ConfigurationText()
        guard let tree = source.parse(entry), source.problems.isEmpty else {
            throw ConfigurationFormRefusal(source.problems.prefix(5).map { FieldProblem("yaml", $0.message, isEnglish: true, at: words.line($0.place.line)) })
        }
        guard tree.entries.count == 1, tree.entries[0].key.hasSameBytes(as: name) else {
            throw ConfigurationFormRefusal("yaml", words.notOneEntry)
        }
        return try ConfigurationEntryWriter(path: path(), entry: entry).applied(to: document.text)
    }

    /// A problem of the changed file, at its field: with its line in the written entry, or with its path where no field is nearer.
    func told(_ problem: ConfigurationProblem, in root: ConfigurationNode?) -> FieldProblem {
        func told(_ field: String, _ place: String) -> FieldProblem { FieldProblem(field, problem.message, isEnglish: true, at: place) }
        guard field("change") == "yaml" else {
            return (section == "placements" ? placementField(of: problem) : field(of: problem)).map { told($0, "") } ?? told("", problem.path)
        }
        let entry = root?[section]?.entries.first { $0.key.hasSameBytes(as: name) }
        let line = problem.place.line - (entry?.keyPlace.line ?? .max) + 1
        let isInside = line >= 1 && line <= field("yaml").split(separator: "\n", omittingEmptySubsequences: false).count
        return told("yaml", isInside ? words.line(line) : problem.path)
    }

    /// The file without the entry, unless something refers to it.
    func deleted(_ users: [ConfigurationUse]) throws -> String {
        guard users.isEmpty else { throw ConfigurationFormRefusal("", words.isUsed(name, by: users), status: .conflict) }
        return try applied([.remove(path())])
    }
}
