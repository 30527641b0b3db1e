// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallServer
@testable import LandfallStore

extension PostgresTests {
    @Suite("Tables that are kept by month")
    struct MonthsTests {
        private static let app = "example"
        /// In October 2023, for which no node makes a part.
        private static let october: Int64 = 1_697_000_000_000
        /// The end of that month.
        private static let novemberMs: Int64 = 1_698_796_800_000

        private func migrated() async throws -> TestDatabase {
            let test = try await TestDatabase()
            try test.connection().run([Statement("DROP TABLE note")])
            try await test.database.migrate(Schema.migrations)
            return test
        }

        private func event(_ id: String, app: String = app) -> Statement {
            Statement(
                """
                INSERT INTO event (app_id, id, profile_id, install_id, event_id, type, occurred_at_ms, received_at_ms)
                VALUES ($1, $2, 'p', 'i', $2, 'paywall_shown', 0, 0)
                """, [.text(app), .text(id)])
        }

        private func click(_ id: String) -> Statement {
            Statement(
                """
                INSERT INTO click (app_id, click_id, clicked_at_ms, kind, platform, link_host, link_path, outcome)
                VALUES ($1, $2, 0, 'person', 'ios', 'h', '/', 'store')
                """, [.text(Self.app), .text(id)])
        }

        private func parts(_ test: TestDatabase, of table: MonthlyTable) async throws -> [String] {
            try await test.database.read { try table.parts($0).map(\.name) }
        }

        private func count(_ test: TestDatabase, in table: String) async throws -> Int64? {
            try await test.database.read { try $0.row("SELECT COUNT(*) AS count FROM \(table)")?.integer("count") }
        }

        private func makeOctober(_ connection: any WriteConnection) throws {
            let table = MonthlyTable.all[0]
            for month in try table.missing(connection, ahead: 0, fromMs: Self.october) { try table.make(month, connection) }
        }

        /// A part of October 2023 with one row.
        private func withOctober() async throws -> TestDatabase {
            let test = try await migrated()
            _ = try await test.database.write { try $0.run(event(UUIDv7.make(nowMs: Self.october))) }
            try await test.database.write { try makeOctober($0) }
            return test
        }

        @Test("A new database has this month and two more of each, and a place for every other id; a second start makes no more")
        func made() async throws {
            let test = try await migrated()
            try await test.database.migrate(Schema.migrations)

            for table in MonthlyTable.all {
                let parts = try await parts(test, of: table)
                #expect(parts.count == MonthlyTable.monthsAhead + 2, "\(parts)")
                #expect(parts.contains(table.rest))
                #expect(try await test.database.read { try table.missing($0) } == [])
            }
        }

