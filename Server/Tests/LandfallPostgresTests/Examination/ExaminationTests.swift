// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallStore

extension PostgresTests {
    @Suite("Examining a PostgreSQL")
    struct ExaminationTests {
        private func migrated() async throws -> TestDatabase {
            let test = try await TestDatabase()
            try test.connection().run([Statement("DROP TABLE note")])
            try await test.database.migrate(Schema.migrations)
            return test
        }

        private func remedies(_ conditions: [EngineCondition]) -> [String: String] {
            Dictionary(conditions.compactMap { condition in condition.remedy.map { (condition.check, $0) } }, uniquingKeysWith: { one, _ in one })
        }

        @Test("A database that a server has made lacks nothing; what was dropped by hand is named")
        func schema() async throws {
            let test = try await migrated()
            #expect(try await test.database.schemaLacks(after: Schema.migrations).text == nil)
            #expect(try await Set(test.database.appliedMigrations().map(\.id)) == Set(Schema.migrations.map(\.id)))
            try test.connection().run(
                ["ALTER TABLE job DROP COLUMN leased_by", "DROP TABLE absence", "DROP INDEX event_by_type"].map { Statement($0) })

            let lacks = try await test.database.schemaLacks(after: Schema.migrations)

            #expect(lacks.rows == ["the table 'absence'", "the column 'job.leased_by'"])
            #expect(lacks.indexes == ["the index 'absence_by_time'", "the index 'event_by_type'", "the index 'job_by_node'"])
        }

        @Test("A sound one has no damage and is durable; each check says something")
        func sound() async throws {
            let test = try await migrated()
            for whole in [false, true] { #expect(try await test.database.damages(whole: whole) == []) }
            try await test.database.checkDurability()
            try test.connection().run([.livingNode])

            let conditions = try await test.database.conditions()

            #expect(
                conditions.map(\.check) == [
                    "database", "standbys", "idleTransactions", "databaseConnections", "nodes", "clock", "indexes", "vacuum", "months",
                ])
            #expect(conditions.first { $0.check == "nodes" }?.message == "1 node lives: 1 × 0.1.0.")
            // The test's server has no such limit.
            #expect(remedies(conditions) == ["idleTransactions": "ALTER ROLE postgres SET idle_in_transaction_session_timeout = '10s';"])
        }

        @Test("Damage of a value that is kept outside of its row is found by reading the whole store, and the missing checksums are told")
        func damagedValue() async throws {
            let test = try await migrated()
            // Neither compressed nor in its row; a part of it is gone.
            let connection = try test.connection()
            for text in [
                "CREATE EXTENSION pg_surgery", "CREATE TABLE long_text (id BIGINT NOT NULL PRIMARY KEY, text TEXT)",
                "ALTER TABLE long_text ALTER COLUMN text SET STORAGE EXTERNAL", "INSERT INTO long_text VALUES (1, repeat('landfall', 5000))",
                "SELECT heap_force_kill(reltoastrelid, ARRAY[CAST('(0,2)' AS tid)]) FROM pg_class WHERE oid = CAST('long_text' AS regclass)",
            ] { try connection.run([Statement(text)]) }

            let (quick, whole) = (try await test.database.damages(whole: false), try await test.database.damages(whole: true))
            let about = try await test.database.conditions().first { $0.check == "database" }
            let checksums = try test.connection().rows(Statement("SHOW data_checksums")).first?.text(0)

            #expect(quick == [])
            #expect(whole.count == 1 && whole[0].contains("XX001"), "\(whole)")
            #expect(about?.message.contains("data_checksums is off") == (checksums == "off"))
        }

        @Test("An index that was not built to its end, no node, and connections that will not do are told with what mends them")
        func unsound() async throws {
            let test = try await migrated()
            try test.connection().run([
                Statement("UPDATE pg_index SET indisvalid = false WHERE indexrelid = CAST('job_by_node' AS regclass)")
            ])
            let database = try await PostgresDatabase.open(PostgresAddress(test.url.replacing("&pool=", with: "&x=") + "&pool=100"), limits: .wide)
            for number in 1...3 {
                try test.connection().run([Statement("INSERT INTO node (name, release, clock_ahead_ms, seen_at) VALUES ('\(number)', '1', 0, now())")])
            }

            let remedies = remedies(try await database.conditions())
            try test.connection().run([Statement("DELETE FROM node")])

            #expect(remedies["indexes"] == "REINDEX INDEX CONCURRENTLY job_by_node;")
            #expect(remedies["databaseConnections"]?.contains("max_connections") == true)
            #expect(self.remedies(try await database.conditions())["nodes"]?.contains("landfall serve") == true)
            #expect(try await database.schemaLacks(after: Schema.migrations).indexes == ["the index 'job_by_node'"])
            await database.close()
        }
    }
}

@Suite("Clock of a database")
struct DatabaseClockTests {
    @Test(
        "Two seconds of difference are in order, more are not; what an answer took that long is not measured",
        arguments: [(2_000, 2_000, false, "2000 ms ahead"), (2_001, 0, true, "2001 ms ahead"), (90_000, 2_001, false, "not compared")]
            as [(Int64, Int, Bool, String)])
    func clock(ahead: Int64, took: Int, isBad: Bool, text: String) throws {
        let server = Row(columns: ["now_ms"], values: [.integer(1_000)])

        let condition = try PostgresConditions.clock(server, nowMs: 1_000 + ahead, took: .milliseconds(took))

        #expect(condition.message.contains(text), "\(condition)")
        #expect((condition.remedy != nil) == isBad)
    }
}

@Suite("Standbys of a database")
struct StandbyTests {
    private func condition(_ standbys: Int64, names: String, commit: String = "on", lag: Int64? = 0) throws -> EngineCondition {
        try PostgresConditions.standbys(
            Row(columns: ["standbys", "lag_bytes", "lag_ms"], values: [.integer(standbys), .integer(lag), .integer(lag.map { _ in 1 })]),
            Row(columns: ["synchronous_names", "synchronous_commit", "quoted_name", "role"], values: [names, commit, "d", "r"].map { .text($0) }))
    }

    @Test(
        "that may lose answered commits, or stop them, are not in order",
        arguments: [
            (1, "", "on", 0, "synchronous_mode: on"), (1, "*", "local", 0, "SET synchronous_commit = on"), (0, "a", "on", 0, "Start the standby"),
            (2, "*", "on", 1 << 30, "network"),
        ] as [(Int64, String, String, Int64, String)])
    func bad(standbys: Int64, names: String, commit: String, lag: Int64, remedy: String) throws {
        #expect(try condition(standbys, names: names, commit: commit, lag: lag).remedy?.contains(remedy) == true)
    }

    @Test("None, and one that commits wait for, are in order", arguments: [(0, "", 0), (1, "ANY 1 (*)", 0), (1, "*", nil)] as [(Int64, String, Int64?)])
    func good(standbys: Int64, names: String, lag: Int64?) throws {
        #expect(try condition(standbys, names: names, lag: lag).remedy == nil)
    }
}
