// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import LandfallStore

/// Lets something happen before one of its reads, or one of its writes.
final class InterruptedDatabase: PassingDatabase {
    let base: any Database
    private let read: Int?
    private let write: Int?
    private let interruption: @Sendable () async throws -> Void
    private let reads = Mutex(0)
    private let writes = Mutex(0)

    /// - Parameters:
    ///   - read: before which read it happens; the first is 1.
    ///   - write: the same for writes.
    init(
        base: any Database, beforeRead read: Int? = nil, beforeWrite write: Int? = nil,
        _ interruption: @escaping @Sendable () async throws -> Void
    ) {
        self.base = base
        self.read = read
        self.write = write
        self.interruption = interruption
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        let number = reads.withLock { $0 += 1; return $0 }
        if number == read { try await interruption() }
        return try await base.read(body)
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        let number = writes.withLock { $0 += 1; return $0 }
        if number == write { try await interruption() }
        return try await base.write(urgency, locking: locks, body)
    }
}
