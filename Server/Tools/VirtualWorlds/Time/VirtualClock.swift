// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Time that stands still while anything can run, and then jumps to the next thing that is due.
///
/// Things that are due at the same instant happen in the order in which they were scheduled.
final class VirtualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    typealias Action = @Sendable () -> Void

    private struct State {
        var now = Duration.zero
        var lastID = 0
        var agenda = Agenda()
        var actions: [Int: Action] = [:]
    }

    private let state = Mutex(State())

    /// Since the beginning of the world.
    var elapsed: Duration { state.withLock { $0.now } }
    var now: Instant { Instant(offset: elapsed) }
    var minimumResolution: Duration { .nanoseconds(1) }

    /// Does something at that time, or as soon as possible after it.
    @discardableResult
    func at(_ time: Duration, _ action: @escaping Action) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.actions[state.lastID] = action
            state.agenda.add(max(time, state.now), state.lastID)
            return state.lastID
        }
    }

    /// - Returns: false if it has already happened.
    @discardableResult
    func cancel(_ id: Int) -> Bool { state.withLock { $0.actions.removeValue(forKey: id) } != nil }

    /// Jumps to the next thing that is due, and does it.
    /// - Returns: false if nothing is due.
    func advance() -> Bool {
        while true {
            let (isOver, action) = state.withLock { state -> (Bool, Action?) in
                guard let next = state.agenda.takeFirst() else { return (true, nil) }
                guard let action = state.actions.removeValue(forKey: next.id) else { return (false, nil) }
                state.now = next.time
                return (false, action)
            }
            if isOver { return false }
            guard let action else { continue }
            action()
            return true
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                sleeper.sleep(waiter, alarm: at(deadline.offset) { sleeper.wake() })
            }
        } onCancel: {
            if let alarm = sleeper.wake(throwing: CancellationError()) { cancel(alarm) }
        }
    }
}

/// Wakes one waiter once.
private final class Sleeper: Sendable {
    private enum State {
        case awake
        case asleep(CheckedContinuation<Void, any Error>, alarm: Int)
        case over(CancellationError?)
    }

    private let state = Mutex(State.awake)

    func sleep(_ waiter: CheckedContinuation<Void, any Error>, alarm: Int) {
        let isOver = state.withLock { state in
            if case .over = state { return true }
            state = .asleep(waiter, alarm: alarm)
            return false
        }
        if isOver { waiter.resume(throwing: CancellationError()) }
    }

    @discardableResult
    func wake(throwing error: CancellationError? = nil) -> Int? {
        let before = state.withLock { state in
            defer { state = .over(error) }
            return state
        }
        guard case .asleep(let waiter, let alarm) = before else { return nil }
        if let error { waiter.resume(throwing: error) } else { waiter.resume() }
        return alarm
    }
}

/// A binary heap by due time: the earliest first; at the same instant, the one that was added first.
private struct Agenda {
    struct Entry {
        let time: Duration
        let id: Int
        func comesBefore(_ other: Entry) -> Bool { (time, id) < (other.time, other.id) }
    }

    private var heap: [Entry] = []

    mutating func add(_ time: Duration, _ id: Int) {
        heap.append(Entry(time: time, id: id))
        var child = heap.count - 1
        while child > 0, heap[child].comesBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func takeFirst() -> Entry? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if heap.isEmpty { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].comesBefore(heap[least]) {
                least = child
            }
            if least == parent { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}

extension Duration {
    /// Whole numbers: a clock that rounds would fall behind the time that it has slept.
    var exactMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
