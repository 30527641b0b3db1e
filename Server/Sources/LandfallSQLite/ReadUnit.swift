// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Synchronization

/// A caller's read in the queue of ``Readers``.
protocol PendingRead: Sendable {
    /// Runs the body on one snapshot and gives the caller its value. Does nothing if the caller was cancelled before.
    func perform(_ connection: SQLiteConnection)
    func fail(_ error: any Error)
}

/// One caller's read, from the queue to the answer. A cancelled caller gets its answer at once; a read that has begun is
/// interrupted.
final class ReadUnit<Value: Sendable>: PendingRead {
    typealias Answer = CheckedContinuation<Value, any Error>

    private enum State {
        case created
        case waiting(Answer)
        case begun(Answer, SQLiteConnection, isCancelled: Bool)
        case over
    }

    private let body: @Sendable (any ReadConnection) throws -> Value
    private let state = Mutex(State.created)

    init(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) { self.body = body }

    /// - Returns: false if the caller was cancelled before; then it has its answer already.
    func wait(with answer: Answer) -> Bool {
        let isWaiting = state.withLock { state in
            guard case .created = state else { return false }
            state = .waiting(answer)
            return true
        }
        if !isWaiting { answer.resume(throwing: CancellationError()) }
        return isWaiting
    }

    func cancel() {
        let answer: Answer? = state.withLock { state in
            switch state {
            case .created:
                state = .over
                return nil
            case .waiting(let answer):
                state = .over
                return answer
            case .begun(let answer, let connection, _):
                state = .begun(answer, connection, isCancelled: true)
                // Under the lock: after the read, the connection belongs to another caller.
                connection.interrupt()
                return nil
            case .over: return nil
            }
        }
        answer?.resume(throwing: CancellationError())
    }

    func perform(_ connection: SQLiteConnection) {
        let isWanted = state.withLock { state in
            guard case .waiting(let answer) = state else { return false }
            state = .begun(answer, connection, isCancelled: false)
            return true
        }
        guard isWanted else { return }
        let result = Result { try connection.reading(body) }
        let begun: (answer: Answer, isCancelled: Bool)? = state.withLock { state in
            guard case .begun(let answer, _, let isCancelled) = state else { return nil }
            state = .over
            connection.heedNoInterrupt()
            return (answer, isCancelled)
        }
        guard let begun else { return }
        if case .failure = result, begun.isCancelled {
            begun.answer.resume(throwing: CancellationError())
        } else {
            begun.answer.resume(with: result)
        }
    }

    func fail(_ error: any Error) {
        let answer: Answer? = state.withLock { state in
            guard case .waiting(let answer) = state else { return nil }
            state = .over
            return answer
        }
        answer?.resume(throwing: error)
    }
}
