// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import LandfallStore

/// Another unit commits in the middle of one, as on an engine with several writers. A unit that ends with `retry` is run again, and then
/// the other one was before all of it.
final class OvertakenDatabase: PassingDatabase {
    enum Moment: Hashable, Sendable {
        /// The unit waits for this lock, and the other one has it.
        case lock(RowLock)
        /// Before the unit changes rows of this table.
        case change(of: String)
    }

    let base: any Database
    private let moment: Moment
    private let other: @Sendable (any WriteConnection) throws -> Void
    private let count = Mutex(0)

    init(base: any Database, at moment: Moment, _ other: @escaping @Sendable (any WriteConnection) throws -> Void) {
        (self.base, self.moment, self.other) = (base, moment, other)
    }

    /// Whether the moment has come.
    var isOvertaken: Bool { count.withLock { $0 > 0 } }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await base.write(urgency, locking: locks) { connection in
                try body(OvertakenConnection(base: connection) { try self.pass($0, on: connection) })
            }
        } catch DatabaseError.retry {
            try await base.write(.bulk, locking: [], other)
            return try await base.write(urgency, locking: locks, body)
        }
    }

    private func pass(_ isMoment: (Moment) -> Bool, on connection: any WriteConnection) throws {
        guard isMoment(moment), count.withLock({ count in defer { count += 1 }; return count == 0 }) else { return }
        try other(connection)
    }
}

private struct OvertakenConnection: PassingConnection {
    let base: any WriteConnection
    /// Called with what is about to happen.
    let pass: ((OvertakenDatabase.Moment) -> Bool) throws -> Void

    func lock(_ locks: [RowLock]) throws {
        try pass { moment in locks.contains { moment == .lock($0) } }
        try base.lock(locks)
    }

    func run(_ statement: Statement) throws -> Int { try batch([statement])[0] }

    func batch(_ statements: [Statement]) throws -> [Int] {
        try pass { moment in statements.contains { $0.change.map { moment == .change(of: String($0.table)) } == true } }
        return try base.batch(statements)
    }
}
