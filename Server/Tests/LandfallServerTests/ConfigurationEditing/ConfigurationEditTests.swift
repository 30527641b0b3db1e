// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("A change of one entry of landfall.yaml", .timeLimit(.minutes(1)))
struct ConfigurationEditTests {
    /// One entry of a file before and after. Without `value` it is removed.
    struct Example: Sendable, CustomTestStringConvertible {
        let path: String
        var value: ConfigurationValue?
        let before: String
        let after: String

        var testDescription: String { "\(path): \(before.prefix(60))" }
    }

    private static func changed(_ text: String, _ path: String, _ value: ConfigurationValue?) throws -> String {
        let path = try #require(ConfigurationEditPath(path))
        return try ConfigurationEdit(path: path, change: value.map { .set($0) } ?? .remove).applied(to: text)
    }

    private static let offer = ConfigurationValue([
        "title": "Half price", "days": 7, "prices": [1, 2.5], "shown": true, "none": nil as JSONValue? ?? .null, "empty": [:],
    ])

    // MARK: In a line

    @Test(
        "replaces a value in its line; the blanks before it and the comment after it stay",
        arguments: [
            Example(path: "app.name", value: .text("New"), before: "app:\n  name:   Old    # said\n  id: x\n", after: "app:\n  name:   New    # said\n  id: x\n"),
            Example(path: "app.name", value: .text("New"), before: "app:\n  name:\tOld\t# said\n", after: "app:\n  name:\tNew\t# said\n"),
            Example(path: "app.name", value: .text("a # b"), before: "app: { name: Old, id: x }", after: "app: { name: \"a # b\", id: x }"),
            Example(path: "a[1]", value: .integer(3), before: "a: [it's, 'a, b', \"]\"] # [", after: "a: [it's, 3, \"]\"] # ["),
            Example(path: "a[1].c", value: .flag(false), before: "a: [{b: 1}, {c: true, d: [ ]}]", after: "a: [{b: 1}, {c: false, d: [ ]}]"),
            Example(path: "a.b", value: .integer(1), before: "a: {b}", after: "a: {b: 1}"),
            Example(path: "a.b", value: .integer(1), before: "a: {b: , c: 2}", after: "a: {b: 1, c: 2}"),
            Example(path: "a", value: .text("x"), before: "a:\nb: 1\n", after: "a: x\nb: 1\n"),
            Example(path: "a", value: .text("x"), before: "a: # why\nb: 1\n", after: "a: x # why\nb: 1\n"),
            Example(path: "a", value: .text("x"), before: "a: 'it''s' # why", after: "a: x # why"),
            Example(path: "a", value: .text("x"), before: "a: \"\\\"#\" # why", after: "a: x # why"),
            Example(path: "a", value: .text("x"), before: "a: *b # why", after: ""),
            Example(path: "c", value: .text("x"), before: "b: &b 1\nc: *b # why\n", after: "b: &b 1\nc: x # why\n"),
            Example(path: "c[1]", value: .text("x"), before: "b: &b 1\nc: [ *b, *b , 2]\n", after: "b: &b 1\nc: [ *b, x , 2]\n"),
            Example(path: "a.b", value: .text("x"), before: "a:\n  \"b\" : 1 # why\n", after: "a:\n  \"b\" : x # why\n"),
            Example(path: "a", value: .text("x"), before: "a: plain words\n  that go on # why\n\n# b\nb: 1\n", after: "a: x # why\n\n# b\nb: 1\n"),
            Example(path: "a", value: .text("x"), before: "a:\n  plain # why\nb: 1\n", after: "a:\n  x # why\nb: 1\n"),
            Example(path: "a[1]", value: .text("x"), before: "a:\n- 1 # one\n-   2 # two\n- 3", after: "a:\n- 1 # one\n-   x # two\n- 3"),
            Example(path: "a[0].b", value: .text("x"), before: "a:\n  - b: 1 # one\n    c: 2\n", after: "a:\n  - b: x # one\n    c: 2\n"),
            Example(path: "a[0][1]", value: .text("x"), before: "a:\n  - - 1\n    - 2 # two\n  - - 3\n", after: "a:\n  - - 1\n    - x # two\n  - - 3\n"),
            Example(path: "a", value: .integer(2), before: "a: 1\r\nb: 2\r\n", after: "a: 2\r\nb: 2\r\n"),
            Example(path: "b", value: .integer(3), before: "a: 1\nb: 2", after: "a: 1\nb: 3"),
            Example(path: "a[\"x.y\"].z", value: .integer(3), before: "a: { x.y: { z: 1 } }", after: "a: { x.y: { z: 3 } }"),
            Example(path: "日本", value: .text("東京 です"), before: "é: ü # ö\n日本: x # 京\n", after: "é: ü # ö\n日本: 東京 です # 京\n"),
        ].filter { !$0.after.isEmpty })
    func inLine(example: Example) throws {
        let after = try Self.changed(example.before, example.path, example.value)

        #expect(after == example.after)
    }

