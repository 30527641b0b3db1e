// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import SystemCalls

@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallStore

/// The databases of tests on a PostgreSQL: copies of one that has every table already, which takes a moment each. A distributed one
/// cannot be copied: there each test has a schema of its own, whose tables are made and distributed anew. What this process has made,
/// it drops.
enum DatabaseCopies {
    private struct Copy {
        let name: String
        weak var database: PostgresDatabase?
    }

    private struct State {
        var connection: PostgresConnection?
        var template: String?
        var copies: [Copy] = []
        var made = 0

        func run(_ text: String) throws { _ = try connection?.flight([(Statement(text), .nothing)], within: limit) }

        func drop(_ name: String) {
            try? run(TestEngine.isDistributed ? "DROP SCHEMA IF EXISTS \(name) CASCADE" : "DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        }

        /// Those that nobody can use any more.
        mutating func dropUnused() {
            let unused = Set(copies.filter { $0.database == nil }.map(\.name))
            for name in unused { drop(name) }
            copies.removeAll { unused.contains($0.name) }
        }
    }

    private static let state = Mutex(State())
    private static let limit = Duration.seconds(60)

    /// A new copy. It is dropped when it is released and another one is made, or at the end of the process. Blocks its thread.
    /// - Parameter url: of any database of the server.
    static func make(at url: String) throws -> PostgresDatabase {
        try state.withLock { state in
            if state.connection == nil { try begin(&state, at: url) }
            state.dropUnused()
            guard let template = state.template else { throw DatabaseError.closed }
            state.made += 1
            let name = "\(template)_\(state.made)"
            if TestEngine.isDistributed {
                try state.run("CREATE SCHEMA \(name)")
                try fill(name, at: url)
            } else {
                try state.run("CREATE DATABASE \(name) TEMPLATE \(template)")
            }
            var limits = PostgresLimits()
            // For a busy machine.
            limits.interactive = .seconds(60)
            // Unchecked: the server of a test run may lose what it keeps. Few connections, because many tests run at once.
            let database = PostgresDatabase(
                try PostgresAddress(Self.url(of: name, at: url)), try Libpq.shared.get(), limits)
            state.copies.append(Copy(name: name, database: database))
            return database
        }
    }

    /// The same database as another node opens it.
    static func another(of database: PostgresDatabase, at url: String) throws -> PostgresDatabase {
        let name = state.withLock { $0.copies.first { $0.database === database }?.name }
        guard let name else { throw DatabaseError.closed }
        return PostgresDatabase(try PostgresAddress(Self.url(of: name, at: url)), try Libpq.shared.get(), PostgresLimits())
    }

    private static func begin(_ state: inout State, at url: String) throws {
        let library = try Libpq.shared.get()
        state.connection = try PostgresConnection(PostgresAddress(url), library: library, within: limit)
        let name = "\(TestCluster.schemaBeginning)\(ProcessInfo.processInfo.processIdentifier)"
        atexit { DatabaseCopies.end() }
        state.template = name
        if TestEngine.isDistributed { return }
        state.drop(name)
        try state.run("CREATE DATABASE \(name) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'")
        try fill(name, at: url)
    }

    /// Makes every table.
    private static func fill(_ name: String, at url: String) throws {
        let address = try PostgresAddress(Self.url(of: name, at: url))
        let connection = try PostgresConnection(address, library: Libpq.shared.get(), within: limit)
        let transaction = PostgresTransaction(on: connection, isReading: false, node: .drawn(), limit: limit)
        _ = try AppliedMigration.prepared(transaction)
        for (position, migration) in Schema.migrations.enumerated() { try migration.run(transaction, position: position) }
        try NodeTables.create(transaction)
        for table in MonthlyTable.all { for month in try table.missing(transaction) { try table.make(month, transaction) } }
        try transaction.commit()
        guard TestEngine.isDistributed else { return }
        for call in CitusCalls.calls { _ = try connection.flight([(Statement(call), .nothing)], within: limit) }
    }

    private static func end() {
        state.withLock { state in
            for copy in state.copies { state.drop(copy.name) }
            if let template = state.template, !TestEngine.isDistributed { state.drop(template) }
        }
    }

    /// The same URL with another database, or with that schema of the same one.
    private static func url(of name: String, at url: String) throws -> String {
        if TestEngine.isDistributed { return TestCluster.url(url, schema: name) + "&pool=4" }
        guard var parts = URLComponents(string: url) else {
            throw DatabaseError.cannotConnect(server: "?", reason: "LANDFALL_TEST_DATABASE is no URL")
        }
        parts.path = "/\(name)"
        parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "pool", value: "4")]
        return parts.string ?? url
    }
}
