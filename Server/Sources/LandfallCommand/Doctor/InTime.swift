// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Work that may never end, because a disk hangs: it is left alone after a limit, and ends with the process.
enum InTime {
    /// - Returns: nil after the limit.
    static func value<Value: Sendable>(within limit: Duration, _ work: @escaping @Sendable () async -> Value) async -> Value? {
        let answer = FirstAnswer<Value>()
        Task { answer.give(await work()) }
        let late = Task {
            try await Task.sleep(for: limit)
            answer.give(nil)
        }
        defer { late.cancel() }
        return await answer.value()
    }

    /// Keeps blocking work off the few threads that everything else needs.
    static func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
        }
    }
}

/// The first of several answers, for one waiter.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value?, Never>)
        case given(Value?)
    }

    private let state = Mutex(State.open)

    func give(_ value: Value?) {
        let waiting: CheckedContinuation<Value?, Never>? = state.withLock { state in
            switch state {
            case .open: state = .given(value)
            case .waiting(let continuation):
                state = .given(value)
                return continuation
            case .given: break
            }
            return nil
        }
        waiting?.resume(returning: value)
    }

    func value() async -> Value? {
        await withCheckedContinuation { continuation in
            let given: Value?? = state.withLock { state in
                if case .given(let value) = state { return .some(value) }
                state = .waiting(continuation)
                return nil
            }
            if let given { continuation.resume(returning: given) }
        }
    }
}