    @Test(
        "writes a text so that every reader of YAML reads the same text",
        arguments: [
            ("plain", "plain"), ("It's here", "It's here"), ("a:b", "a:b"), ("https://a.example/x?y=1#z", "https://a.example/x?y=1#z"),
            ("", #""""#), (" a", #"" a""#), ("a ", #""a ""#), ("a: b", #""a: b""#), ("a:", #""a:""#), ("a #b", #""a #b""#),
            ("- a", #""- a""#), ("*a", #""*a""#), ("&a", #""&a""#), ("{a}", #""{a}""#), (">=", #"">=""#), ("true", #""true""#),
            ("Yes", #""Yes""#), ("no", #""no""#), ("null", #""null""#), ("~", #""~""#), ("1", #""1""#), ("2.10", #""2.10""#),
            ("0x1F", #""0x1F""#), ("2027-01-31", "2027-01-31"), ("a\"b\\c", #"a"b\c"#), ("\"a\\b", #""\"a\\b""#),
            ("a\tb", #""a\tb""#), ("a\u{85}b", #""a\u0085b""#), ("a\u{2028}b", #""a\u2028b""#), ("a\u{202E}b", #""a\u202eb""#),
            ("🎉", #""🎉""#), ("Größe", "Größe"),
        ])
    func texts(text: String, written: String) throws {
        #expect(try Self.changed("a: 1 # why\n", "a", .text(text)) == "a: \(written) # why\n")
    }

    // MARK: In lines

    @Test(
        "replaces the lines of a value and no other line",
        arguments: [
            Example(
                path: "a", value: .text("x"), before: "a: | # head\n  one\n  # not a comment\n\n  two\n\n# b\nb: 1\n",
                after: "a: x\n\n# b\nb: 1\n"),
            Example(path: "a", value: .text("x"), before: "a: >-\n   one\n  # a comment\nb: 1\n", after: ""),
            Example(path: "a", value: .text("x"), before: "a: |2-\n    one\n  two\nb: 1\n", after: "a: x\nb: 1\n"),
            Example(
                path: "a", value: .text("one\n\ntwo"), before: "a: x # why\nb: 1\n", after: "a: |- # why\n  one\n\n  two\nb: 1\n"),
            Example(
                path: "a", value: .text("one\ntwo\n"), before: "a: |-\r\n    one\r\nb: 1\r\n", after: "a: |\r\n  one\r\n  two\r\nb: 1\r\n"),
            Example(
                path: "a", value: .mapping([.init(name: "d", value: .integer(1))]),
                before: "a: # why\n    # of b\n    b: 1\n    c: 2 # last\n    # end of a\n\n  # of all\nz: 1\n",
                after: "a: # why\n    # of b\n    d: 1\n\n  # of all\nz: 1\n"),
            Example(path: "a", value: .integer(1), before: "a: # why\n  b: 1\n  c: 2\nz: 1\n", after: "a: 1 # why\nz: 1\n"),
            Example(path: "a", value: .integer(1), before: "a:\n- b: 1\n- c: 2\nz: 1\n", after: "a: 1\nz: 1\n"),
            Example(
                path: "a", value: .list([.text("x"), .mapping([.init(name: "b", value: .integer(1)), .init(name: "c", value: .null)])]),
                before: "a: 1 # why\nz: 1\n", after: "a: # why\n  - x\n  - b: 1\n    c: null\nz: 1\n"),
            Example(
                path: "a[0]", value: .mapping([.init(name: "b", value: .integer(1)), .init(name: "c", value: .text("x"))]),
                before: "a:\n  - old # why\n  - z\n", after: "a:\n  - b: 1 # why\n    c: x\n  - z\n"),
            Example(
                path: "a[0]", value: .mapping([.init(name: "d", value: .integer(1))]), before: "a:\n  -   b: 1\n      c: 2\n  - z\n",
                after: "a:\n  -   d: 1\n  - z\n"),
            Example(path: "a.b", value: .mapping([]), before: "a:\n  b:\n    c: 1\n  d: 2\n", after: "a:\n  b: {}\n  d: 2\n"),
            Example(
                path: "a", value: offer, before: "a: { x: 1 } # why\n",
                after: "a: { days: 7, empty: {}, none: null, prices: [1, 2.5], shown: true, title: Half price } # why\n"),
            Example(
                path: "a", value: offer, before: "a: 1",
                after: "a:\n  days: 7\n  empty: {}\n  none: null\n  prices:\n    - 1\n    - 2.5\n  shown: true\n  title: Half price"),
        ].filter { !$0.after.isEmpty })
    func inLines(example: Example) throws {
        let after = try Self.changed(example.before, example.path, example.value)

        #expect(after == example.after)
    }

    @Test(
        "adds a new entry after the others, with their indentation",
        arguments: [
            Example(
                path: "a.c", value: .integer(2), before: "a:\n    b: 1 # one\n    # still a\n\n# z\nz: 1\n",
                after: "a:\n    b: 1 # one\n    c: 2\n    # still a\n\n# z\nz: 1\n"),
            Example(path: "a.c", value: .integer(2), before: "a: { b: 1 } # why", after: "a: { b: 1, c: 2 } # why"),
            Example(path: "a.c", value: .integer(2), before: "a: { b: 1, }", after: "a: { b: 1, c: 2, }"),
            Example(path: "a.c", value: .integer(2), before: "a: {}\nz: 1\n", after: "a:\n  c: 2\nz: 1\n"),
            Example(path: "a.c", value: .integer(2), before: "a:\nz: 1\n", after: "a:\n  c: 2\nz: 1\n"),
            Example(path: "z", value: .integer(2), before: "a: 1", after: "a: 1\nz: 2"),
            Example(path: "z", value: .integer(2), before: "a: |\n  one\n  two\n", after: "a: |\n  one\n  two\nz: 2\n"),
            Example(path: "z.y.x", value: .integer(2), before: "a: 1\r\n", after: "a: 1\r\nz:\r\n  y:\r\n    x: 2\r\n"),
            Example(path: "a[1]", value: .integer(2), before: "a:\n- 1 # one\nz: 1\n", after: "a:\n- 1 # one\n- 2\nz: 1\n"),
            Example(
                path: "a[1]", value: .mapping([.init(name: "b", value: .integer(1)), .init(name: "c", value: .integer(2))]),
                before: "a:\n  - b: 0\n    c: |\n      x\nz: 1\n", after: "a:\n  - b: 0\n    c: |\n      x\n  - b: 1\n    c: 2\nz: 1\n"),
            Example(path: "a[2]", value: .integer(3), before: "a: [ 1, 2 ]", after: "a: [ 1, 2, 3 ]"),
            Example(path: "a[0]", value: .integer(3), before: "a: []", after: "a:\n  - 3"),
            Example(path: "a[0].c", value: .integer(3), before: "a:\n  - b: 1\n  - b: 2\n", after: "a:\n  - b: 1\n    c: 3\n  - b: 2\n"),
            Example(path: "a.c", value: .integer(3), before: "a:\n  b:\n    d: 1\nz: 1", after: "a:\n  b:\n    d: 1\n  c: 3\nz: 1"),
        ])
    func added(example: Example) throws {
        let after = try Self.changed(example.before, example.path, example.value)

        #expect(after == example.after)
    }

    @Test(
        "removes an entry with its lines; comments around them stay",
        arguments: [
            Example(path: "b", before: "# a\na: 1\n# b\nb: 2 # two\n# c\nc: 3\n", after: "# a\na: 1\n# b\n# c\nc: 3\n"),
            Example(path: "a", before: "a:\n  b: 1\n  # of a\n\n# of c\nc: 3\n", after: "\n# of c\nc: 3\n"),
            Example(path: "b", before: "a: 1\nb: 2", after: "a: 1\n"),
            Example(path: "b", before: "a: 1\r\nb:\r\n  - 2\r\nc: 3", after: "a: 1\r\nc: 3"),
            Example(path: "a[1]", before: "a:\n- 1\n- 2 # two\n- 3\n", after: "a:\n- 1\n- 3\n"),
            Example(path: "a[0]", before: "a:\n  - b: 1\n    c: 2\n  # next\n  - b: 2\n", after: "a:\n  # next\n  - b: 2\n"),
            Example(path: "a[0].b", before: "a:\n  - b: 1 # one\n    c: 2\n", after: "a:\n  - c: 2\n"),
            Example(path: "a.b", before: "a: { b: 1, c: 2 }", after: "a: { c: 2 }"),
            Example(path: "a.c", before: "a: { b: 1, c: 2 }", after: "a: { b: 1 }"),
            Example(path: "a.b", before: "a: { b: 1 } # why", after: "a: {} # why"),
            Example(path: "a.b", before: "a: # why\n  b: 1\nz: 1\n", after: "a: {} # why\nz: 1\n"),
            Example(path: "a[0]", before: "a:\n- 1\nz: 1\n", after: "a: []\nz: 1\n"),
            Example(path: "a.b", before: "a: {\n  b: 1, # one\n  c: 2  # two\n}\n", after: "a: {\n  # one\n  c: 2  # two\n}\n"),
            Example(path: "a.b", before: "a: {\n  b: 1,\n  c: 2\n}\n", after: "a: {\n  c: 2\n}\n"),
            Example(path: "a.c", before: "a: {\n  b: 1,\n  c: 2 # two\n}\n", after: "a: {\n  b: 1,\n  # two\n}\n"),
            Example(path: "a[1]", before: "x: &x 1\na: [1, *x, 3]", after: "x: &x 1\na: [1, 3]"),
            Example(path: "a[1]", before: "x: &x 1\na:\n  - 1\n  - *x\n  - 3", after: "x: &x 1\na:\n  - 1\n  - 3"),
        ])
    func removed(example: Example) throws {
        let after = try Self.changed(example.before, example.path, nil)

        #expect(after == example.after)
    }

    // MARK: What cannot be changed in place

    @Test(
        "says why an entry cannot be changed in place, and where",
        arguments: [
            (
                "a: &a { b: 1 }\nc: *a\n", "c.b",
                "'c.b' is repeated by an alias in line 2. Change what it repeats, in line 1, or write the values out."
            ),
            (
                "a: &a { b: 1 }\nc: *a\n", "a.b",
                "A change of 'a.b' would change other entries too. Edit line 1 by hand: look for anchors (&) and aliases (*)."
            ),
            (
                "a: &a { b: 1 }\nc: *a\n", "a",
                "A change of 'a' would change other entries too. Edit line 1 by hand: look for anchors (&) and aliases (*)."
            ),
            ("? a\n: 1\n", "a", "'a' is written in a form that cannot be changed in place. Edit line 1 by hand."),
            ("a: 1\n", "a.b", "The file has no 'a.b'. Look at the names and numbers on the way to it."),
            ("a: [1]\n", "a[2]", "The file has no 'a[2]'. Look at the names and numbers on the way to it."),
            ("a: [1]\n", "a.b", "The file has no 'a.b'. Look at the names and numbers on the way to it."),
        ])
    func refused(text: String, path: String, message: String) throws {
        let refusal = #expect(throws: ConfigurationEditRefusal.self) { try Self.changed(text, path, .integer(9)) }

        #expect(refusal?.description == message)
    }

    @Test("cannot remove an unknown entry, or the only one", arguments: [("a: 1", "b"), ("a: 1", "a"), ("a: [1]", "a[1]")])
    func nothingToRemove(text: String, path: String) {
        #expect(throws: ConfigurationEditRefusal.self) { try Self.changed(text, path, nil) }
    }

    @Test("does not change a file that is not YAML")
    func unreadable() {
        let refusal = #expect(throws: ConfigurationEditRefusal.self) { try Self.changed("a: [1\nb: 2", "b", .integer(1)) }

        guard case .unreadable(let error)? = refusal else { return #expect(Bool(false), "\(String(describing: refusal))") }
        #expect(error.problems.first?.place.line == 2)
    }

    // MARK: Paths

    @Test(
        "names its entry in the same form as problems do",
        arguments: [
            "a", "paywalls.default.remoteConfig.en.title", "links[3]", "links[0].to", #"audiences.ads["app.version"].is"#,
            #"audiences.ads["app.version"][">="]"#.replacing(#"[">="]"#, with: ".>="), "a[1][2]", "a.日本",
        ])
    func path(text: String) {
        #expect(ConfigurationEditPath(text)?.description == text)
    }

    @Test("is of an entry", arguments: ["", ".a", "a.", "a..b", "a[", "a[x]", "a[-1]", "a[1", "a[1]b", #"a["b]"#, "a]", String(repeating: "a.", count: 64) + "a"])
    func noPath(text: String) {
        #expect(ConfigurationEditPath(text) == nil)
    }
}
