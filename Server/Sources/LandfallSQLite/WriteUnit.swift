// SPDX-License-Identifier: Apache-2.0
internal import LandfallDatabase
internal import Synchronization

/// A caller's write as the writer sees it.
protocol PendingWrite: Sendable {
    /// False where the caller has given up before the write began.
    func begin() -> Bool
    /// Runs the body and keeps its result for ``resume()``.
    func perform(_ connection: SQLiteConnection) throws
    /// Gives the caller what ``perform(_:)`` kept. After the commit.
    func resume()
    func fail(_ error: any Error)
}

/// One caller's write, from the queue to the answer. Whoever comes first, the writer or the caller's cancellation, decides.
final class WriteUnit<Value: Sendable>: PendingWrite {
    private enum State {
        case created
        case waiting(CheckedContinuation<Value, any Error>)
        case begun(CheckedContinuation<Value, any Error>)
        case performed(CheckedContinuation<Value, any Error>, Value)
        case over
    }

    private let body: @Sendable (any WriteConnection) throws -> Value
    private let state = Mutex(State.created)

    init(_ body: @escaping @Sendable (any WriteConnection) throws -> Value) { self.body = body }

    /// - Returns: false where the caller was cancelled before; then it has its answer already.
    func wait(with continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let isWaiting = state.withLock { state in
            guard case .created = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWaiting { continuation.resume(throwing: CancellationError()) }
        return isWaiting
    }

    /// The caller's cancellation: takes back what has not begun, and nothing else.
    func withdraw() {
        let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .created:
                state = .over
                return nil
            case .waiting(let continuation):
                state = .over
                return continuation
            case .begun, .performed, .over: return nil
            }
        }
        continuation?.resume(throwing: CancellationError())
    }

    func begin() -> Bool {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return false }
            state = .begun(continuation)
            return true
        }
    }

    func perform(_ connection: SQLiteConnection) throws {
        let value = try body(connection)
        state.withLock { state in
            if case .begun(let continuation) = state { state = .performed(continuation, value) }
        }
    }

    func resume() {
        let answer: (CheckedContinuation<Value, any Error>, Value)? = state.withLock { state in
            guard case .performed(let continuation, let value) = state else { return nil }
            state = .over
            return (continuation, value)
        }
        if let (continuation, value) = answer { continuation.resume(returning: value) }
    }

    func fail(_ error: any Error) {
        let continuation: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .waiting(let continuation), .begun(let continuation), .performed(let continuation, _):
                state = .over
                return continuation
            case .created, .over: return nil
            }
        }
        continuation?.resume(throwing: error)
    }
}
