// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Synchronization

/// How a unit is run.
struct UnitTerms {
    enum Kind { case read, write, append }

    let kind: Kind
    let urgency: Urgency
    var locks: [Int64] = []
    /// For each wait, and for all repeats together.
    let limit: Duration
    /// False if the caller asks another server instead.
    var isRepeated = true
    let arrived = ContinuousClock.now

    var deadline: ContinuousClock.Instant { arrived + limit }
}

/// A caller's transaction as the pool sees it. It is answered once, by ``resume()`` or ``fail(_:)``.
protocol PendingUnit: AnyObject, Sendable {
    var terms: UnitTerms { get }
    /// More than one if other units share this one's transaction: each of them is run alone if it fails.
    var parts: [any PendingUnit] { get }
    /// True for a read whose caller was cancelled.
    var isCancelled: Bool { get }
    /// False if the caller was cancelled before the unit began. Called again before each repeat.
    func begin(_ canceller: StatementCanceller?) -> Bool
    /// Runs the body and keeps its result for ``resume()``.
    func perform(_ transaction: PostgresTransaction) throws
    /// After it, the connection is another unit's.
    /// - Returns: true if the caller was cancelled meanwhile, and the connection may be about to get a cancellation.
    func leave() -> Bool
    func resume()
    func fail(_ error: any Error)
}

extension PendingUnit {
    var parts: [any PendingUnit] { [self] }
    var isCancelled: Bool { false }
    func begin(_ canceller: StatementCanceller?) -> Bool { true }
    func leave() -> Bool { false }
}

/// One caller's read or write, from the queue to the answer.
///
/// A cancelled caller that waits gets its answer at once. A read that has begun is interrupted; a write that has begun is not.
final class PostgresUnit<Value: Sendable>: PendingUnit {
    typealias Answer = @Sendable (Result<Value, any Error>) -> Void

    private enum State {
        case created
        case waiting(Answer)
        case begun(Answer, StatementCanceller?, isCancelled: Bool)
        /// Between two repeats, or before the commit was confirmed.
        case left(Answer, isCancelled: Bool)
        case over
    }

    let terms: UnitTerms
    /// Nil after the answer: the unit stays with its thread until the next one comes, and may hold the database that way.
    private let body: Mutex<(@Sendable (PostgresTransaction) throws -> Value)?>
    private let state = Mutex(State.created)
    private let value = Mutex<Value?>(nil)

    init(_ terms: UnitTerms, _ body: @escaping @Sendable (PostgresTransaction) throws -> Value) {
        self.terms = terms
        self.body = Mutex(body)
    }

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

    /// Called on the caller's cancellation.
    func cancel() {
        let answer: Answer? = state.withLock { state in
            switch state {
            case .created:
                state = .over
                return nil
            case .waiting(let answer):
                state = .over
                return answer
            case .begun(let answer, let canceller, _) where terms.kind == .read:
                state = .begun(answer, canceller, isCancelled: true)
                // Until ``leave()``: after it, the connection of a cancelled unit is closed.
                canceller?.cancel { [weak self] in self?.isCancelled == true }
                return nil
            case .left(let answer, _) where terms.kind == .read:
                state = .left(answer, isCancelled: true)
                return nil
            case .begun, .left, .over: return nil
            }
        }
        answer?(.failure(CancellationError()))
    }

    var isCancelled: Bool {
        state.withLock { if case .begun(_, _, isCancelled: true) = $0 { true } else { false } }
    }

    func begin(_ canceller: StatementCanceller?) -> Bool {
        state.withLock { state in
            switch state {
            case .waiting(let answer), .left(let answer, isCancelled: false):
                state = .begun(answer, canceller, isCancelled: false)
                return true
            case .created, .begun, .left, .over: return false
            }
        }
    }

    func perform(_ transaction: PostgresTransaction) throws {
        guard let body = body.withLock({ $0 }) else { return }
        let value = try body(transaction)
        self.value.withLock { $0 = value }
    }

    func leave() -> Bool {
        state.withLock { state in
            guard case .begun(let answer, _, let isCancelled) = state else { return false }
            state = .left(answer, isCancelled: isCancelled)
            return isCancelled
        }
    }

    func resume() {
        guard let value = value.withLock({ $0 }) else { return }
        takeAnswer()?(.success(value))
    }

    func fail(_ error: any Error) { takeAnswer()?(.failure(error)) }

    private func takeAnswer() -> Answer? {
        body.withLock { $0 = nil }
        return state.withLock { state in
            switch state {
            case .waiting(let answer), .begun(let answer, _, _), .left(let answer, _):
                state = .over
                return answer
            case .created, .over: return nil
            }
        }
    }
}

/// A caller's rows. They are never withdrawn.
final class PostgresAppend: PendingUnit {
    let terms: UnitTerms
    let rows: [Statement]
    private let answer: @Sendable (Result<Void, any Error>) -> Void

    init(_ rows: [Statement], _ terms: UnitTerms, _ answer: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        (self.terms, self.rows, self.answer) = (terms, rows, answer)
    }

    func perform(_ transaction: PostgresTransaction) throws { try transaction.batch(rows) }
    func resume() { answer(.success(())) }
    func fail(_ error: any Error) { answer(.failure(error)) }
}

/// Rows of several callers: one transaction.
final class PostgresAppendGroup: PendingUnit {
    private let appends: [PostgresAppend]

    /// - Parameter appends: at least one.
    init(_ appends: [PostgresAppend]) { self.appends = appends }

    var terms: UnitTerms { appends[0].terms }
    var parts: [any PendingUnit] { appends }
    func perform(_ transaction: PostgresTransaction) throws { try transaction.batch(appends.flatMap(\.rows)) }
    func resume() { for append in appends { append.resume() } }
    func fail(_ error: any Error) { for append in appends { append.fail(error) } }
}
