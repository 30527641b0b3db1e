// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Limits how many calls work at the same time. Further calls wait in order of arrival: a limited number, for a limited time.
package final class AsyncSemaphore: Sendable {
    /// Why a call gets no permit. Another try may get one.
    package enum Refusal: Error, Hashable {
        /// As many calls wait as may wait.
        case full
        /// No permit became free within the limit.
        case late
    }

    private enum Turn {
        case mine, cancelled
        case refused(Refusal)
    }

    /// Resumed by the code that removes it from the queue, and so once.
    private struct Waiter {
        let number: Int
        let turn: CheckedContinuation<Turn, Never>
        /// Ends the wait. It starts when the waiter is in the queue, so that it always finds it.
        let timer: Task<Void, Never>

        func resume(_ result: Turn) {
            timer.cancel()
            turn.resume(returning: result)
        }
    }

    private struct State {
        /// Above 0 only while nobody waits.
        var free: Int
        var number = 0
        /// The first is the next.
        var queue: [Waiter] = []
    }

    private let mostWaiting: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - permits: how many calls work at the same time.
    ///   - mostWaiting: how many wait for them; a few, since each that leaves is searched for.
    package init(permits: Int, mostWaiting: Int = 0) {
        self.mostWaiting = mostWaiting
        state = Mutex(State(free: permits))
    }

    /// How many calls wait now.
    var waiting: Int { state.withLock { $0.queue.count } }

    /// Waits for a permit and keeps it while the body runs. A call that is cancelled while it waits leaves the queue.
    /// - Throws: ``Refusal``; `CancellationError`; what the body throws.
    package func withPermit<Value>(
        within limit: Duration, by time: ServerTime, _ body: () async throws -> Value
    ) async throws -> Value {
        switch await turn(within: limit, time) {
        case .mine: break
        case .cancelled: throw CancellationError()
        case .refused(let refusal): throw refusal
        }
        defer { giveBack() }
        return try await body()
    }

    /// The same without waiting.
    /// - Returns: nil if no permit is free.
    package func withPermitIfFree<Value>(_ body: () async throws -> Value) async throws -> Value? {
        guard take() else { return nil }
        defer { giveBack() }
        return try await body()
    }

    /// A permit for work that is not one call, such as an answer that is sent in parts.
    /// - Returns: nil if no permit is free.
    package func permitIfFree() -> Permit? { take() ? Permit(of: self) : nil }

    /// Given back once: by its holder, or when nobody has a reference to it.
    package final class Permit: Sendable {
        private let semaphore: AsyncSemaphore
        private let isHeld = Mutex(true)

        fileprivate init(of semaphore: AsyncSemaphore) { self.semaphore = semaphore }

        deinit { giveBack() }

        package func giveBack() {
            let wasHeld = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            if wasHeld { semaphore.giveBack() }
        }
    }

    private func take() -> Bool {
        state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
    }

    private func turn(within limit: Duration, _ time: ServerTime) async -> Turn {
        if take() { return .mine }
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let turn: Turn? = state.withLock { state in
                    // A task that is cancelled later is found in the queue.
                    if Task.isCancelled { return .cancelled }
                    if state.free > 0 {
                        state.free -= 1
                        return .mine
                    }
                    guard state.queue.count < mostWaiting else { return .refused(.full) }
                    let timer = Task { [self] in
                        guard (try? await time.sleep(limit)) != nil else { return }
                        end(number, .refused(.late))
                    }
                    state.queue.append(Waiter(number: number, turn: continuation, timer: timer))
                    return nil
                }
                if let turn { continuation.resume(returning: turn) }
            }
        } onCancel: {
            end(number, .cancelled)
        }
    }

    private func end(_ number: Int, _ turn: Turn) {
        let waiter = state.withLock { state in
            state.queue.firstIndex { $0.number == number }.map { state.queue.remove(at: $0) }
        }
        waiter?.resume(turn)
    }

    /// Gives the permit to the call that waits longest.
    private func giveBack() {
        let next = state.withLock { state -> Waiter? in
            guard state.queue.isEmpty else { return state.queue.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume(.mine)
    }
}
