// SPDX-License-Identifier: Apache-2.0
import SystemCalls
import Testing

@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension PostgresTests {
    @Suite("Two units of the stores at the same time end as if one came after the other", .serialized)
    struct StoreUnitTests {
        @Test("One in the middle of the other at every statement, and in some further orders")
        func serial() async throws {
            let test = try await TestStoreUnits()

            let found = try await test.outcomes(of: test.units.lockedPairs, locks: true)

            #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        }

        @Test("Every pair, in other orders with each run of the test")
        func pairs() async throws {
            let test = try await TestStoreUnits(), units = try test.units.all

            let found = try await test.outcomes(
                of: units.indices.flatMap { place in units[place...].map { [units[place], $0] } }, most: 16, locks: true)

            #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        }

        @Test("Without the locks, the same orders end otherwise: these tests can fail")
        func unlocked() async throws {
            let test = try await TestStoreUnits()

            for pair in test.units.lockedPairs {
                let found = try await test.outcomes(of: [pair], locks: false)
                #expect(!found.isEmpty, "\(pair)")
            }
        }
    }
}

/// A database with the people of ``StoreUnits``, as it is before each run.
private struct TestStoreUnits {
    let units: StoreUnits
    private let url: String
    private let tables: [String]

    init() async throws {
        let test = try await TestDatabase()
        url = test.url
        try await test.database.migrate(Schema.migrations)
        // Locks are the whole database's: with an app of its own, nobody waits for other tests.
        units = try await StoreUnits(in: test.database, AppID(test.schema))
        let connection = try test.connection()
        // Not together: a flight is one transaction.
        if TestCluster.url != nil { for call in CitusCalls.calls { try connection.run([Statement(call)]) } }
        let names = Statement(
            """
            SELECT CAST(relname AS TEXT) AS name FROM pg_class
            WHERE relnamespace = to_regnamespace(CAST($1 AS TEXT)) AND relkind IN ('r', 'p') AND NOT relispartition
            """, [.text(test.schema)])
        tables = try connection.rows(names).map { try $0.text("name") }
        try connection.run(tables.map { Statement("CREATE TABLE before_\($0) AS TABLE \($0)") })
    }

    /// - Returns: the orders that end as neither serial order does.
    func outcomes(of pairs: [[SteppedUnit]], most: Int = .max, locks: Bool) async throws -> [String] {
        try await onThread {
            // Each run commits some times, and a disk may take long for that.
            let engine = try Interleaving(url + "%20-csynchronous_commit%3Doff")
            var found: [String] = []
            for pair in pairs {
                let serial = try [Interleaving.firstFirst, Interleaving.firstFirst.map { 1 - $0 }].map {
                    try outcome(engine, pair, $0, locks: locks)
                }
                let steps = (0...1).map { unit in serial.map { $0.steps[unit] }.max() ?? 0 }
                for order in Interleaving.someOrders(steps[0], steps[1], more: 10, most: most) {
                    let rows = try outcome(engine, pair, order, locks: locks).rows
                    if serial.contains(where: { $0.rows == rows }) { continue }
                    found.append("\(pair[0]) + \(pair[1]), \(order): \(rows), not \(serial.map(\.rows))")
                    if !locks { return found }
                }
            }
            return found
        }
    }

    private func outcome(
        _ engine: Interleaving, _ pair: [SteppedUnit], _ order: [Int], locks: Bool
    ) throws -> (rows: [[SQLValue]], steps: [Int]) {
        try engine.watcher.run(
            tables.flatMap { [Statement("DELETE FROM \($0)"), Statement("INSERT INTO \($0) SELECT * FROM before_\($0)")] })
        let steps = try engine.run(pair, order, locks: locks)
        let rows = try Self.texts.flatMap { try engine.watcher.rows(Statement($0)).map(\.values) }
        return (rows, steps)
    }

    private static let texts = [
        "SELECT install_id, profile_id, first_install_id, is_reinstall, app_version FROM install ORDER BY install_id",
        "SELECT profile_id, version, customer_id, attributes FROM profile ORDER BY profile_id",
        "SELECT customer_id, profile_id FROM customer ORDER BY customer_id",
        "SELECT profile_id, install_id FROM former_profile ORDER BY profile_id, install_id",
        "SELECT install_hash FROM erased_install ORDER BY install_hash",
        "SELECT job_key, install_id FROM job ORDER BY job_key",
        "SELECT token_hash, install_id, reason FROM apple_ads_exchange ORDER BY token_hash, install_id",
        "SELECT unit, experiment, variation, shown_at_ms FROM experiment_unit ORDER BY unit, experiment",
    ]
}
