// SPDX-License-Identifier: Apache-2.0
import SystemCalls
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

extension PostgresTests {
    @Suite("The replica of a database")
    struct ReplicaTests {
        /// A database whose replica is a standby of its own.
        private struct Followed {
            let server: PostgresServer
            let standby: PostgresServer
            let database: PostgresDatabase
            let replica: PostgresAddress

            /// Whether answers that may lag are a standby's now, and say so.
            func isRead() async throws -> Bool {
                let reads = await database.laggingReads(), isFollowing = try await isFollowing(reads.store)
                #expect((reads.ageMs != nil) == isFollowing)
                return isFollowing
            }

            /// Whether such reads are a standby's.
            func isFollowing(_ reads: any StoreReading) async throws -> Bool {
                try await reads.read { try $0.row("SELECT CAST(pg_is_in_recovery() AS TEXT) AS text")?.text("text") } == "true"
            }

            /// Beats until the replica is found so.
            func beat(until state: ReplicaCondition.State, at location: SourceLocation = #_sourceLocation) async throws {
                let end = ContinuousClock.now + .seconds(60)
                while database.replicaCondition?.state != state, ContinuousClock.now < end {
                    _ = try await database.beat(release: "1", nowMs: 0, asking: [])
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(database.replicaCondition?.state == state, "\(String(describing: database.replicaCondition))", sourceLocation: location)
            }
        }

        private func run(lag: Duration = .seconds(60), _ body: (Followed) async throws -> Void) async throws {
            try await PostgresServer.with(settings: []) { server in
                let url = try await server.database()
                try await server.withStandby { standby in
                    let replica = try PostgresAddress(url.replacing(server.folder, with: standby.folder))
                    var limits = PostgresLimits.wide
                    limits.replicaLag = lag
                    let database = try await PostgresDatabase.open(PostgresAddress(url), replica: replica, limits: limits)
                    try await database.migrate([])
                    _ = try await database.write { try $0.run("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY)") }
                    try await body(Followed(server: server, standby: standby, database: database, replica: replica))
                    await database.close()
                }
            }
        }

        @Test("Answers that may lag come from a standby; from the primary while it is paused for too long, or gone")
        func follows() async throws {
            try await run(lag: .seconds(5)) { test in
                #expect(try await !test.isRead())

                try await test.beat(until: .ok)
                #expect(try await test.isRead())

                _ = try await test.standby.psql("SELECT pg_wal_replay_pause();")
                try await test.beat(until: .behind)
                #expect(try await !test.isRead())

                _ = try await test.standby.psql("SELECT pg_wal_replay_resume();")
                try await test.beat(until: .ok)
                await test.standby.stop()
                #expect(try await !test.isRead())
                try await test.beat(until: .away)
                #expect(test.database.replicaCondition?.reason?.isEmpty == false)
            }
        }

        @Test("What was committed before the age of an answer is in it")
        func age() async throws {
            try await run { test in
                try await test.beat(until: .ok)
                _ = try await test.standby.psql("SELECT pg_wal_replay_pause();")
                _ = try await test.database.write { try $0.run("INSERT INTO note (id) VALUES (1)") }
                let written = ContinuousClock.now
                var sawNothing = false, hasSeen = false
                let end = ContinuousClock.now + .seconds(60)
                while !hasSeen, ContinuousClock.now < end {
                    let begun = ContinuousClock.now, reads = await test.database.laggingReads()
                    let count = try await reads.store.rows([Statement("SELECT id FROM note")])[0].count
                    hasSeen = reads.ageMs.map { Duration.milliseconds($0) < begun - written } ?? false
                    if hasSeen { #expect(count == 1) }
                    if reads.ageMs != nil, count == 0, !sawNothing {
                        sawNothing = true
                        _ = try await test.standby.psql("SELECT pg_wal_replay_resume();")
                    }
                    _ = try await test.database.beat(release: "1", nowMs: 0, asking: [])
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(sawNothing && hasSeen)
            }
        }

        @Test("A read that the standby ends is the primary's, and so are those after it")
        func ended() async throws {
            try await run { test in
                try await test.beat(until: .ok)
                let reads = await test.database.laggingReads()
                #expect(try await test.isFollowing(reads.store))

                _ = try await test.standby.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'landfall';")

                #expect(try await !test.isFollowing(reads.store))
                #expect(try await !test.isFollowing(reads.store))
                #expect(test.database.replicaCondition?.repeats == 1)
            }
        }

        @Test("Nothing can be written there")
        func unwritable() async throws {
            try await run { test in
                let connection = try PostgresConnection(test.replica.of(.standby), library: Libpq.shared.get(), within: .seconds(60))

                let failure = #expect(throws: PostgresFailure.self) { try connection.run([Statement("CREATE TABLE other (id BIGINT)")]) }

                expectRetry(failure?.error)
                #expect(try await test.database.read { try !$0.hasTable("other") })
            }
        }

        @Test("A primary is refused as replica; one that is away is not")
        func checked() async throws {
            let started = try #require(OwnServer.current), url = try started.schema()
            // As after a failover.
            let promoted = try PostgresAddress(url)
            let serving = try await PostgresDatabase.open(PostgresAddress(url), replica: promoted, limits: .wide)
            #expect(await serving.laggingReads().ageMs == nil)
            #expect(await serving.condition(ofReplica: promoted).remedy != nil)
            await serving.close()

            let away = try PostgresAddress("postgres://postgres@/postgres?host=/nowhere")
            let database = try await PostgresDatabase.open(PostgresAddress(url), replica: away, limits: .wide)
            try await database.migrate([])
            #expect(await database.laggingReads().ageMs == nil)
            #expect(await database.condition(ofReplica: away).remedy != nil)
            await database.close()
        }
    }
}

@Suite("What a replica must be")
struct ReplicaFactTests {
    private static let primary = ["is_standby": "false", "system": "1", "database": "2"]

    private func refusal(_ facts: [String: String]) -> DatabaseError? {
        func row(_ facts: [String: String]) -> Row { Row(columns: Array(facts.keys), values: facts.values.map { .text($0) }) }
        return ReplicaChecks.refusal(row(facts), of: row(Self.primary), name: "db2/landfall")
    }

    @Test(
        "Each fact that does not hold is named",
        arguments: [
            ("false", "1", "2", "primary itself"), ("true", "3", "2", "another server"), ("true", "1", "3", "another database"),
        ])
    func refused(standby: String, system: String, database: String, text: String) {
        let error = refusal(["is_standby": standby, "system": system, "database": database])

        #expect(error?.description.contains(text) == true && error?.description.contains("db2/landfall") == true)
    }

    @Test("A standby of the same database is taken")
    func taken() { #expect(refusal(["is_standby": "true", "system": "1", "database": "2"]) == nil) }
}
