// SPDX-License-Identifier: Apache-2.0
import LandfallStore

extension StoreClaim {
    static let values = [
        StoreClaim("Values are read as they were written, at the ends of their ranges") { store in
            let rows: [[SQLValue]] = [
                [.integer(.max), .text("a'$2 – ü 🎈"), .real(-0.1), .blob([0, 255, 0])],
                [.integer(.min), .text(""), .real(.greatestFiniteMagnitude), .blob([])],
                [.integer(0), .null, .null, .null],
            ]
            for row in rows {
                let found = try await store.write { connection in
                    try connection.run("INSERT INTO note (id, text, weight, bytes) VALUES ($1, $2, $3, $4)", row)
                    return try connection.row("SELECT id, text, weight, bytes FROM note WHERE id = $1", [row[0]])
                }
                try expect(found?.values, row, "the row")
            }
        },
        StoreClaim("A whole number in a column of fractions is read as a number, also by RETURNING") { store in
            let row = try await store.write {
                try $0.row("INSERT INTO note (id, weight) VALUES (1, $1) RETURNING weight", [.real(2)])
            }
            try expect([.real(2), .integer(2)].contains(row?["weight"]), true, "2")
        },
        StoreClaim("A parameter means its number in any position, also twice and inside quotes") { store in
            let row = try await store.read {
                try $0.row("SELECT $2 AS b, '$3' AS quoted, $1 AS a, $2 AS again", [.text("one"), .text("two")])
            }
            try expect(row?.values, [.text("two"), .text("$3"), .text("one"), .text("two")], "the values")
        },
        StoreClaim("Conditions and counts are numbers") { store in
            let row = try await store.read {
                try $0.row(
                    "SELECT 1 AS one, 2 > 1 AS truth, COUNT(*) AS count, CASE WHEN 1 > 2 THEN 1 ELSE 0 END AS chosen FROM note")
            }
            try expect(row?.values, [.integer(1), .integer(1), .integer(0), .integer(0)], "the values")
        },
        StoreClaim("Texts are compared and sorted as bytes") { store in
            let texts = ["b", "a", "Z", "é", "z", "a b", "aB", "🎈", ""]
            let found = try await store.write { connection in
                for (id, text) in texts.enumerated() {
                    try connection.run("INSERT INTO note (id, text) VALUES ($1, $2)", [.integer(Int64(id)), .text(text)])
                }
                return try connection.rows("SELECT text FROM note ORDER BY text").map { try $0.text(0) }
            }
            try expect(found, texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, "the order")
        },
        StoreClaim("U+0000 is refused") { store in
            try await expectError("U+0000", { $0 as? DatabaseError == .forbiddenCharacter }) {
                _ = try await store.write { try $0.run("INSERT INTO note (id, text) VALUES (1, $1)", [.text("a\0b")]) }
            }
            try expect(await ids(store), [], "the rows")
        },
        StoreClaim("Too few values, and a missing table, are bugs of the program") { store in
            try await expectError("one value for two", { $0 as? DatabaseError == .failed("1 values for 2 parameters") }) {
                _ = try await store.read { try $0.rows("SELECT $1, $2", [.integer(1)]) }
            }
            try await expectError("no table", isFailed) { _ = try await store.read { try $0.rows("SELECT 1 FROM nowhere") } }
        },
    ]
}
