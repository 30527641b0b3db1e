// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("Changes of several entries of landfall.yaml", .timeLimit(.minutes(1)))
struct ConfigurationEditsTests {
    /// Paths with their new values; nil removes an entry.
    private static func changed(_ text: String, _ edits: [(String, ConfigurationValue?)]) throws -> String {
        try ConfigurationEdits(
            edits.map { path, value in
                ConfigurationEdit(path: try #require(ConfigurationEditPath(path)), change: value.map { .set($0) } ?? .remove)
            }
        ).applied(to: text)
    }

    @Test("are one after the other in the file, whatever their order, and all other bytes stay")
    func order() throws {
        let before = """
            # of all
            a:
              b: 1 # one
              c: [x, y, z]
              # between
              d: { e: 1, f: 2 }
            g:
              - h: 1
                i: 2
              - h: 3 # three
            """

        let after = try Self.changed(
            before,
            [
                ("g[1].h", .integer(4)), ("a.n", .text("new")), ("a.c[0]", nil), ("a.d.f", .integer(5)), ("a.b", .integer(6)),
                ("g[0].h", nil), ("a.d.k.l", .integer(7)), ("a.d.k.m", .integer(8)), ("g[2]", .integer(9)), ("a.c[3]", .text("w")), ("a.n2", .integer(0)),
            ])

        #expect(
            after == """
                # of all
                a:
                  b: 6 # one
                  c: [y, z, w]
                  # between
                  d: { e: 1, f: 5, k: { l: 7, m: 8 } }
                  n: new
                  n2: 0
                g:
                  - i: 2
                  - h: 4 # three
                  - 9
                """)
    }

    @Test(
        "remove entries that follow each other, at the beginning, in the middle and at the end",
        arguments: [
            ("a: [1, 2, 3, 4]", ["a[0]", "a[1]"], "a: [3, 4]"), ("a: [1, 2, 3, 4]", ["a[1]", "a[2]"], "a: [1, 4]"),
            ("a: [1, 2, 3, 4]", ["a[3]", "a[2]"], "a: [1, 2]"), ("a: [1, 2, 3, 4]", ["a[0]", "a[2]"], "a: [2, 4]"),
            ("a: [1, 2]", ["a[0]", "a[1]"], "a: []"), ("a: { b: 1, c: 2, d: 3 }", ["a.d", "a.b"], "a: { c: 2 }"),
            ("a: [\n  1,\n  2,\n  3,\n]\n", ["a[1]", "a[2]"], "a: [\n  1,\n]\n"),
            ("a: [\n  1,\n  2,\n  3\n]\n", ["a[0]", "a[1]"], "a: [\n  3\n]\n"),
            ("a:\n  - b: 1\n    c: 2\n    d: 3\n", ["a[0].b", "a[0].c"], "a:\n  - d: 3\n"),
            ("a: 1\n# b\nb: 2\n# c\nc: 3\n", ["b", "c"], "a: 1\n# b\n# c\n"),
            ("a:\n  b: 1\n  c: 2\nd: 3\n", ["a.b", "a.c"], "a: {}\nd: 3\n"),
            ("a:\n  - 1\n  - 2\n  - 3\n", ["a[0]", "a[2]"], "a:\n  - 2\n"),
        ])
    func removed(before: String, paths: [String], after: String) throws {
        #expect(try Self.changed(before, paths.map { ($0, nil) }) == after)
    }

    @Test("add to a list or mapping that is empty or absent, and below one name that the file lacks")
    func added() throws {
        #expect(try Self.changed("a: {}\nb:\nz: 1\n", [("a.c", .integer(1)), ("a.d", .integer(2)), ("b[0]", .text("x")), ("b[1]", .text("y"))])
            == "a:\n  c: 1\n  d: 2\nb:\n  - x\n  - y\nz: 1\n")
        #expect(try Self.changed("z: 1\n", [("a.b.c", .integer(1)), ("a.b.d", .integer(2)), ("a.e", .integer(3))])
            == "z: 1\na:\n  b:\n    c: 1\n    d: 2\n  e: 3\n")
        #expect(try Self.changed("z: 1\n", [("a.b[0].c", .integer(1)), ("a.b[1]", .integer(2))]) == "z: 1\na:\n  b:\n    - c: 1\n    - 2\n")
    }

    @Test("may remove every old entry if a new one is added")
    func replaced() throws {
        #expect(try Self.changed("a:\n  b: 1\n  c: 2\nz: 1\n", [("a.n", .integer(3)), ("a.b", nil), ("a.c", nil)]) == "a:\n  n: 3\nz: 1\n")
        #expect(try Self.changed("a: { b: 1 }", [("a.b", nil), ("a.n", .integer(3))]) == "a: { n: 3 }")
    }

    @Test(
        "are refused together if one of them is refused, or if one is inside another",
        arguments: [
            [("a", 1), ("x.y", nil)], [("a", 1), ("b.d", 1)], [("b", 1), ("b.c", 2)], [("b.c", 2), ("b", nil)], [("a", 1), ("a", 2)], [("l[3]", 1)], [("n.m[1]", 1)],
        ] as [[(String, Int64?)]])
    func refused(edits: [(String, Int64?)]) {
        #expect(throws: ConfigurationEditRefusal.self) {
            try Self.changed("a: 0\nb: &b { c: 1 }\nd: *b\nl: [1]\n", edits.map { ($0.0, $0.1.map { .integer($0) }) })
        }
    }

    @Test("have the same result as the same changes one after the other, in random files")
    func sameAsSingle() throws {
        var numbers = SeededRandom(seed: 29)
        for _ in 0..<300 {
            let count = Int.random(in: 1...6, using: &numbers), isFlow = Bool.random(using: &numbers)
            let entries = (0..<count).map { "k\($0): \(Bool.random(using: &numbers) ? "v" : "[1, 2]")" }
            let text = isFlow ? "a: { \(entries.joined(separator: ", ")) }\nz: 1\n" : "a:\n" + entries.map { "  \($0) # c\n" }.joined() + "z: 1\n"
            var edits: [(String, ConfigurationValue?)] = (0..<count).compactMap { index in
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: ("a.k\(index)", .text("new"))
                case 1: ("a.k\(index)", nil)
                default: nil
                }
            }
            for index in 0..<Int.random(in: 0...2, using: &numbers) { edits.append(("a.n\(index)", .integer(1))) }
            let ordered = edits.filter { $0.1 != nil } + edits.filter { $0.1 == nil }
            guard !ordered.isEmpty else { continue }

            let together = try Self.changed(text, edits)

            let single = try ordered.reduce(text) { try Self.changed($0, [$1]) }
            #expect(together == single, "\(text) \(edits)")
        }
    }
}
