// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallRules

@Suite("Moving and writing single entries of the file", .timeLimit(.minutes(1)))
struct ConfigurationMoveTests {
    private func moved(_ text: String, _ from: Int, to: Int? = nil, in list: String = "a.b") throws -> String {
        try ConfigurationMove(list: try #require(ConfigurationEditPath(list)), from: from, to: to ?? from + 1).applied(to: text)
    }

    private func written(_ entry: String, in text: String, at path: String = "a.b") throws -> String {
        try ConfigurationEntryWriter(path: try #require(ConfigurationEditPath(path)), entry: entry).applied(to: text)
    }

    @Test(
        "An element changes places with the next one, with its comments, and nothing else moves",
        arguments: [
            ("a:\n  b:\n    - one\n    - two\n    - three\n", 1, "a:\n  b:\n    - one\n    - three\n    - two\n"),
            ("a: { b: [one, { c: 2 }] } # x\n", 0, "a: { b: [{ c: 2 }, one] } # x\n"),
            (
                "a:\n  b:\n    # of one\n    - one # first\n\n    - c: 1\n      # more\n      d: 2\n  # end\nz: 1",
                0, "a:\n  b:\n    - c: 1\n      # more\n      d: 2\n\n    # of one\n    - one # first\n  # end\nz: 1"
            ),
            ("a:\r\n  b:\r\n  - one\r\n  - two", 0, "a:\r\n  b:\r\n  - two\r\n  - one"),
            ("a:\n  b: [\n    one, # 1\n    two\n  ]\n", 0, "a:\n  b: [\n    two, # 1\n    one\n  ]\n"),
        ])
    func move(text: String, index: Int, result: String) throws {
        #expect(try moved(text, index) == result)
        #expect(try moved(result, index) == text)
    }

    @Test("An element moves over several others; those between move by one, each with its comments", arguments: [(0, 3), (3, 0), (1, 3), (2, 0)])
    func far(from: Int, to: Int) throws {
        let elements = ["    # of one\n    - one\n", "    - c: 2\n      d: 3\n", "    - three # x\n", "    - four\n"]
        func text(_ elements: [String]) -> String { "a:\n  b:\n" + elements.joined() + "z: 1\n" }
        var expected = elements
        expected.insert(expected.remove(at: from), at: to)

        #expect(try moved(text(elements), from, to: to) == text(expected))
        #expect(try moved(text(expected), to, to: from) == text(elements))
    }

    @Test("An element that is not there, or that another one repeats by an alias, stays")
    func refused() {
        let list = "a:\n  b:\n    - &x { c: 1 }\n    - *x\n"
        #expect(throws: ConfigurationEditRefusal.self) { try moved(list, 0) }
        #expect(throws: ConfigurationEditRefusal.self) { try moved(list, 1) }
        for (from, to) in [(-1, 0), (0, -1), (0, 0), (0, 2), (Int.max, 0), (0, Int.min)] {
            #expect(throws: ConfigurationEditRefusal.self) { try moved("a: { b: [1, 2] }", from, to: to) }
        }
        #expect(throws: ConfigurationEditRefusal.self) { try moved("a: { b: 1 }", 0) }
        #expect(throws: ConfigurationEditRefusal.self) { try moved("a:\n  c: &y [1, 2]\n  b: *y\n", 0) }
    }

    @Test(
        "An entry is written as people wrote it, in the place where it was",
        arguments: [
            ("a:\n  b: 1 # old\n  c: 2\n", "b: # new\n  - d # x\n\n  - e\n\n", "a:\n  b: # new\n    - d # x\n\n    - e\n  c: 2\n"),
            ("a:\n  b:\n    - d\n    # kept with it\n  c: 2", "b: |\n  one\n    two", "a:\n  b: |\n    one\n      two\n  c: 2"),
            ("a: { b: 1, c: 2 }\n", "b:\n  d: [3]\n", "a: { b: { d: [3] }, c: 2 }\n"),
        ])
    func write(text: String, entry: String, result: String) throws {
        #expect(try written(entry, in: text) == result)
    }

    @Test("Text for another key, with a second entry, or that is not YAML is not written", arguments: ["c: 1", "b: 1\nc: 2", "b: [", "b", ""])
    func notWritten(entry: String) {
        #expect(throws: ConfigurationEditRefusal.self) { try written(entry, in: "a:\n  b: 1\n") }
    }

    @Test("The text of an entry is without the indentation of the file")
    func text() throws {
        let text = "a:\n  b:\n    - c: 1 # x\n      d: |\n        one\n\n        two\n  e: { f: 1 }\n"
        let lines = ConfigurationLines(text), tree = try ConfigurationEdit.tree(text)
        func entry(_ path: String) throws -> String {
            lines.text(of: try ConfigurationLayout(lines: lines).place(of: try #require(ConfigurationEditPath(path)), in: tree))
        }

        #expect(try entry("a.b[0]") == "- c: 1 # x\n  d: |\n    one\n\n    two")
        #expect(try entry("a.e") == "e: { f: 1 }")
        #expect(try entry("a.e.f") == "f: 1")
        #expect(throws: ConfigurationEditRefusal.self) { try entry("a.x") }
    }
}
