// SPDX-License-Identifier: Apache-2.0

/// A file of translations, as gettext writes it (`.po`).
struct CatalogueFile {
    struct Entry: Hashable, Sendable {
        var context: String?
        /// The English text; of a text with a number, the one for 1. Empty in the entry of the header.
        var english = ""
        /// The English text for other numbers.
        var plural: String?
        /// The translation; of a text with a number, each of the language's forms.
        var translations: [String] = []
        /// What the lines that start with `#,` say.
        var flags: [String] = []
    }

    struct Malformed: Error, Hashable { let line: Int }

    /// In the order of the file, without the header.
    let entries: [Entry]
    /// `Language` and others.
    let header: [String: String]

    init(_ bytes: [UInt8]) throws(Malformed) {
        var entries: [Entry] = [], entry = Entry(), part = Part.none
        for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let (word, rest) = Self.word(line)
            // The first line after a translation that does not continue it begins the next entry.
            if !entry.translations.isEmpty, !(word.isEmpty && !rest.isEmpty), !word.hasPrefix("msgstr[") {
                entries.append(entry)
                (entry, part) = (Entry(), .none)
            }
            if word.hasPrefix("#") {
                if word == "#," { entry.flags += String(decoding: rest, as: UTF8.self).split(separator: ", ").map(String.init) }
                continue
            }
            if word.isEmpty, rest.isEmpty { continue }
            guard let text = Self.unquoted(rest), entry.add(text, word, &part) else { throw Malformed(line: number + 1) }
        }
        if !entry.translations.isEmpty { entries.append(entry) } else if part != .none { throw Malformed(line: 0) }
        header = Self.fields(entries.first { $0.english.isEmpty && $0.context == nil }?.translations.first ?? "")
        self.entries = entries.filter { !$0.english.isEmpty || $0.context != nil }
    }

    fileprivate enum Part { case none, context, english, plural, translation }

    /// What stands before the text of a line, and the rest.
    private static func word(_ line: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>) {
        let end = line.firstIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\"") } ?? line.endIndex
        return (String(decoding: line[..<end], as: UTF8.self), line[end...].drop { $0 == UInt8(ascii: " ") })
    }

    private static func unquoted(_ text: ArraySlice<UInt8>) -> String? {
        let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")
        guard text.count >= 2, text.first == quote, text.last == quote else { return nil }
        let inner = text.dropFirst().dropLast()
        guard inner.contains(where: { $0 == backslash || $0 == quote }) else { return String(decoding: inner, as: UTF8.self) }
        var plain: [UInt8] = [], rest = inner
        while let byte = rest.popFirst() {
            guard byte != quote else { return nil }
            guard byte == backslash else { plain.append(byte); continue }
            switch rest.popFirst() {
            case UInt8(ascii: "n"): plain.append(UInt8(ascii: "\n"))
            case quote: plain.append(quote)
            case backslash: plain.append(backslash)
            default: return nil
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static func fields(_ text: String) -> [String: String] {
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension CatalogueFile.Entry {
    /// - Returns: false where the word cannot stand here.
    fileprivate mutating func add(_ text: String, _ word: String, _ part: inout CatalogueFile.Part) -> Bool {
        switch (word, part) {
        case ("msgctxt", .none): (context, part) = (text, .context)
        case ("msgid", .none), ("msgid", .context): (english, part) = (text, .english)
        case ("msgid_plural", .english): (plural, part) = (text, .plural)
        case ("msgstr", .english): (translations, part) = ([text], .translation)
        case ("msgstr[\(translations.count)]", .plural), ("msgstr[\(translations.count)]", .translation):
            guard plural != nil else { return false }
            translations.append(text)
            part = .translation
        case ("", .context): context? += text
        case ("", .english): english += text
        case ("", .plural): plural? += text
        case ("", .translation): translations[translations.count - 1] += text
        default: return false
        }
        return true
    }
}
