// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallSQLite
@testable import LandfallStore

@Suite("Values are read as they were written", .timeLimit(.minutes(1)))
struct ValueTests {
    @Test(
        "Each type, with the ends of its range",
        arguments: [
            [SQLValue.integer(.max), .text("a'$2 – ü 🎈"), .real(-0.1), .blob([0, 255, 0])],
            [.integer(.min), .text(""), .real(1), .blob([])],
            [.integer(0), .null, .null, .null],
        ])
    func roundTrip(values: [SQLValue]) async throws {
        let store = try await TemporaryStore()

        let rows = try await store.database.write { connection in
            try connection.run("INSERT INTO note (id, text, weight, bytes) VALUES ($1, $2, $3, $4)", values)
            return try connection.rows("SELECT id, text, weight, bytes FROM note")
        }

        #expect(rows == [Row(columns: ["id", "text", "weight", "bytes"], values: values)])
    }

    @Test("A whole number is read as a number, in both forms that the engine returns")
    func wholeReal() async throws {
        let store = try await TemporaryStore()

        let row = try await store.database.write { connection in
            try connection.row("INSERT INTO note (id, weight) VALUES (1, $1) RETURNING weight", [.real(2)])
        }

        #expect(try row?.real("weight") == 2)
    }

    @Test(
        "The order of a text's parameters is the order of their first appearance",
        arguments: [
            ("", []), ("$1", [1]), ("$2 $1 $2", [2, 1]), ("$12, $3", [12, 3]), ("'it''s $1' $4", [4]), ("costs 5$", []),
        ] as [(String, [Int])])
    func positions(text: String, positions: [Int]) {
        #expect(ParameterOrder(of: text).positions == positions)
    }
}
