// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Keeps the first of several outcomes. Work that loses goes on; ``withTimeout(_:by:_:)`` cancels it.
package final class Race<Outcome: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case waiting(CheckedContinuation<Outcome, Never>)
        case ended(Outcome)
    }

    private let state = Mutex(State.open)

    package init() {}

    /// - Returns: false if another outcome came first.
    @discardableResult
    package func end(with outcome: Outcome) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
            switch state {
            case .ended: return (false, nil)
            case .open:
                state = .ended(outcome)
                return (true, nil)
            case .waiting(let continuation):
                state = .ended(outcome)
                return (true, continuation)
            }
        }
        waiting?.resume(returning: outcome)
        return isFirst
    }

    /// Waits for the first outcome; one caller at a time. Cancellation does not end the wait: end the race with an outcome for it.
    package func winner() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome? in
                if case .ended(let outcome) = state { return outcome }
                if case .waiting = state { preconditionFailure("A race has one waiter.") }
                state = .waiting(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}
