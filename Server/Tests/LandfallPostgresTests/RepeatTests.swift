// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import SystemCalls
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

extension PostgresTests {
    @Suite("A unit is run again")
    struct RepeatTests {
        @Test("until its body no longer throws 'retry'")
        func retry() async throws {
            let test = try await TestDatabase()
            let runs = Counter()

            try await test.database.write { connection in
                try connection.run(insert(Int64(runs.next())))
                if runs.value < 3 { throw DatabaseError.retry("not yet") }
            }

            #expect(try await test.ids() == [3])
        }

        @Test("at most five times")
        func most() async throws {
            let test = try await TestDatabase()
            let runs = Counter()

            await #expect(throws: DatabaseError.retry("never")) {
                try await test.database.write { _ in
                    _ = runs.next()
                    throw DatabaseError.retry("never")
                }
            }

            #expect(runs.value == 6)
        }

        @Test("when another transaction committed its key first: then it finds the row")
        func duplicate() async throws {
            let test = try await TestDatabase()
            let runs = Counter()

            let found = try await test.database.write { connection in
                let isThere = try connection.row("SELECT id FROM note WHERE id = 1") != nil
                if runs.next() == 1 { try test.connection().run([insert(1)]) }
                if !isThere { try connection.run(insert(1)) }
                return isThere
            }

            #expect(found)
            #expect(runs.value == 2)
        }

        @Test("when the engine ends a deadlock, of changed rows or of locks taken inside", arguments: [false, true])
        func deadlock(isOfLocks: Bool) async throws {
            let test = try await TestDatabase()
            _ = try await test.database.write { try $0.batch([insert(1), insert(2)]) }
            let runs = Counter()
            let both = Meeting(of: 2)

            async let one: Void = change(1, 2)
            async let other: Void = change(2, 1)
            _ = try await (one, other)

            @Sendable func change(_ first: Int64, _ second: Int64) async throws {
                try await test.database.write { connection in
                    _ = runs.next()
                    try take(first, connection)
                    both.arrive()
                    try take(second, connection)
                }
            }
            @Sendable func take(_ id: Int64, _ connection: any WriteConnection) throws {
                if isOfLocks {
                    try connection.lock([RowLock("deadlock", ["schema": .text(test.schema), "id": .integer(id)])])
                } else {
                    try connection.run("UPDATE note SET weight = 1 WHERE id = $1", [.integer(id)])
                }
            }
            // On a busy machine, the one that is run again may be in the other's way once more.
            #expect((3...5).contains(runs.value))
        }

        @Test("when its connection is lost before COMMIT", arguments: [true, false])
        func lost(isReading: Bool) async throws {
            let test = try await TestDatabase()
            let runs = Counter()
            let body: @Sendable (any ReadConnection) throws -> Int64? = { connection in
                let process = try connection.row("SELECT pg_backend_pid() AS process")?.integer(0)
                if runs.next() == 1 {
                    let text = Statement("SELECT pg_terminate_backend(CAST($1 AS INTEGER))", [.integer(process)])
                    try test.connection().run([text])
                }
                return try connection.row("SELECT COUNT(*) FROM note")?.integer(0)
            }

            let count = isReading ? try await test.database.read(body) : try await test.database.write(body)

            #expect(count == 0)
            #expect(runs.value == 2)
        }

        @Test("when its connection ended while it was idle")
        func idle() async throws {
            let test = try await TestDatabase()
            let process = try await test.database.read { try $0.row("SELECT pg_backend_pid() AS process")?.integer(0) }
            let text = Statement("SELECT pg_terminate_backend(CAST($1 AS INTEGER), 5000) AS ended", [.integer(process)])
            try test.connection().run([text])

            _ = try await test.database.write { try $0.run(insert(1)) }

            #expect(try await test.ids() == [1])
        }

        @Test("by another connection where the server refuses a further one")
        func refusedConnection() async throws {
            let test = try await TestDatabase()
            let limited = try await PostgresDatabase.open(PostgresAddress(test.urlOfRole(connections: 2)), limits: .wide)

            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 1...60 {
                    group.addTask {
                        _ = try await limited.write(id % 3 == 0 ? .bulk : .interactive, locking: []) {
                            try $0.run(insert(Int64(id)))
                        }
                    }
                    group.addTask { try await limited.append([insert(Int64(100 + id))]) }
                }
                try await group.waitForAll()
            }

