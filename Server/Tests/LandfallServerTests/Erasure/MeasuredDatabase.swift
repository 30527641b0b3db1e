// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import LandfallStore

/// Passes everything on to another database, and tells of each write what it was. Bulk writes are refused as busy while the test
/// says so.
final class MeasuredDatabase: PassingDatabase {
    struct Write: Hashable, Sendable {
        let urgency: Urgency
        var statements = 0
        /// Rows that were changed or found.
        var rows = 0
    }

    private struct State {
        var writes: [Write] = []
        var isBusy = false
    }

    let base: any Database
    private let state = Mutex(State())

    init(_ base: any Database) { self.base = base }

    /// Those that are done, in order.
    var writes: [Write] { state.withLock { $0.writes } }

    func refuseBulk(_ isBusy: Bool) { state.withLock { $0.isBusy = isBusy } }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        if urgency == .bulk, state.withLock({ $0.isBusy }) { throw DatabaseError.busy }
        let (value, write) = try await base.write(urgency, locking: locks) { connection in
            let measured = MeasuredConnection(base: connection, write: Write(urgency: urgency))
            return (try body(measured), measured.write)
        }
        state.withLock { $0.writes.append(write) }
        return value
    }
}

private final class MeasuredConnection: PassingConnection {
    let base: any WriteConnection
    var write: MeasuredDatabase.Write

    init(base: any WriteConnection, write: MeasuredDatabase.Write) {
        self.base = base
        self.write = write
    }

    func rows(_ statement: Statement) throws -> [Row] {
        let rows = try base.rows(statement)
        write.statements += 1
        write.rows += rows.count
        return rows
    }

    func run(_ statement: Statement) throws -> Int {
        let changed = try base.run(statement)
        write.statements += 1
        write.rows += changed
        return changed
    }
}
