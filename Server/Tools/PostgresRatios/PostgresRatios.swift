// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPostgres
import LandfallStore
import Synchronization
import SystemCalls

/// What the driver adds to PostgreSQL's own time: the same texts by pgbench and by the driver, in turn, on one new server.
/// Arguments are the names of rows; none means all.
@main
enum PostgresRatios {
    private struct Row {
        let name: String
        /// For pgbench; `:i` is a random number.
        let script: String
        let goal: Double
        let run: @Sendable (PostgresDatabase, Int64) async throws -> Void
    }

    private static let people: Int64 = 200_000
    private static let clients = 64
    private static let seconds = 5
    private static let rounds = 3

    private static let reading = "SELECT id, facts, seen_at_ms FROM person WHERE app_id = $1 AND id = $2"
    private static let adding = "INSERT INTO tap (id, app_id, link, at_ms) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING"
    private static let finding = "SELECT seen_at_ms FROM person WHERE app_id = $1 AND id = $2"
    private static let changing = "UPDATE person SET seen_at_ms = $3 WHERE app_id = $1 AND id = $2"

    private static let rows = [
        Row(
            name: "keyed read",
            script: "\\set i random(1, \(people))\nSELECT id, facts, seen_at_ms FROM person WHERE app_id = 'a' AND id = :i;\n",
            goal: 0.5
        ) { database, number in
            _ = try await database.read { try $0.row(reading, [.text("a"), .integer(number % people + 1)]) }
        },
        Row(
            name: "append",
            script:
                "\\set i random(1, 4000000000000000000)\nINSERT INTO tap (id, app_id, link, at_ms) VALUES (:i, 'a', '/l', 1) ON CONFLICT DO NOTHING;\n",
            goal: 1
        ) { database, number in
            try await database.append([Statement(adding, [.integer(number), .text("a"), .text("/l"), .integer(1)])])
        },
        Row(
            name: "read and change under a lock",
            script: """
                \\set i random(1, \(people))
                BEGIN;
                SELECT pg_advisory_xact_lock(:i);
                SELECT seen_at_ms FROM person WHERE app_id = 'a' AND id = :i;
                UPDATE person SET seen_at_ms = 2 WHERE app_id = 'a' AND id = :i;
                COMMIT;

                """, goal: 0.6
        ) { database, number in
            let id = SQLValue.integer(number % people + 1)
            try await database.write(.interactive, locking: [RowLock("person", ["app_id": .text("a"), "id": id])]) {
                connection in
                _ = try connection.row(finding, [.text("a"), id])
                try connection.run(changing, [.text("a"), id, .integer(2)])
            }
        },
    ]

    static func main() async throws {
        try await PostgresServer.with(settings: ["shared_buffers=256MB", "max_connections=200"], compare)
    }

    private static func compare(on server: PostgresServer) async throws {
        let url = try await server.database()
        let database = try await PostgresDatabase.open(PostgresAddress(url))
        _ = try await database.write(.bulk, locking: []) { connection in
            try connection.run(
                "CREATE TABLE person (app_id TEXT NOT NULL, id BIGINT NOT NULL, facts TEXT, seen_at_ms BIGINT NOT NULL, PRIMARY KEY (app_id, id))"
            )
            try connection.run(
                "CREATE TABLE tap (id BIGINT NOT NULL PRIMARY KEY, app_id TEXT NOT NULL, link TEXT, at_ms BIGINT)")
            return try connection.run(
                "INSERT INTO person (app_id, id, facts, seen_at_ms) SELECT 'a', i, repeat('x', 300), i FROM generate_series(1, \(people)) i"
            )
        }
        print("operations a second, median of \(rounds) rounds of \(seconds) s, \(clients) clients")
        let wanted = CommandLine.arguments.dropFirst()
        for row in rows where wanted.isEmpty || wanted.contains(row.name) {
            var (theirs, ours) = ([Double](), [Double]())
            for _ in 0..<rounds {
                theirs.append(try await server.pgbench(row.script, url: url, clients: clients, seconds: seconds))
                ours.append(try await measure(row, database))
            }
            let writes = database.writeCounts
            let (their, our) = (theirs.sorted()[rounds / 2], ours.sorted()[rounds / 2])
            print(
                "\(row.name): pgbench \(Int(their)), driver \(Int(our)), ratio \((our / their * 100).rounded() / 100), goal \(row.goal); \(writes.units) units in \(writes.commits) commits"
            )
        }
        await database.close()
    }

    private static func measure(_ row: Row, _ database: PostgresDatabase) async throws -> Double {
        let begun = ContinuousClock.now
        let end = begun + .seconds(seconds)
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<clients {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < end {
                        try await row.run(database, Int64.random(in: 1...4_000_000_000_000_000_000))
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(done) / (begun.duration(to: .now) / .seconds(1))
    }
}
