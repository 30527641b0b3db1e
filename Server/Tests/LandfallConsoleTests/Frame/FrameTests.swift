// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole

extension Frame {
    static func sample(_ role: Role = .owner, _ language: Language = .english) -> Frame {
        Frame(words: Words(language), app: "Clothes", memberName: "<Maya>", role: role, formToken: "proof", address: "/console?days=7")
    }
}

@Suite("Around every page", .timeLimit(.minutes(1)))
struct FrameTests {
    @Test("A page says its language and has one heading, a way past the sections, and the switch", arguments: Language.allCases)
    func parts(language: Language) {
        let markup = AuditPage(frame: .sample(.owner, language), entries: [], before: nil).html.markup

        #expect(markup.hasPrefix("<!doctype html><html lang=\"\(language.tag)\">"))
        #expect(markup.ranges(of: "<h1>").count == 1)
        #expect(markup.contains("href=\"#content\"") && markup.contains("id=\"content\""))
        #expect(markup.contains("/console/language/ja?next=%2Fconsole%3Fdays%3D7"))
        #expect(!markup.contains("<Maya>") && !markup.contains("style=") && !markup.contains(" onclick"))
    }

    @Test("The sections are those that the role may see", arguments: Role.allCases)
    func sections(role: Role) {
        let markup = AccountPage(frame: .sample(role), email: "m", sessions: []).html.markup

        #expect(markup.contains("href=\"/console/settings/members\"") == role.rights.contains(.members))
        #expect(markup.contains(">Overview</a>") == role.rights.contains(.reports))
    }

    @Test("The files have names that change with their content, and fit the budget of a page")
    func assets() {
        #expect(Set(Asset.all.map(\.name)).count == Asset.all.count)
        #expect(Asset.all.reduce(0) { $0 + $1.bytes.count } < 47_000)
        #expect(Asset.script.bytes.count < 20_000)
    }

    @Test("The script is sent without comments and indentation, and is otherwise as it was written")
    func dense() {
        let written = "// A comment\nf(\"// no\");\n\n  if (a) {\n    // Why\n    b(); // here\n  }\n"

        for line in String(decoding: EmbeddedFile.script, as: UTF8.self).split(separator: "\n") {
            #expect(line.utf8.count { $0 == UInt8(ascii: "`") }.isMultiple(of: 2), "a literal of several lines: \(line)")
        }
        #expect(Asset.dense(Array(written.utf8)) == Array("f(\"// no\");\nif (a) {\nb(); // here\n}".utf8))
    }

    @Test("The style is sent without comments, indentation and spaces that say nothing")
    func denseStyle() {
        let written = "/* A comment */\na, svg b:hover .c {\n  margin: 0 calc(1px + 2px); font: 1em \"d e\", f;\n}\n@media (min-width: 9px) { a > b { color: red; } }\n"

        #expect(
            String(decoding: Asset.denseStyle(Array(written.utf8)), as: UTF8.self)
                == "a,svg b:hover .c{\nmargin:0 calc(1px + 2px);font:1em \"d e\",f;\n}\n@media (min-width:9px){a > b{color:red;}}")
        for literal in String(decoding: EmbeddedFile.style, as: UTF8.self).matches(of: /content: ([^;]*);/).map(\.output.1) {
            #expect(literal.firstMatch(of: /[:,{] |\ [{}]/) == nil, "a text that would lose a space: \(literal)")
        }
    }
}
