// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import Synchronization

/// Lets something happen before one of its reads.
final class InterruptedDatabase: PassingDatabase {
    let base: any Database
    let place: Int
    let interruption: @Sendable () async throws -> Void
    private let reads = Mutex(0)

    init(base: any Database, at place: Int, _ interruption: @escaping @Sendable () async throws -> Void) {
        self.base = base
        self.place = place
        self.interruption = interruption
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        let number = reads.withLock { $0 += 1; return $0 }
        if number == place { try await interruption() }
        return try await base.read(body)
    }
}
