// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Synchronization

/// A caller's write as the writer sees it. It is answered once, by ``resume()`` or ``fail(_:)``.
protocol PendingWrite: AnyObject, Sendable {
    /// True if it only adds rows. Then it may share a savepoint with others, and may be written a second time.
    var isAppend: Bool { get }
    /// False if the caller was cancelled before the write began.
    func begin() -> Bool
    /// Runs the body and keeps its result for ``resume()``.
    func perform(_ connection: any WriteConnection) throws
    /// Gives the caller the result that ``perform(_:)`` kept. Call it after the commit.
    func resume()
    func fail(_ error: any Error)
}

/// One caller's write, from the queue to the answer. If the writer and the caller's cancellation race, the first one decides.
final class WriteUnit<Value: Sendable>: PendingWrite {
    typealias Answer = @Sendable (Result<Value, any Error>) -> Void

    private enum State {
        case created
        case waiting(Answer)
        case begun(Answer)
        case performed(Answer, Value)
        case over
    }

    private let body: @Sendable (any WriteConnection) throws -> Value
    private let state = Mutex(State.created)

    init(_ body: @escaping @Sendable (any WriteConnection) throws -> Value) { self.body = body }

    var isAppend: Bool { false }

    /// - Returns: false if the caller was cancelled before; then it has its answer already.
    func wait(with answer: @escaping Answer) -> Bool {
        let isWaiting = state.withLock { state in
            guard case .created = state else { return false }
            state = .waiting(answer)
            return true
        }
        if !isWaiting { answer(.failure(CancellationError())) }
        return isWaiting
    }

    /// Called on the caller's cancellation: withdraws a write that has not begun, and does nothing otherwise.
    func withdraw() {
        let answer: Answer? = state.withLock { state in
            switch state {
            case .created:
                state = .over
                return nil
            case .waiting(let answer):
                state = .over
                return answer
            case .begun, .performed, .over: return nil
            }
        }
        answer?(.failure(CancellationError()))
    }

    func begin() -> Bool {
        state.withLock { state in
            guard case .waiting(let answer) = state else { return false }
            state = .begun(answer)
            return true
        }
    }

    func perform(_ connection: any WriteConnection) throws {
        let value = try body(connection)
        state.withLock { state in
            if case .begun(let answer) = state { state = .performed(answer, value) }
        }
    }

    func resume() {
        let performed: (answer: Answer, value: Value)? = state.withLock { state in
            guard case .performed(let answer, let value) = state else { return nil }
            state = .over
            return (answer, value)
        }
        if let performed { performed.answer(.success(performed.value)) }
    }

    func fail(_ error: any Error) {
        let answer: Answer? = state.withLock { state in
            switch state {
            case .waiting(let answer), .begun(let answer), .performed(let answer, _):
                state = .over
                return answer
            case .created, .over: return nil
            }
        }
        answer?(.failure(error))
    }
}
