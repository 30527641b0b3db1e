// SPDX-License-Identifier: Apache-2.0
import SystemCalls
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

/// Every test of the driver: they share one server, which is stopped after the last of them.
@Suite(
    "PostgreSQL", .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed (Debian: postgresql)"), .ownServer,
    .timeLimit(.minutes(3)))
enum PostgresTests {}

struct OwnServer: SuiteTrait, TestScoping {
    @TaskLocal static var current: PostgresServer?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing tests: @Sendable () async throws -> Void
    ) async throws {
        let server = try await PostgresServer.start(settings: [])
        var failure: (any Error)?
        do { try await Self.$current.withValue(server) { try await tests() } } catch { failure = error }
        await server.stop()
        if let failure { throw failure }
    }
}

extension Trait where Self == OwnServer {
    static var ownServer: Self { Self() }
}

/// A database of its own, with the table `note`.
struct TestDatabase {
    let url: String
    let database: PostgresDatabase

    /// - Parameter parameters: of the URL, for example `&pool=1`.
    init(_ parameters: String = "", limits: PostgresLimits = PostgresLimits()) async throws {
        url = try await #require(OwnServer.current).database() + parameters
        database = try await PostgresDatabase.open(PostgresAddress(url), limits: limits)
        _ = try await database.write {
            try $0.run("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text TEXT, weight DOUBLE PRECISION, bytes BYTEA)")
        }
    }

    /// A connection of the test's own.
    func connection() throws -> PostgresConnection {
        try PostgresConnection(PostgresAddress(url), library: Libpq.shared.get(), within: .seconds(5))
    }

    func ids() async throws -> [Int64] {
        try await database.read { try $0.rows("SELECT id FROM note ORDER BY id").map { try $0.integer("id") } }
    }
}

func insert(_ id: Int64) -> Statement { Statement("INSERT INTO note (id) VALUES ($1)", [.integer(id)]) }
