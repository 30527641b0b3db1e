// SPDX-License-Identifier: Apache-2.0

/// The translations of one language. Its file is read once.
final class Catalogue: Sendable {
    /// Of no text: the language of the code.
    static let english = Catalogue(texts: [:], plurals: [:], rule: nil)

    private let texts: [String: String]
    private let plurals: [String: [String]]
    private let rule: PluralRule?

    private init(texts: [String: String], plurals: [String: [String]], rule: PluralRule?) {
        self.texts = texts
        self.plurals = plurals
        self.rule = rule
    }

    convenience init(_ file: CatalogueFile) {
        var texts: [String: String] = [:], plurals: [String: [String]] = [:]
        texts.reserveCapacity(file.entries.count)
        // A text that nobody has translated yet is in English.
        for entry in file.entries where !entry.translations.contains("") {
            if entry.plural != nil { plurals[entry.english] = entry.translations } else { texts[entry.key] = entry.translations[0] }
        }
        self.init(texts: texts, plurals: plurals, rule: file.header["Plural-Forms"].flatMap(PluralRule.init))
    }

    /// The translation of a text; nil is English.
    func pattern(_ english: String, context: String?) -> String? {
        texts.isEmpty ? nil : texts[Self.key(english, context: context)]
    }

    /// - Parameter one: the English text for 1.
    func pattern(_ one: String, for count: UInt64) -> String? {
        guard let forms = plurals[one], let form = rule?.form(of: count), forms.indices.contains(form) else { return nil }
        return forms[form]
    }

    /// As gettext joins them.
    fileprivate static func key(_ english: String, context: String?) -> String { context.map { $0 + "\u{4}" + english } ?? english }
}

extension CatalogueFile.Entry {
    /// No two entries have the same.
    var key: String { Catalogue.key(english, context: context) }
}

/// What has a language can write texts in it.
protocol Translating {
    var language: Language { get }
}

extension Translating {
    /// A text in the language; in English if its catalogue lacks it, which a test excludes.
    /// - Parameters:
    ///   - english: a literal, which a test compares with the catalogues.
    ///   - context: for translators, where one English text has several meanings.
    func translate(_ english: Phrase, context: String? = nil) -> String {
        english.text(language.catalogue.pattern(english.pattern, context: context))
    }

    /// A text in the form that the language has for a number.
    /// - Parameter other: its values are those of the translations too.
    func translate(_ count: some BinaryInteger, one: Phrase, other: Phrase) -> String {
        if let pattern = language.catalogue.pattern(one.pattern, for: UInt64(count.magnitude)) { return other.text(pattern) }
        return count == 1 ? one.text() : other.text()
    }
}
