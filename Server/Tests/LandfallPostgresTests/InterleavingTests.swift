// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPostgres
@testable import LandfallStore

extension PostgresTests {
    @Suite("Two units at the same time end as if one came after the other", .serialized)
    struct InterleavingTests {
        /// Locks are the whole database's: with the names of other tests' locks, a stopped unit would wait for those tests.
        private static func row(_ id: Int64) -> RowLock { RowLock("interleaved", ["id": .integer(id)]) }

        private static func count(_ connection: any ReadConnection, _ id: Int64) throws -> Int64? {
            try connection.row("SELECT weight FROM note WHERE id = $1", [.integer(id)]).map { row in
                guard case .real(let weight) = row["weight"] else { throw DatabaseError.unexpectedValue(column: "weight") }
                return Int64(weight)
            }
        }

        private static let units = [
            SteppedUnit("a keyed upsert that counts", locking: [row(1)]) { connection in
                try connection.run(
                    "INSERT INTO note (id, weight) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET weight = note.weight + 1")
            },
            SteppedUnit("a read of a row, then its change", locking: [row(1)]) { connection in
                let count = try count(connection, 1)
                try connection.run(
                    count == nil
                        ? Statement("INSERT INTO note (id, weight) VALUES (1, 10)")
                        : Statement("UPDATE note SET weight = $1 WHERE id = 1", [.real(Double(count ?? 0) * 2)]))
            },
            SteppedUnit("a deletion, then the same row anew", locking: [row(1)]) { connection in
                try connection.run("DELETE FROM note WHERE id = 1")
                try connection.run("INSERT INTO note (id, weight) VALUES (1, 100)")
            },
            SteppedUnit("two rows that must agree", locking: [row(1), row(2)]) { connection in
                let (one, other) = (try count(connection, 1) ?? 0, try count(connection, 2) ?? 0)
                for id in [1, 2] as [Int64] {
                    try connection.run(
                        "INSERT INTO note (id, weight) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET weight = excluded.weight",
                        [.integer(id), .real(Double(one + other + 1))])
                }
            },
            SteppedUnit("a row that is made only if it is not there", locking: [row(2)]) { connection in
                if try count(connection, 2) == nil { try connection.run("INSERT INTO note (id, weight) VALUES (2, 7)") }
            },
            SteppedUnit("a row whose lock is learned inside, from what was read", locking: []) { connection in
                let place: Int64 = try count(connection, 1) == 0 ? 1 : 2
                try connection.lock([row(place)])
                let count = try count(connection, place)
                try connection.run(
                    "INSERT INTO note (id, weight) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET weight = excluded.weight",
                    [.integer(place), .real(Double((count ?? 0) * 3 + 1))])
            },
        ]

        @Test("Every pair, in every order of their statements, with no row before and with one")
        func serial() async throws {
            let found = try await outcomes(locks: true) { _ in false }

            #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        }

        @Test("Without the locks, the same orders end otherwise: this test can fail")
        func unlocked() async throws {
            // The one that only makes a row is right without a lock, because it is run again where another one made it.
            let wanted = (Self.units[1...3] + Self.units[5...]).map(\.description)
            let isFound: @Sendable ([String]) -> Bool = { found in
                wanted.allSatisfy { unit in found.contains { $0.contains(unit) } }
            }

            let found = try await outcomes(locks: false, until: isFound)

            #expect(isFound(found), "\(found.joined(separator: "\n"))")
        }

        /// - Returns: the orders whose rows equal those of neither serial order.
        private func outcomes(locks: Bool, until isEnough: @escaping @Sendable ([String]) -> Bool) async throws -> [String] {
            let test = try await TestDatabase()
            return try await onThread {
                // Each run commits some times, and a disk may take long for that.
                let engine = try Interleaving(test.url + "%20-csynchronous_commit%3Doff")
                var found: [String] = []
                for (place, first) in Self.units.enumerated() {
                    for second in Self.units[place...] {
                        for isFilled in [false, true] {
                            let serial = try [Interleaving.firstFirst, Interleaving.firstFirst.map { 1 - $0 }].map {
                                try outcome(engine, [first, second], $0, isFilled: isFilled, locks: locks)
                            }
                            let steps = (0...1).map { unit in serial.map { $0.steps[unit] }.max() ?? 0 }
                            for order in Interleaving.orders(steps[0], steps[1]) {
                                let rows = try outcome(engine, [first, second], order, isFilled: isFilled, locks: locks).rows
                                if serial.contains(where: { $0.rows == rows }) { continue }
                                if isEnough(found) { return found }
                                found.append(
                                    "\(first) + \(second), filled \(isFilled), \(order): \(rows), not \(serial.map(\.rows))")
                            }
                        }
                    }
                }
                return found
            }
        }

        private func outcome(
            _ engine: Interleaving, _ units: [SteppedUnit], _ order: [Int], isFilled: Bool, locks: Bool
        ) throws -> (rows: [[SQLValue]], steps: [Int]) {
            let start =
                [Statement("DELETE FROM note")] + (isFilled ? [Statement("INSERT INTO note (id, weight) VALUES (1, 3)")] : [])
            try engine.watcher.run(start)
            let steps = try engine.run(units, order, locks: locks)
            let rows = try engine.watcher.rows(Statement("SELECT id, weight FROM note ORDER BY id"))
            return (rows.map(\.values), steps)
        }
    }
}
