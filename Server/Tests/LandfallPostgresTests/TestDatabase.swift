// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemCalls
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

/// Every test of the driver: they share one server, which is stopped after the last of them.
@Suite(
    "PostgreSQL", .enabled(if: PostgresServer.isAvailable, "PostgreSQL is not installed (Debian: postgresql)"), .ownServer,
    .timeLimit(.minutes(5)))
enum PostgresTests {}

struct OwnServer: SuiteTrait, TestScoping {
    struct Started {
        let server: PostgresServer
        /// Of a database that sorts by bytes.
        let url: String

        /// - Returns: the URL of a new schema in that database: tables of its own, made in a moment.
        func schema() throws -> String {
            let name = "\(TestCluster.schemaBeginning)\(UUID().uuidString.prefix(8).lowercased())"
            try PostgresConnection(test: url).run([Statement("CREATE SCHEMA \(name)")])
            return TestCluster.url("\(url)\(url.contains("?") ? "&" : "?")application_name=\(name)", schema: name)
        }
    }

    @TaskLocal static var current: Started?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing tests: @Sendable () async throws -> Void
    ) async throws {
        try await PostgresServer.with(settings: ["max_connections=300", "deadlock_timeout=200ms"]) { server in
            var url = try await server.database()
            if let cluster = TestCluster.url { url = cluster }
            try await Self.$current.withValue(Started(server: server, url: url)) { try await tests() }
        }
    }
}

extension Trait where Self == OwnServer {
    static var ownServer: Self { Self() }
}

/// A schema of its own, with the table `note`.
struct TestDatabase {
    let url: String
    let database: PostgresDatabase

    /// - Parameters:
    ///   - parameters: of the URL, for example `&pool=1`.
    ///   - limits: by default wide ones, for a busy machine.
    init(_ parameters: String = "", limits: PostgresLimits = .wide) async throws {
        url = try #require(OwnServer.current).schema() + parameters
        let text = "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text TEXT, weight DOUBLE PRECISION, bytes BYTEA)"
        try PostgresConnection(test: url).run([Statement(text)])
        database = try await PostgresDatabase.open(PostgresAddress(url), limits: limits)
    }

    /// A connection of the test's own.
    func connection() throws -> PostgresConnection { try PostgresConnection(test: url) }

    /// Of the connections too.
    var schema: String { url.firstMatch(of: /application_name=(\w+)/).map { String($0.output.1) } ?? "" }

    /// - Returns: the URL of a new role that may have so many connections.
    func urlOfRole(connections: Int) throws -> String {
        let role = "r\(UUID().uuidString.prefix(8).lowercased())"
        let grants = [
            "CREATE ROLE \(role) LOGIN CONNECTION LIMIT \(connections)", "GRANT ALL ON SCHEMA \(schema) TO \(role)",
            "GRANT ALL ON note TO \(role)",
        ]
        try connection().run(grants.map { Statement($0) })
        return url.replacing("user=postgres", with: "user=\(role)")
    }

    func ids() async throws -> [Int64] {
        try await database.read { try $0.rows("SELECT id FROM note ORDER BY id").map { try $0.integer("id") } }
    }
}

extension PostgresConnection {
    convenience init(test url: String) throws {
        try self.init(PostgresAddress(url), library: Libpq.shared.get(), within: .seconds(60))
    }

    func run(_ statements: [Statement]) throws { _ = try flight(statements.map { ($0, .nothing) }, within: .seconds(60)) }

    func rows(_ statement: Statement) throws -> [Row] { try flight([(statement, .rows)], within: .seconds(60))[0].rows }
}

extension PostgresLimits {
    static var wide: Self {
        var limits = Self()
        (limits.interactive, limits.bulk) = (.seconds(60), .seconds(60))
        return limits
    }
}

func insert(_ id: Int64) -> Statement { Statement("INSERT INTO note (id) VALUES ($1)", [.integer(id)]) }

func expectRetry(_ error: DatabaseError?, at location: SourceLocation = #_sourceLocation) {
    if case .retry? = error {} else { Issue.record("\(String(describing: error))", sourceLocation: location) }
}

extension Statement {
    static let livingNode = Statement(PostgresServer.livingNode)
}
