// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import LandfallStore

/// The faults of a store, set by the test.
final class StoreFaults: Sendable {
    enum Writes: Sendable {
        case work
        case refuse(DatabaseError)
        /// This number of calls succeeds first.
        case refuseAfter(Int, DatabaseError)
        /// No callback comes before ``StoreFaults/heal()``.
        case hang
    }

    private struct State {
        var writes = Writes.work
        var reads: DatabaseError?
        var waiting: [CheckedContinuation<Void, any Error>] = []
    }

    private let state = Mutex(State())

    func writes(_ writes: Writes) { state.withLock { $0.writes = writes } }
    func reads(_ error: DatabaseError?) { state.withLock { $0.reads = error } }

    /// What hung goes on, and everything works.
    func heal() {
        let waiting = state.withLock { state in
            defer { state = State() }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    /// How many writes hang.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func read() throws { if let error = state.withLock({ $0.reads }) { throw error } }

    func write() async throws {
        try await withCheckedThrowingContinuation { one in
            let answer: Result<Void, any Error>? = state.withLock { state in
                switch state.writes {
                case .work: return .success(())
                case .refuse(let error): return .failure(error)
                case .refuseAfter(let count, let error):
                    state.writes = count > 1 ? .refuseAfter(count - 1, error) : .refuse(error)
                    return count > 0 ? .success(()) : .failure(error)
                // Under the same lock, so that no heal() comes between.
                case .hang:
                    state.waiting.append(one)
                    return nil
                }
            }
            if let answer { one.resume(with: answer) }
        }
    }
}

/// Passes calls on to another database unless a fault stops them.
struct FaultyDatabase: PassingDatabase {
    let base: any Database
    let faults: StoreFaults

    init(_ base: any Database, _ faults: StoreFaults) {
        self.base = base
        self.faults = faults
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        try faults.read()
        return try await base.read(body)
    }

    func readAtOnce<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value? {
        try faults.read()
        return try base.readAtOnce(body)
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try await faults.write()
        return try await base.write(urgency, locking: locks, body)
    }
}
