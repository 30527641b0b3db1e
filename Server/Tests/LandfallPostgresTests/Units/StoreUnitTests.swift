// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallNode
@testable import LandfallPostgres
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension PostgresTests {
    @Suite("Two units of the stores at the same time end as if one came after the other", .serialized)
    struct StoreUnitTests {
        /// The locks alone make these right.
        private static func locked(_ units: StoreUnits) -> [[SteppedUnit]] {
            let first = ErasureSubject.install(StoreUnits.first.installID)
            return [
                [units.join, units.erase(.profile(units.profile), "the profile is erased")],
                [units.join, units.retirement],
                // The profile began with its customer, so it has no version that a change could miss.
                [units.attributes, units.erase(.profile(units.profile), "the profile is erased")],
                [units.update, units.erase(first, "the device's first install is erased")],
                [units.open, units.erase(first, "the device's first install is erased")],
            ]
        }

        /// In these the later one of two that began with the same rows also finds that its change has met no row.
        private static func counted(_ units: StoreUnits) throws -> [[SteppedUnit]] {
            let yaml = """
                app: { id: example, bundleId: com.example.app }
                keys: [{ sdk: pk_test }]
                paywalls: { default: { products: [yearly] } }
                layers: { main: {} }
                experiments:
                  spring-price:
                    state: live
                    variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: default } }
                placements: { home: [{ audience: everyone, experiment: spring-price }] }

                """
            let snapshot = Snapshot(try Configuration(yaml: yaml), revision: 1)
            return [
                [units.token(of: StoreUnits.second), units.token(of: StoreUnits.other)],
                [
                    units.exposure(of: StoreUnits.first, at: StoreUnits.now - 5, in: snapshot),
                    units.exposure(of: StoreUnits.reinstall, at: StoreUnits.now - 7, in: snapshot),
                ],
            ]
        }

        @Test("Each pair, one in the middle of the other at every statement, and in some further orders")
        func serial() async throws {
            let test = try await TestStoreUnits()

            let found = try await test.outcomes(of: Self.locked(test.units) + Self.counted(test.units), locks: true)

            #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        }

        @Test("Without the locks, the same orders end otherwise: this test can fail")
        func unlocked() async throws {
            let test = try await TestStoreUnits()

            for pair in Self.locked(test.units) {
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
        let names = Statement("SELECT CAST(tablename AS TEXT) AS name FROM pg_tables WHERE schemaname = CAST($1 AS TEXT)", [.text(test.schema)])
        tables = try connection.rows(names).map { try $0.text("name") }
        try connection.run(tables.map { Statement("CREATE TABLE before_\($0) AS TABLE \($0)") })
    }

    /// - Returns: the orders that end as neither serial order does.
    func outcomes(of pairs: [[SteppedUnit]], locks: Bool) async throws -> [String] {
        try await onThread {
            // Each run commits some times, and a disk may take long for that.
            let engine = try Interleaving(url + "%20-csynchronous_commit%3Doff")
            var found: [String] = []
            for pair in pairs {
                let serial = try [Interleaving.firstFirst, Interleaving.firstFirst.map { 1 - $0 }].map {
                    try outcome(engine, pair, $0, locks: locks)
                }
                let steps = (0...1).map { unit in serial.map { $0.steps[unit] }.max() ?? 0 }
                for order in Interleaving.someOrders(steps[0], steps[1], more: 10) {
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
