// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire
import Synchronization

/// Set when this node is about to stop. Load balancers learn of it first, each connection ends with its next answer, and work that may
/// take minutes ends at once.
package final class Draining: Sendable {
    private struct State {
        /// What cancels each work that runs.
        var works: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    /// The node stops, and ended work that may take minutes.
    struct Stopping: PassingRefusal {
        let code = ErrorCode.busy
        let retryAfter = 10
        let limit: Limit? = nil
        let description = "The server is stopping and has ended this. Start it again when the server runs again."
    }

    private let begun = Atomic(false)
    private let state = Mutex(State())

    package init() {}

    package var hasBegun: Bool { begun.load(ordering: .relaxed) }

    package func begin() {
        begun.store(true, ordering: .relaxed)
        let works = state.withLock { $0.works.values.map(\.self) }
        for cancel in works { cancel() }
    }

    /// Runs work that may take minutes: a backup, a check of the whole store. It is cancelled when the node is about to stop.
    /// - Throws: ``Stopping`` if the stop ended the work; what the work throws.
    package func ending<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task(operation: work)
        let number = state.withLock { state in
            state.next += 1
            state.works[state.next] = { task.cancel() }
            return state.next
        }
        defer { state.withLock { $0.works[number] = nil } }
        // It may have begun before the work was in the list.
        if hasBegun { task.cancel() }
        do {
            return try await withTaskCancellationHandler { try await task.value } onCancel: { task.cancel() }
        } catch where hasBegun {
            throw Stopping()
        }
    }
}
