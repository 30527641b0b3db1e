// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSQLite
@testable import LandfallServer
@testable import LandfallStore

@Suite("The columns of a statement", .timeLimit(.minutes(1)))
struct SelectListTests {
    private enum NoteColumn: Int, TableColumn { case id, text }
    private enum TagColumn: Int, TableColumn { case name, id, is_own }

    @Test("are named in the order of their cases")
    func names() {
        #expect(TagColumn.names() == "name, id, is_own")
        #expect(TagColumn.names(of: "t") == "t.name, t.id, t.is_own")
    }

    @Test("are found in each row by their table and name, also if two tables have a column of one name")
    func indexes() throws {
        let connection = try SQLiteConnection(":memory:", .readingAndWriting)
        try connection.run("CREATE TABLE note (text TEXT, id BIGINT)")
        try connection.run("CREATE TABLE tag (id BIGINT, name TEXT, is_own BIGINT)")
        try connection.run("INSERT INTO note (id, text) VALUES (1, 'one'), (2, 'two')")
        try connection.run("INSERT INTO tag (id, name, is_own) VALUES (1, 'red', 1)")
        var list = SelectList()
        let note = list.add(NoteColumn.self, of: "n"), tag = list.add(TagColumn.self, of: "t")

        let rows = try connection.rows("SELECT \(list.text) FROM note n LEFT JOIN tag t ON t.id = n.id ORDER BY n.id")

        #expect(list.text == "n.id, n.text, t.name, t.id, t.is_own")
        #expect(try rows.map { try $0.integer(note[.id]) } == [1, 2])
        #expect(try rows.map { try $0.text(note[.text]) } == ["one", "two"])
        #expect(rows.map { $0.optionalText(tag[.name]) } == ["red", nil])
        #expect(rows.map { $0.optionalInteger(tag[.id]) } == [1, nil])
        #expect(try rows[0].flag(tag[.is_own]))
    }
}
