// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Owns every task of a client: counts and cancels them, and never waits for one that ignores cancellation.
final class Operations: Sendable {
    typealias ID = Int

    enum Owner: Sendable {
        /// Runs on behalf of calls and ends with them.
        case call
        /// Serves the launch as a whole.
        case launch
        /// Hears the platform as long as the client lives, whichever installation it serves.
        case platform
    }

    private struct Running {
        let owner: Owner
        let task: Task<Void, Never>
    }

    private struct State {
        var lastID = 0
        var running: [ID: Running] = [:]
        var isOver = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Operations of calls that have neither ended nor been cancelled.
    var countForCalls: Int { state.withLock { $0.running.values.count { $0.owner == .call && !$0.task.isCancelled } } }

    /// Starts an operation. After ``end()`` nothing starts.
    ///
    /// Detached, and never below the default priority: an operation that a background caller started, such as a deadline's
    /// timer, serves other callers too. It must not wait behind other work, or keep the task-local values of its starter.
    @discardableResult
    func run(for owner: Owner, _ body: @escaping @Sendable (ID) async -> Void) -> ID {
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            guard !state.isOver else { return id }
            // Stored before it can end: its end waits for this lock.
            state.running[id] = Running(
                owner: owner,
                task: Task.detached(priority: max(Task.currentPriority, .medium)) { [weak self] in
                    await body(id)
                    self?.ended(id)
                })
            return id
        }
    }

    func cancel(_ id: ID) { state.withLock { $0.running[id] }?.task.cancel() }

    /// Cancels what serves an installation that has ended; others may start. The platform is still heard.
    func cancelAll(but id: ID) {
        let tasks = state.withLock { state in
            state.running.filter { $0.key != id && $0.value.owner != .platform }.values.map(\.task)
        }
        for task in tasks { task.cancel() }
    }

    /// Cancels everything, now and for good.
    func end() {
        let tasks = state.withLock { state in
            state.isOver = true
            return state.running.values.map(\.task)
        }
        for task in tasks { task.cancel() }
    }

    /// Returns when every operation has ended. Foreign code does not count: see ``abandoning(_:)``.
    func waitUntilOver() async {
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                if !state.running.isEmpty { state.waiters.append(waiter) }
                return state.running.isEmpty
            }
            if isOver { waiter.resume() }
        }
    }

    private func ended(_ id: ID) {
        let waiters = state.withLock { state in
            state.running[id] = nil
            guard state.running.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// Runs foreign code (a transport, a token source, a keychain) that may ignore cancellation: a cancelled caller gets
/// `CancellationError` at once, and the code is cancelled and abandoned.
package func abandoning<Value: Sendable>(_ foreign: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let exit = FirstExit<Value>()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { waiter in
            guard exit.open(for: waiter) else { return }
            exit.own(
                Task {
                    do { exit.leave(with: .success(try await foreign())) } catch { exit.leave(with: .failure(error)) }
                })
        }
    } onCancel: {
        exit.leave(with: .failure(CancellationError()))
    }
}

/// Passes exactly one result on, the first, and cancels the task behind it.
private final class FirstExit<Value: Sendable>: Sendable {
    private enum State {
        case closed
        case open(CheckedContinuation<Value, any Error>, Task<Void, Never>?)
        case left
    }

    private let state = Locked(State.closed)

    /// False if the caller was cancelled before it began to wait.
    func open(for waiter: CheckedContinuation<Value, any Error>) -> Bool {
        let isLate = state.withLock { state in
            if case .left = state { return true }
            state = .open(waiter, nil)
            return false
        }
        if isLate { waiter.resume(throwing: CancellationError()) }
        return !isLate
    }

    func own(_ task: Task<Void, Never>) {
        let isLate = state.withLock { state in
            guard case .open(let waiter, _) = state else { return true }
            state = .open(waiter, task)
            return false
        }
        if isLate { task.cancel() }
    }

    func leave(with result: Result<Value, any Error>) {
        let before = state.withLock { state in
            defer { state = .left }
            return state
        }
        guard case .open(let waiter, let task) = before else { return }
        task?.cancel()
        waiter.resume(with: result)
    }
}
