// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallConsole

/// `LANDFALL_WRITE_CATALOGUES=1` writes the files as they should be; new texts get an empty translation.
@Suite("The catalogues of the console's languages", .timeLimit(.minutes(1)))
struct CatalogueTests {
    private static let translated = Language.allCases.filter { $0 != .english }

    @Test("have each text of the code once, in its order, and no other", arguments: translated)
    func complete(language: Language) throws {
        let source = try CatalogueSource(), path = CatalogueSource.file(language)
        let file = try String(contentsOf: path, encoding: .utf8), expected = try source.written(over: file)
        if ProcessInfo.processInfo.environment["LANDFALL_WRITE_CATALOGUES"] != nil {
            try expected.write(to: path, atomically: true, encoding: .utf8)
        }
        let now = try String(contentsOf: path, encoding: .utf8)
        let keys = Set(try CatalogueFile(Array(now.utf8)).entries.map(\.key)), wanted = Set(try CatalogueFile(Array(expected.utf8)).entries.map(\.key))

        #expect(wanted.subtracting(keys).isEmpty, "missing")
        #expect(keys.subtracting(wanted).isEmpty, "in no code")
        #expect(Array(now.utf8) == Array(expected.utf8), "LANDFALL_WRITE_CATALOGUES=1 writes \(path.lastPathComponent) as it should be")
    }

    @Test("translate each text, into every form, with the values of the English", arguments: translated)
    func sound(language: Language) throws {
        let file = try CatalogueFile(Array(Data(contentsOf: CatalogueSource.file(language))))
        let rule = try #require(file.header["Plural-Forms"].flatMap(PluralRule.init))

        #expect(file.header["Language"] == language.tag)
        #expect(file.entries.count > 900 && Set(file.entries.map(\.key)).count == file.entries.count)
        for entry in file.entries {
            let values = Self.values(entry.plural ?? entry.english)
            #expect(entry.translations.count == (entry.plural == nil ? 1 : rule.count), "\(entry.english)")
            #expect(entry.translations.allSatisfy { !$0.isEmpty && Self.values($0) == values }, "\(entry.english)")
            #expect(!entry.flags.contains("fuzzy"), "\(entry.english)")
        }
    }

    /// The numbers of its values.
    private static func values(_ pattern: String) -> Set<Substring> { Set(pattern.matches(of: /\{[^}]*\}/).map(\.output)) }

    @Test("are asked for literals only, of at most ten values, without braces of their own")
    func literals() throws {
        let source = try CatalogueSource()

        #expect(source.problems.isEmpty && source.texts.count > 900)
        for found in source.texts {
            let pattern = found.text.plural ?? found.text.english
            #expect(found.text.values.count <= 10 && pattern.count { $0 == "{" } == found.text.values.count, "\(pattern)")
        }
    }

    @Test("are in the program as they are in the sources", arguments: translated)
    func embedded(language: Language) throws {
        let file = try CatalogueFile(Array(Data(contentsOf: CatalogueSource.file(language))))

        for entry in file.entries where entry.plural == nil {
            #expect(language.catalogue.pattern(entry.english, context: entry.context) == entry.translations[0])
        }
    }

    @Test("keep translations when the code changes: a new text is empty, an old one goes, the order is that of the code")
    func written() throws {
        let source = CatalogueSource([
            ("A/One.swift", #"var a: String { translate("New \(name)") } // translate("no")"#),
            ("B/Two.swift", #"var b: String { translate("Old") + translate(n, one: "1 day", other: "\(n) days") + translate("Old", context: "verb") }"#),
            ("C/Three.swift", #"var c: String { translate("Old") }"#),
        ])
        let file = "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=n != 1;\\n\"\n\nmsgid \"Gone\"\nmsgstr \"x\"\n\nmsgid \"Old\"\nmsgstr \"\"\n\"Al\"\n\"t\"\n"

        let written = try source.written(over: file)

        #expect(
            written == """
                msgid ""
                msgstr "Plural-Forms: nplurals=2; plural=n != 1;\\n"

                #. {0} = name
                #: One.swift
                #, python-brace-format
                msgid "New {0}"
                msgstr ""

                #: Two.swift Three.swift
                msgid "Old"
                msgstr "Alt"

                #. {0} = n
                #: Two.swift
                #, python-brace-format
                msgid "1 day"
                msgid_plural "{0} days"
                msgstr[0] ""
                msgstr[1] ""

                #: Two.swift
                msgctxt "verb"
                msgid "Old"
                msgstr ""

                """)
        #expect(try source.written(over: written) == written)
    }

    @Test(
        "come from a scanner that knows Swift's literals",
        arguments: [
            (#"translate("a \(b("c)", d: "\(e)")) f")"#, [#"a {0} f"#]), (#"x.translate( "q\"\\ \u{41}\n" )"#, ["q\"\\ A\n"]),
            (##"let a = #"translate("no")"#; translate("yes")"##, ["yes"]), (#"func translate(_ a: Phrase) {}"#, []),
            (#"/* translate("no") */ translate("out \(translate("in"))")"#, ["out {0}", "in"]), (#"translated("no")"#, []),
            ("\"\"\"\ntranslate(\"no\") \\(translate(\"yes\"))\n\"\"\"", ["yes"]), (#"translate(count, one: "1", other: "\(count)")"#, ["1"]),
        ])
    func scanner(source: String, texts: [String]) {
        let scanner = SourceScanner(source)

        #expect(scanner.texts.map(\.english) == texts && scanner.problems.isEmpty)
    }

    @Test(
        "come from a scanner that says which call has no literal",
        arguments: ["translate(name)", #"translate("a" + b)"#, "translate(\"\"\"\na\n\"\"\")", #"translate(isOne ? "a" : "b")"#, ##"translate(#"a"#)"##])
    func problems(source: String) { #expect(SourceScanner("\n" + source).problems == ["line 2: no literal"]) }
}
