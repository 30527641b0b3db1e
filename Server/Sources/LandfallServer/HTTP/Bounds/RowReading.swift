// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization

/// A semaphore for reports that computed days cannot answer, and for other calls that count. Each of them reads rows of installs and
/// events, on a large store for minutes: a few run at once on a node, and some wait.
package final class RowPlaces: Sendable {
    private enum Turn {
        case mine, late, full, cancelled
    }

    private struct Waiter {
        let number: Int
        let turn: CheckedContinuation<Turn, Never>
    }

    private struct State {
        var free: Int
        var number = 0
        /// In order: the first one is next.
        var waiting: [Waiter] = []
    }

    /// The error for a caller that gets no slot.
    package struct Refusal: Sendable {
        let bound: Bound
        let sentence: String

        package static let reports = Refusal(
            bound: .rowReports,
            sentence: "Other reports are reading the store's rows just now. Try again, or group by fields that are counted in advance.")
        package static let countings = Refusal(
            bound: .countings, sentence: "Other calls are counting experiments or installs just now. Try again.")
    }

    private let mostWaiting: Int
    private let refusal: Refusal
    private let state: Mutex<State>

    package init(most: Int = 2, mostWaiting: Int = 16, refusal: Refusal = .reports) {
        self.mostWaiting = mostWaiting
        self.refusal = refusal
        state = Mutex(State(free: most))
    }

    /// How many wait now.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// - Parameter patience: returns when somebody has waited long enough.
    /// - Throws: `busy` if there is no free slot; what the body throws.
    func run<Value>(
        patience: @escaping @Sendable () async throws -> Void, _ body: () async throws -> Value
    ) async throws -> Value {
        switch await turn(patience) {
        case .mine: break
        case .cancelled: throw CancellationError()
        case .late, .full:
            throw RequestError(.busy, refusal.sentence, retryAfter: 5, bound: refusal.bound)
        }
        defer { leave() }
        return try await body()
    }

    private func turn(_ patience: @escaping @Sendable () async throws -> Void) async -> Turn {
        let (isMine, number) = state.withLock { state in
            state.number += 1
            guard state.free > 0 else { return (false, state.number) }
            state.free -= 1
            return (true, state.number)
        }
        if isMine { return .mine }
        let timer = Task { [self] in
            guard (try? await patience()) != nil else { return }
            end(number, .late)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let turn: Turn? = state.withLock { state in
                    // A task that is cancelled later is found among those that wait.
                    if Task.isCancelled { return .cancelled }
                    if state.free > 0 {
                        state.free -= 1
                        return .mine
                    }
                    guard state.waiting.count < mostWaiting else { return .full }
                    state.waiting.append(Waiter(number: number, turn: continuation))
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
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiter?.turn.resume(returning: turn)
    }

    /// Gives the slot to the caller that has waited longest.
    private func leave() {
        let next = state.withLock { state -> Waiter? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.turn.resume(returning: .mine)
    }
}

/// Reads rows for a report, or counts, in one of the node's slots.
package struct RowReading: Sendable {
    static let patience = Duration.seconds(10)

    package var places = RowPlaces()
    package var time = ServerTime.live

    package init(places: RowPlaces = RowPlaces(), time: ServerTime = ServerTime.live) {
        (self.places, self.time) = (places, time)
    }

    /// - Throws: `busy` if no slot was free in time; what the body throws.
    package func run<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await places.run(patience: { [time] in try await time.sleep(Self.patience) }, body)
    }
}