        @Test("An id of any time, and one that is no id, is stored; the row of this month is in its part")
        func anyID() async throws {
            let test = try await migrated()
            let ids = ["", "z", UUIDv7.make(nowMs: 0), UUIDv7.make(nowMs: Self.october), UUIDv7.make(nowMs: 4_000_000_000_000)]

            _ = try await test.database.write { try $0.batch(ids.map { event($0) } + ids.map { click($0) }) }
            _ = try await test.database.write { try $0.run(event(UUIDv7.make(nowMs: ServerTime.live.nowMs()))) }

            for table in MonthlyTable.all { #expect(try await count(test, in: table.rest) == 5) }
            #expect(try await count(test, in: "event") == 6)
        }

        @Test("A month is made although its rows came before it: they move, and no other row does")
        func late() async throws {
            let test = try await migrated()
            _ = try await test.database.write { try $0.run(event(UUIDv7.make(nowMs: Self.novemberMs))) }
            _ = try await test.database.write { try $0.run(event(UUIDv7.make(nowMs: Self.novemberMs - 1))) }

            try await test.database.write { try makeOctober($0) }

            #expect(try await count(test, in: "event_2023_10") == 1)
            #expect(try await count(test, in: "event_rest") == 1)
            #expect(try await test.database.schemaLacks(after: Schema.migrations).text == nil)
        }

        @Test("Two nodes that make the same months at once do no harm; what was missing is there afterwards")
        func twoNodes() async throws {
            let test = try await migrated()
            let other = try await PostgresDatabase.open(PostgresAddress(test.url), limits: .wide)
            for table in MonthlyTable.all {
                for part in try await parts(test, of: table) where part != table.rest { try test.connection().run([Statement("DROP TABLE \(part)")]) }
            }

            async let one: Void = test.database.makeMonths()
            async let two: Void = other.tidy()
            _ = try await (one, two)

            for table in MonthlyTable.all { #expect(try await parts(test, of: table).count == MonthlyTable.monthsAhead + 2) }
            await other.close()
        }

        @Test("A row whose month is made at the same instant is stored in it")
        func race() async throws {
            let test = try await migrated(), id = UUIDv7.make(nowMs: Self.october)
            let storing = try await onThread {
                try PostgresSession(PostgresAddress(test.url)).write { connection in
                    try makeOctober(connection)
                    let storing = Task { [database = test.database, event = event(id)] in _ = try await database.write { try $0.run(event) } }
                    let waiting = """
                        SELECT 1 AS found FROM pg_stat_activity
                        WHERE application_name = '\(test.schema)' AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO event %' LIMIT 1
                        """
                    let watcher = try test.connection()
                    while try watcher.rows(Statement(waiting)).isEmpty {}
                    return storing
                }
            }

            try await storing.value
            #expect(try await count(test, in: "event_2023_10") == 1)
        }

        @Test("A month goes at once when nothing of it is to be kept, and not before; this month and the rest stay")
        func dropped() async throws {
            let test = try await withOctober(), database = test.database
            let early = UUIDv7.earliest(atMs: Self.novemberMs - 1), end = UUIDv7.earliest(atMs: Self.novemberMs)

            #expect(try await database.dropMonths(of: "event", of: Self.app, before: early) == [])
            #expect(try await database.dropMonths(of: "click", of: Self.app, before: end) == [])
            #expect(try await database.dropMonths(of: "install", of: Self.app, before: end) == [])
            #expect(try await count(test, in: "event") == 1)
            #expect(try await database.dropMonths(of: "event", of: Self.app, before: end) == ["event_2023_10"])

            #expect(try await count(test, in: "event") == 0)
            #expect(try await parts(test, of: MonthlyTable.all[0]).count == MonthlyTable.monthsAhead + 2)
        }

        @Test("A month with a row of another app stays")
        func foreign() async throws {
            for other in ["another", "zebra"] {
                let test = try await withOctober()
                _ = try await test.database.write { try $0.run(event(UUIDv7.make(nowMs: Self.october), app: other)) }

                #expect(try await test.database.dropMonths(of: "event", of: Self.app, before: UUIDv7.earliest(atMs: Self.novemberMs)) == [])
                #expect(try await count(test, in: "event") == 2)
            }
        }

        @Test("A month that a long read uses stays until later, and meanwhile phones' rows are stored")
        func inUse() async throws {
            let test = try await withOctober(), reader = try test.connection(), end = UUIDv7.earliest(atMs: Self.novemberMs)
            try reader.run([Statement("BEGIN"), Statement("SELECT 1 FROM event LIMIT 1")])

            #expect(try await test.database.dropMonths(of: "event", of: Self.app, before: end) == [])
            _ = try await test.database.write { try $0.run(event(UUIDv7.make(nowMs: Self.october))) }
            #expect(try await count(test, in: "event") == 2)

            try reader.run([Statement("COMMIT")])
            #expect(try await test.database.dropMonths(of: "event", of: Self.app, before: end) == ["event_2023_10"])
        }

        @Test("Rows of a month that is partly expired, and of the rest, are deleted one by one, and no younger part is looked at")
        func rows() async throws {
            let test = try await withOctober()
            let kept = UUIDv7.make(nowMs: Self.october + 60_000), old = UUIDv7.make(nowMs: 0)
            _ = try await test.database.write { try $0.batch([event(kept), event(old)]) }
            let values: [SQLValue] = [.text(Self.app), .text(UUIDv7.earliest(atMs: Self.october + 30_000)), .integer(500)]

            #expect(try await test.database.write { try $0.run(RetentionTexts.events, values) } == 2)

            #expect(try await test.database.read { try $0.row("SELECT id FROM event")?.text("id") } == kept)
            let plan = try test.connection().rows(Statement("EXPLAIN " + RetentionTexts.events, values)).map { try $0.text(0) }
            #expect(plan.contains { $0.contains("event_2023_10") }, "\(plan)")
            #expect(!plan.contains { $0.contains("event_202") && !$0.contains("event_2023_10") }, "\(plan)")
        }

        @Test("Doctor names a month that is missing")
        func doctor() async throws {
            let test = try await migrated()
            let next = try await parts(test, of: MonthlyTable.all[1])[1]
            #expect(try await test.database.conditions().last?.remedy == nil)
            try test.connection().run([Statement("DROP TABLE \(next)")])

            let condition = try #require(try await test.database.conditions().last)

            #expect(condition.check == "months")
            #expect(condition.message.contains("'click' has no part for \(next.trimmingPrefix("click_"))"), "\(condition)")
            #expect(condition.remedy?.contains("Start a node") == true)
        }
    }
}