            #expect(try await test.ids().count == 120)
            await limited.close()
        }

        @Test("when the engine undid it at COMMIT and ended the connection")
        func undone() async throws {
            let test = try await TestDatabase()
            _ = try await test.database.write { connection in
                try connection.run("CREATE SEQUENCE once")
                try connection.run(
                    """
                    CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                    'BEGIN IF nextval(''once'') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NULL; END'
                    """)
                try connection.run(
                    "CREATE CONSTRAINT TRIGGER die AFTER INSERT ON note DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()"
                )
            }
            let runs = Counter()

            _ = try await test.database.write { connection in try connection.run(insert(Int64(runs.next()))) }

            #expect(try await test.ids() == [2])
        }

        @Test("no more once the connection was lost after COMMIT, if the engine says that it committed")
        func committed() async throws {
            try await throughProxy(.afterCommit) { database, runs, proxy in
                _ = try await database.write { try $0.run(insert(Int64(runs.next()))) }
                #expect(proxy.cuts == 1)
            } ids: {
                #expect($0 == [1])
            }
        }

        @Test("once the connection was lost with COMMIT on its way, if the engine says that it did not commit")
        func uncommitted() async throws {
            try await throughProxy(.beforeCommit) { database, runs, proxy in
                _ = try await database.write { try $0.run(insert(Int64(runs.next()))) }
                #expect(proxy.cuts == 1)
            } ids: {
                #expect($0 == [2])
            }
        }

        @Test(
            "Rows are added once, wherever their connection was cut", arguments: [CuttingProxy.Cut.afterCommit, .beforeCommit])
        func appended(cut: CuttingProxy.Cut) async throws {
            try await throughProxy(cut) { database, _, proxy in
                try await database.append([insert(1), insert(2)])
                #expect(proxy.cuts == 1)
            } ids: {
                #expect($0 == [1, 2])
            }
        }

        @Test("Rows of several callers are not added again where nobody knows whether they are there")
        func unknownGroup() async throws {
            let test = try await TestDatabase()
            let server = try #require(OwnServer.current).server
            let proxy = try CuttingProxy(to: server.socket, .forLonger)
            defer { proxy.stop() }
            let address = try PostgresAddress(test.url.replacing(server.folder, with: proxy.folder) + "&prepare=off")

            let answers = try await onThread { () throws(DatabaseError) in
                let answers = Mutex<[Result<Void, any Error>]>([])
                func append(_ id: Int64, within seconds: Int) -> PostgresAppend {
                    PostgresAppend([insert(id)], UnitTerms(kind: .append, urgency: .bulk, limit: .seconds(seconds))) { answer in
                        answers.withLock { $0.append(answer) }
                        // A second try would find the server again.
                        if answers.withLock(\.count) > 1 { proxy.isRefusing.store(false, ordering: .sequentiallyConsistent) }
                    }
                }
                var runner = UnitRunner(address, try Libpq.shared.get(), .drawn(), StoreObservers())
                _ = runner.run(append(0, within: 60))
                proxy.isArmed.store(true, ordering: .sequentiallyConsistent)
                _ = runner.run(PostgresAppendGroup([append(1, within: 4), append(2, within: 60)]))
                return answers.withLock { $0 }
            }

            #expect(proxy.cuts == 1)
            #expect(answers.count == 3)
            for answer in answers.dropFirst() {
                let error = #expect(throws: DatabaseError.self) { try answer.get() }
                expectRetry(error)
            }
            #expect(try await test.ids() == [0, 1, 2])
        }

        @Test("A commit is not taken for done where the server that says so may have given its number again")
        func otherIncarnation() async throws {
            try await PostgresServer.with(settings: []) { server in
                let proxy = try CuttingProxy(to: server.socket, .forLonger)
                defer { proxy.stop() }
                let url = try await server.database().replacing(server.folder, with: proxy.folder) + "&prepare=off&pool=1"
                let database = try await PostgresDatabase.open(PostgresAddress(url), limits: .wide)
                _ = try await database.write { try $0.run("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY)") }
                proxy.isArmed.store(true, ordering: .sequentiallyConsistent)

                let writing = Task { try await database.write { try $0.run(insert(1)) } }
                while proxy.cuts == 0 { try await Task.sleep(for: .milliseconds(5)) }
                // As after a crash.
                _ = try await server.psql("SELECT pg_stat_reset_shared('wal');")
                proxy.isRefusing.store(false, ordering: .sequentiallyConsistent)

                let error = await #expect(throws: DatabaseError.self) { try await writing.value }
                expectRetry(error)
                await database.close()
            }
        }

        @Test("Rows whose group failed are added one by one, but for those whose caller has waited long enough")
        func lateGroup() async throws {
            let test = try await TestDatabase()
            let address = try PostgresAddress(test.url)

            let answers = try await onThread { () throws(DatabaseError) in
                let answers = Mutex<[DatabaseError?]>([])
                func append(_ id: Int64, within limit: Duration) -> PostgresAppend {
                    PostgresAppend([insert(id)], UnitTerms(kind: .append, urgency: .bulk, limit: limit)) { answer in
                        answers.withLock { answers in
                            if case .failure(let error) = answer {
                                answers.append(error as? DatabaseError)
                            } else {
                                answers.append(nil)
                            }
                        }
                    }
                }
                var runner = UnitRunner(address, try Libpq.shared.get(), .drawn(), StoreObservers())
                _ = runner.run(
                    PostgresAppendGroup([
                        append(1, within: .seconds(60)), append(1, within: .seconds(60)), append(2, within: .zero),
                    ]))
                return answers.withLock { $0 }
            }

            #expect(answers.count == 3)
            #expect(answers.first == .some(nil))
            #expect(answers.last == .busy)
            #expect(try await test.ids() == [1])
        }

        @Test("A commit that its standby has not confirmed is not taken for one that it has")
        func unconfirmed() async throws {
            // Everything else on this server waits for no standby.
            let settings = ["synchronous_standby_names=nobody", "synchronous_commit=local"]
            try await PostgresServer.with(settings: settings) { server in
                var limits = PostgresLimits.wide
                limits.bulk = .seconds(4)
                let url = try await server.database()
                let local = try await PostgresDatabase.open(PostgresAddress(url), limits: .wide)
                _ = try await local.write { try $0.run("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY)") }
                await local.close()
                let database = try await PostgresDatabase.open(
                    PostgresAddress(url + "&options=-csynchronous_commit%3Don"), limits: limits)

                let error = await #expect(throws: DatabaseError.self) {
                    try await database.write(.bulk, locking: []) { try $0.run(insert(1)) }
                }

                expectRetry(error)
                await database.close()
            }
        }

        @Test("A refused lock leaves the connection to the next unit as it was")
        func refusedLock() async throws {
            let test = try await TestDatabase("%20-clock_timeout%3D50&pool=1")
            let lock = RowLock("refused", ["name": .text(test.schema)])
            let other = try test.connection()
            let take = Statement("SELECT pg_advisory_lock($1)", [.integer(lock.number)])
            try other.run([take])

            let error = await #expect(throws: DatabaseError.self) {
                try await test.database.write(.interactive, locking: [lock]) { _ in }
            }

            expectRetry(error)
            _ = try await test.database.write { try $0.run(insert(1)) }
            #expect(try await test.ids() == [1])
        }

        @Test("A unit with many texts that fails leaves the connection to the next unit as it was")
        func manyTexts() async throws {
            let test = try await TestDatabase("&pool=1")

            await #expect(throws: DatabaseError.self) {
                try await test.database.write { connection in
                    try connection.batch((0...1_030).reversed().map { Statement("SELECT 1 / \($0) AS one") })
                }
            }

            _ = try await test.database.write { try $0.run(insert(1)) }
            #expect(try await test.ids() == [1])
        }

        private func throughProxy(
            _ cut: CuttingProxy.Cut,
            _ body: (PostgresDatabase, Counter, CuttingProxy) async throws -> Void, ids: ([Int64]) -> Void
        ) async throws {
            let test = try await TestDatabase()
            let proxy = try CuttingProxy(to: try #require(OwnServer.current).server.socket, cut)
            defer { proxy.stop() }
            // Without prepared statements each COMMIT travels as a text, which the proxy finds.
            let url =
                test.url.replacing(try #require(OwnServer.current).server.folder, with: proxy.folder) + "&prepare=off&pool=1"
            let database = try await PostgresDatabase.open(PostgresAddress(url), limits: .wide)
            // What is new to a connection is announced before it is run, which is too early for the cut.
            _ = try await database.write { try $0.rows("SELECT 1 AS one") }
            proxy.isArmed.store(true, ordering: .sequentiallyConsistent)
            try await body(database, Counter(), proxy)
            ids(try await test.ids())
            await database.close()
        }
    }
}

final class Counter: Sendable {
    private let state = Mutex(0)
    var value: Int { state.withLock { $0 } }
    func next() -> Int {
        state.withLock {
            $0 += 1
            return $0
        }
    }
}

/// Threads that wait for each other once.
final class Meeting: Sendable {
    private let missing: Mutex<Int>
    private let all = DispatchSemaphore(value: 0)

    init(of count: Int) { missing = Mutex(count) }

    func arrive() {
        let left = missing.withLock {
            $0 -= 1
            return $0
        }
        if left > 0 { all.wait() }
        all.signal()
    }
}
