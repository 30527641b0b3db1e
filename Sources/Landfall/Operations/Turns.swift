// SPDX-License-Identifier: Apache-2.0

/// Lets one piece of asynchronous work run at a time, in the order of asking. A cancelled task gives its place up.
final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var lastID = 0
        var waiting: [(id: Int, waiter: CheckedContinuation<Void, any Error>)] = []
    }

    private let state = Locked(State())

    /// - Throws: what the body throws, or `CancellationError` before it began.
    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await take()
        defer { give() }
        return try await body()
    }

    private func take() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: CheckedContinuation<Void, any Error>) in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if !state.isTaken {
                        state.isTaken = true
                        return .success(())
                    }
                    state.waiting.append((id, waiter))
                    return nil
                }
                if let outcome { waiter.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).waiter }
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func give() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst().waiter
        }
        next?.resume()
    }
}
