// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

@Suite("Files of gettext, and the texts made from them", .timeLimit(.minutes(1)))
struct CatalogueFileTests {
    private static let sample = #"""
        # A comment of a translator.
        msgid ""
        msgstr ""
        "Language: xx\n"
        "Plural-Forms: nplurals=2; plural=(n > 1);\n"

        #: Links.swift
        #, fuzzy, python-brace-format
        msgctxt "a link"
        msgid "Say \"{0}\""
        msgstr "{0}\\"
        "!\n"
        msgid "1 day"
        msgid_plural "{0} days"
        msgstr[0] "{0} jour"
        msgstr[1] "{0} jours"
        #~ msgid "Gone"
        #~ msgstr "Fort"
        """#

    @Test("Texts have a context, continued lines, escaped characters, flags and forms; comments and old texts are skipped")
    func entries() throws {
        let file = try CatalogueFile(Array(Self.sample.utf8))

        #expect(file.header == ["Language": "xx", "Plural-Forms": "nplurals=2; plural=(n > 1);"])
        #expect(
            file.entries == [
                .init(context: "a link", english: "Say \"{0}\"", translations: ["{0}\\!\n"], flags: ["fuzzy", "python-brace-format"]),
                .init(english: "1 day", plural: "{0} days", translations: ["{0} jour", "{0} jours"]),
            ])
    }

    @Test(
        "A malformed file is refused with its line",
        arguments: [
            ("msgid \"a\"\nmsgstr a", 2), ("msgid \"a\"\nmsgid \"b\"", 2), ("\"a\"", 1), ("msgid \"a\" b\"\n", 1), ("msgid \"a\\q\"\n", 1),
            ("msgid \"a\"\nmsgstr[0] \"b\"", 2), ("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"c\"", 3), ("msgid \"a\"\n\n", 0),
            ("msgid \"a\"\nmsgstr \"b\"\nmsgstr[1] \"c\"", 3), ("msgctxt \"a\"\nmsgstr \"b\"", 2),
        ])
    func malformed(text: String, line: Int) {
        #expect(throws: CatalogueFile.Malformed(line: line)) { try CatalogueFile(Array(text.utf8)) }
    }

    @Test("A text is found by its English and its context; a number chooses the form")
    func catalogue() throws {
        let catalogue = Catalogue(try CatalogueFile(Array(Self.sample.utf8)))

        #expect(catalogue.pattern("Say \"{0}\"", context: "a link") == "{0}\\!\n")
        #expect(catalogue.pattern("Say \"{0}\"", context: nil) == nil && catalogue.pattern("1 day", context: nil) == nil)
        #expect([0, 1, 2].map { catalogue.pattern("1 day", for: $0) } == ["{0} jour", "{0} jour", "{0} jours"])
        #expect(Catalogue.english.pattern("1 day", for: 1) == nil)
        #expect(Catalogue(try CatalogueFile(Array("msgid \"a\"\nmsgstr \"\"".utf8))).pattern("a", context: nil) == nil)
    }

    @Test("A phrase has a number for each value; a translation may move, repeat and omit them, and values are not read again")
    func phrase() {
        let (one, two) = ("{1}", 2)
        let phrase: Phrase = "From \(one) to \(two)", plain: Phrase = "{0}"

        #expect(phrase.pattern == "From {0} to {1}" && phrase.text() == "From {1} to 2")
        #expect(phrase.text("{1}-{0}-{1}") == "2-{1}-2" && phrase.text("none") == "none")
        #expect(phrase.text("{2} { {a} {0") == "{2} { {a} {0" && plain.text() == "{0}")
    }

    @Test("A text that no catalogue has is in English, and in the form of English", arguments: Language.allCases)
    func english(language: Language) {
        #expect(language.translate("In no \("file")") == "In no file" && language.translate("Live", context: "nowhere") == "Live")
        #expect([0, 1, 2].map { language.translate($0, one: "One goose", other: "\($0) geese") } == ["0 geese", "One goose", "2 geese"])
    }

    @Test(
        "A number takes the form that the expression says",
        arguments: [
            ("nplurals=1; plural=0;", [0, 0, 0, 0, 0, 0, 0]), ("nplurals=2; plural=n != 1;", [1, 0, 1, 1, 1, 1, 1]),
            ("nplurals=2; plural=(n > 1);", [0, 0, 1, 1, 1, 1, 1]),
            (
                "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
                [2, 0, 1, 2, 2, 0, 2]
            ), ("nplurals=2; plural=!(n - 1 * 2 + 3 < 4 / 0);", [1, 1, 1, 1, 1, 1, 1]), ("nplurals=2; plural=n;", [0, 1, 1, 1, 1, 1, 1]),
        ])
    func plurals(field: String, forms: [Int]) throws {
        let rule = try #require(PluralRule(field))

        #expect([0, 1, 2, 5, 11, 21, 111].map { rule.form(of: $0) } == forms)
    }

    @Test(
        "A malformed rule of plurals is refused",
        arguments: ["", "nplurals=2", "nplurals=0; plural=0;", "nplurals=2; plural=n !=;", "nplurals=2; plural=n 1;", "nplurals=2; plural=m;", "nplurals=2; plural=(n;"])
    func noRule(field: String) { #expect(PluralRule(field) == nil) }
}
