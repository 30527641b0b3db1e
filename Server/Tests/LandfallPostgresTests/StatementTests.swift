// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

extension PostgresTests {
    @Suite("Statements")
    struct StatementTests {
        @Test("A type that is not read is refused with its column's name")
        func type() async throws {
            let test = try await TestDatabase()

            let error = await #expect(throws: DatabaseError.self) {
                try await test.database.read { try $0.rows("SELECT CAST(1 AS NUMERIC) AS share") }
            }

            #expect(error?.description.contains("'share'") == true)
            #expect(error?.description.contains("cast it") == true)
        }

        @Test(
            "A value that does not fit the type in the statement is refused, not converted",
            arguments: [
                ("SELECT id FROM note WHERE id = $1", SQLValue.text("1")), ("SELECT id FROM note WHERE text = $1", .integer(1)),
                ("SELECT id FROM note WHERE weight = $1", .integer(1)), ("SELECT CAST($1 AS SMALLINT) AS s", .integer(70_000)),
                ("SELECT CAST($1 AS INTEGER) AS s", .integer(.max)), ("SELECT CAST($1 AS BOOLEAN) AS b", .integer(2)),
            ])
        func value(text: String, value: SQLValue) async throws {
            let test = try await TestDatabase()

            let error = await #expect(throws: DatabaseError.self) {
                try await test.database.read { try $0.rows(text, [value]) }
            }

            #expect(error?.description.contains("$1") == true)
        }

        @Test("Small numbers are numbers, and NULL has no type")
        func small() async throws {
            let test = try await TestDatabase()
            let text =
                "SELECT CAST($1 AS SMALLINT) AS a, CAST($2 AS INTEGER) AS b, CAST($3 AS BOOLEAN) AS c, CAST($4 AS BIGINT) AS d"

            let row = try await test.database.read { try $0.row(text, [.integer(-3), .integer(-70_000), .integer(1), .null]) }

            #expect(row?.values == [.integer(-3), .integer(-70_000), .integer(1), .null])
        }

        @Test(
            "No error repeats a value",
            arguments: [
                Statement("SELECT CAST(CAST($1 AS TEXT) AS BIGINT)", [.text("secret")]),
                Statement("INSERT INTO note (id, text) SELECT 1, $1 UNION ALL SELECT 1, $1", [.text("secret")]),
            ])
        func secret(statement: Statement) async throws {
            let test = try await TestDatabase()
            _ = try await test.database.write { connection in
                try connection.run("CREATE UNIQUE INDEX note_by_text ON note (text)")
            }

            let error = await #expect(throws: DatabaseError.self) { try await test.database.write { try $0.rows(statement) } }

            #expect(error?.description.contains("SQLSTATE") == true)
            #expect(error?.description.contains("secret") == false)
        }

        @Test("After a failed statement nothing more runs, and the unit changes nothing even if its body goes on")
        func swallowed() async throws {
            let test = try await TestDatabase()

            let error = await #expect(throws: DatabaseError.self) {
                try await test.database.write { connection in
                    try connection.run(insert(1))
                    _ = try? connection.run("INSERT INTO nowhere VALUES (1)")
                    _ = try? connection.run(insert(2))
                }
            }

            #expect(error?.description.contains("nowhere") == true)
            #expect(try await test.ids() == [])
        }

        @Test("A connection is valid only inside its closure")
        func outside() async throws {
            let test = try await TestDatabase()
            nonisolated(unsafe) var kept: (any WriteConnection)?
            try await test.database.write { kept = $0 }

            #expect(throws: DatabaseError.closed) { try kept?.run(insert(1)) }
        }

        @Test("Answers larger than every buffer arrive while larger ones are sent")
        func large() async throws {
            let test = try await TestDatabase()
            let big = String(repeating: "ü", count: 100_000)
            let statements = (0..<20).map {
                Statement("INSERT INTO note (id, text) VALUES ($1, $2)", [.integer($0), .text(big)])
            }

            let rows = try await test.database.write(.bulk, locking: []) { connection in
                try connection.batch(statements)
                return try connection.rows("SELECT text FROM note")
            }

            #expect(rows.count == 20)
            #expect(try rows.allSatisfy { try $0.text(0) == big })
        }

        @Test(
            "A prepared text survives a change of its table by another connection",
            arguments: ["&pool=1", "&pool=1&prepare=off"])
        func changedTable(parameters: String) async throws {
            let test = try await TestDatabase(parameters)
            let all = "SELECT * FROM note"
            _ = try await test.database.write { try $0.run(insert(1)) }
            _ = try await test.database.read { try $0.rows(all) }
            try test.connection().run([Statement("ALTER TABLE note ADD COLUMN later BIGINT")])

            let row = try await test.database.read { try $0.row(all) }

            #expect(row?.values.count == 5)
        }
    }
}
