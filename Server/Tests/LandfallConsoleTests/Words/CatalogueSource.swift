// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import LandfallConsole

/// The catalogues as they should be: the texts of the code, in its order, with the translations that a file has.
struct CatalogueSource {
    struct Text {
        let text: SourceText
        /// The names of the files that ask for it.
        var files: [String]

        fileprivate var key: [String?] { [text.context, text.english] }
    }

    private(set) var texts: [Text] = []
    /// What the code may not do, with its file.
    private(set) var problems: [String] = []

    /// The folder of the console's sources.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/LandfallConsole").standardizedFileURL

    /// The file of a language.
    static func file(_ language: Language) -> URL { folder.appending(path: "Assets/\(language.tag).po").standardizedFileURL }

    /// Reads every source of the console.
    init() throws {
        let start = Self.folder.path + "/"
        let paths = FileManager.default.enumerator(at: Self.folder, includingPropertiesForKeys: nil)?
            .compactMap { ($0 as? URL)?.standardizedFileURL.path }.filter { $0.hasSuffix(".swift") && $0.hasPrefix(start) } ?? []
        let files = paths.map { String($0.dropFirst(start.count)) }.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        self.init(try files.map { ($0, try String(contentsOf: Self.folder.appending(path: $0), encoding: .utf8)) })
    }

    init(_ sources: [(path: String, source: String)]) {
        var indices: [[String?]: Int] = [:]
        for (path, source) in sources {
            let scanner = SourceScanner(source), name = String(path.split(separator: "/").last ?? "")
            problems += scanner.problems.map { "\(path), \($0)" }
            for text in scanner.texts {
                let found = Text(text: text, files: [name])
                guard let index = indices[found.key] else {
                    indices[found.key] = texts.count
                    texts.append(found)
                    continue
                }
                if !texts[index].files.contains(name) { texts[index].files.append(name) }
                if texts[index].text.plural != text.plural { problems.append("\(path): \(text.english) has two plurals") }
            }
        }
    }

    /// A file with each text once. A text that it lacked has an empty translation.
    func written(over file: String) throws -> String {
        let old = try CatalogueFile(Array(file.utf8))
        let known = Dictionary(old.entries.map { ($0.key, $0) }) { first, _ in first }
        let forms = old.header["Plural-Forms"].flatMap(PluralRule.init)?.count ?? 1
        let header = file.split(separator: "\n\n", maxSplits: 1).first ?? ""
        let entries = texts.map { found -> String in
            let text = found.text
            var lines: [String] = [], entry = CatalogueFile.Entry(context: text.context, english: text.english, plural: text.plural)
            if !text.values.isEmpty {
                lines.append("#. " + text.values.enumerated().map { "{\($0)} = \($1)" }.joined(separator: ", "))
            }
            lines.append("#: " + found.files.joined(separator: " "))
            entry.flags = (text.values.isEmpty ? [] : ["python-brace-format"])
            if let before = known[entry.key], (before.plural == nil) == (text.plural == nil) {
                entry.translations = before.translations
                if before.flags.contains("fuzzy") { entry.flags.insert("fuzzy", at: 0) }
            } else {
                entry.translations = [String](repeating: "", count: text.plural == nil ? 1 : forms)
            }
            if !entry.flags.isEmpty { lines.append("#, " + entry.flags.joined(separator: ", ")) }
            if let context = text.context { lines.append("msgctxt " + Self.quoted(context)) }
            lines.append("msgid " + Self.quoted(text.english))
            if let plural = text.plural { lines.append("msgid_plural " + Self.quoted(plural)) }
            for (number, translation) in entry.translations.enumerated() {
                lines.append((text.plural == nil ? "msgstr " : "msgstr[\(number)] ") + Self.quoted(translation))
            }
            return lines.joined(separator: "\n") + "\n"
        }
        return ([header.trimmingCharacters(in: .newlines) + "\n"] + entries).joined(separator: "\n")
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"" + escaped + "\""
    }
}
