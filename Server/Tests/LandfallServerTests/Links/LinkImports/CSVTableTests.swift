// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

@Suite("A table in CSV", .timeLimit(.minutes(1)))
struct CSVTableTests {
    static let tables: [(text: String, rows: [[String]])] = [
        ("", []), ("a", [["a"]]), ("a,b\nc,d", [["a", "b"], ["c", "d"]]), ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
        ("a\rb", [["a"], ["b"]]), (",", [["", ""]]), ("a,", [["a", ""]]), ("\n\na\n\n", [["a"]]), ("\"\"", []),
        ("\"a,b\"\"c\"\"\nd\",e", [["a,b\"c\"\nd", "e"]]), ("a\"b,c", [["a\"b", "c"]]), ("\u{FEFF}é,日本\n", [["é", "日本"]]),
        ("\"\",x\n", [["", "x"]]), (" a , \"b\" \n", [[" a ", " \"b\" "]]), ("\r\n,\u{1F1E9}\u{1F1EA}\u{301}", [["", "\u{1F1E9}\u{1F1EA}\u{301}"]]),
        ("a;b\nc,d;e", [["a", "b"], ["c,d", "e"]]), ("a\tb\n\"c\td\"\t", [["a", "b"], ["c\td", ""]]), ("a|b,c|d", [["a", "b,c", "d"]]),
        ("\"a;b;c\",d\ne;f", [["a;b;c", "d"], ["e;f"]]), ("\r\na;b\n", [["a", "b"]]), ("a\nb;c,d", [["a"], ["b;c", "d"]]),
        ("sep=;\r\na;b,c\n", [["a", "b,c"]]), ("\u{FEFF}sep=|\na|b", [["a", "b"]]), ("sep=;", []), ("sep=a\nb,c", [["sep=a"], ["b", "c"]]),
    ]

    @Test("is read as it was meant", arguments: tables)
    func reading(text: String, rows: [[String]]) throws {
        #expect(try CSVTable(text).rows.map { $0.fields.map(\.text) } == rows)
    }

    @Test("Every field has its line and column, and every row its number, also after quoted fields of several lines")
    func places() throws {
        let rows = try CSVTable("to,ü,c\r\n\"x\ny\"\"\",日本,z\n\n,b\n").rows

        #expect(rows.map(\.number) == [1, 2, 4])
        #expect(
            rows.map { $0.fields.map { "\($0.place.line):\($0.place.column)" } } == [
                ["1:1", "1:4", "1:6"], ["2:1", "3:6", "3:9"], ["5:1", "5:2"],
            ])
    }

    @Test("A line that announces the separator is a row of the file")
    func announced() throws {
        let row = try #require(try CSVTable("sep=;\na;b").rows.first)

        #expect(row.number == 2 && row.fields[1].place == CSVTable.Place(line: 2, column: 3))
    }

    @Test(
        "A quoted field that does not end, or is not all of its field, is refused at its place",
        arguments: [("a\nb,\"c", "Line 2, column 3"), ("\"a\"b", "Line 1, column 4"), ("x,\"a\nb\" ,", "Line 2, column 3")])
    func broken(text: String, place: String) {
        #expect(performing: { try CSVTable(text) }, throws: { "\($0)".hasPrefix(place) })
    }
}
