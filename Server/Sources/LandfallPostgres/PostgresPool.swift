// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore
import Synchronization

/// The connections, each with a thread of its own: opened when needed, kept until the pool is closed.
final class PostgresPool: Sendable {
    /// A thread that waits for its next unit.
    private final class Worker: Sendable {
        let wake = DispatchSemaphore(value: 0)
        let unit = Mutex<(any PendingUnit)?>(nil)
    }

    private struct State {
        var queue: UnitQueue
        /// Last in, first out: the connection that was used last has its texts prepared.
        var idle: [Worker] = []
        var threads = 0
        /// Of the threads, those that have had a connection.
        var connected = 0
        /// The server refused a connection a moment ago: its others may all be in use.
        var opensNoneBefore = ContinuousClock.now
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []
        var counts = WriteCounts()
    }

    /// What follows from a change of the state, done outside the lock.
    private struct Starts {
        var woken: [Worker] = []
        var units: [any PendingUnit] = []
    }

    let address: PostgresAddress
    private let library: Libpq
    let node: NodeName
    let observers = StoreObservers()
    private let counter = ConnectionCounter()
    private let state: Mutex<State>

    init(_ address: PostgresAddress, _ library: Libpq, _ limits: PostgresLimits, _ node: NodeName) {
        (self.address, self.library, self.node) = (address, library, node)
        state = Mutex(State(queue: UnitQueue(limits, connections: address.connections)))
    }

    var writeCounts: WriteCounts {
        state.withLock { state in
            var counts = state.counts
            counts.waitingBy = state.queue.waitingWrites
            return counts
        }
    }

    var waitingReads: Int { state.withLock { $0.queue.waitingReads } }

    var counts: PoolCounts {
        var counts = counter.counts
        counts.limit = address.connections
        (counts.open, counts.used) = state.withLock { ($0.connected, $0.threads - $0.idle.count) }
        return counts
    }

    func enqueue(_ unit: any PendingUnit) {
        let (refusal, starts) = state.withLock { state -> (DatabaseError?, Starts) in
            if state.isClosed { return (.closed, Starts()) }
            if let refusal = state.queue.append(unit) { return (refusal, Starts()) }
            return (nil, assign(&state))
        }
        if let refusal { unit.fail(refusal) }
        start(starts)
    }

    /// - Returns: the body's value after the transaction.
    func run<Value: Sendable>(
        _ terms: UnitTerms, _ body: @escaping @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let unit = PostgresUnit(terms, body)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if unit.wait(with: { continuation.resume(with: $0) }) { enqueue(unit) }
            }
        } onCancel: {
            unit.cancel()
        }
    }

    /// Refuses further units; the accepted ones are done.
    func refuse() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for worker in idle { worker.wake.signal() }
    }

    /// Refuses further units; returns when the accepted ones are done and every connection is closed.
    func close() async {
        refuse()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.threads > 0 { state.closers.append(continuation) }
                return state.threads == 0
            }
            if isOver { continuation.resume() }
        }
    }

    /// Gives waiting units to idle connections, and to new ones where there may be more.
    private func assign(_ state: inout State) -> Starts {
        var starts = Starts()
        let isFull = state.connected > 0 && ContinuousClock.now < state.opensNoneBefore
        while !state.idle.isEmpty || (state.threads < address.connections && !isFull) {
            guard let unit = state.queue.next() else { break }
            if let worker = state.idle.popLast() {
                worker.unit.withLock { $0 = unit }
                starts.woken.append(worker)
            } else {
                state.threads += 1
                starts.units.append(unit)
            }
        }
        return starts
    }

    private func start(_ starts: Starts) {
        for worker in starts.woken { worker.wake.signal() }
        for unit in starts.units { Thread.detachNewThread { self.work(beginningWith: unit) } }
    }

    private func work(beginningWith first: any PendingUnit) {
        let worker = Worker()
        // The connection closes with it, before the pool says that it is closed.
        var runner: UnitRunner? = UnitRunner(address, library, node, observers, counter)
        var unit: (any PendingUnit)? = first
        // Others may be about to get the connections that this one does not get. After half of its patience, the unit only waits
        // for a connection of this thread.
        var isOpen = runner?.open(within: .seconds(1)) == true
        while !isOpen, first.terms.isRepeated, ContinuousClock.now < first.terms.arrived + first.terms.limit / 2 {
            if giveBack(first) {
                // Those that have a connection may be busy for longer than the unit may wait.
                Thread.sleep(forTimeInterval: Self.pauseAfterRefusal / .seconds(1))
                start(state.withLock { assign(&$0) })
                return
            }
            Thread.sleep(forTimeInterval: 0.02)
            isOpen = runner?.open(within: .seconds(1)) == true
        }
        if isOpen { state.withLock { $0.connected += 1 } }
        while let current = unit {
            if ContinuousClock.now < current.terms.deadline, let done = runner?.run(current) {
                if !isOpen, runner?.isOpen == true {
                    isOpen = true
                    state.withLock { $0.connected += 1 }
                }
                unit = next(on: worker, after: current, done)
            } else {
                // It waited for too long: the database is slow, or away.
                let error = !isOpen && !current.terms.isRepeated ? DatabaseError.retry("no connection in time") : .tooManyReads
                for part in current.parts { part.fail(current.terms.kind == .read ? error : .busy) }
                unit = next(on: worker, after: current, (0, 0))
            }
        }
        runner = nil
        let closers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.threads -= 1
            if isOpen { state.connected -= 1 }
            guard state.threads == 0 else { return [] }
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Leaves the unit of a thread that has got no connection to those that have one.
    /// - Returns: true if the thread is over.
    private func giveBack(_ unit: any PendingUnit) -> Bool {
        let starts: Starts? = state.withLock { state in
            guard state.connected > 0, !state.isClosed else { return nil }
            state.opensNoneBefore = .now + Self.pauseAfterRefusal
            state.threads -= 1
            state.queue.takeBack(unit)
            return assign(&state)
        }
        guard let starts else { return false }
        start(starts)
        return true
    }

    private static let pauseAfterRefusal = Duration.seconds(1)

    /// Waits for a unit. Nil when the pool is closed.
    private func next(on worker: Worker, after unit: any PendingUnit, _ done: (units: Int, commits: Int)) -> (any PendingUnit)?
    {
        let (next, starts, isOver) = state.withLock { state -> ((any PendingUnit)?, Starts, Bool) in
            state.queue.ended(unit)
            if unit.terms.kind != .read {
                state.counts.units += done.units
                state.counts.commits += done.commits
            }
            if let next = state.queue.next() { return (next, assign(&state), false) }
            // What still waits, waits for a bulk unit or rows that run now: their connection takes it.
            if state.isClosed { return (nil, Starts(), true) }
            state.idle.append(worker)
            return (nil, Starts(), false)
        }
        start(starts)
        if next != nil || isOver { return next }
        worker.wake.wait()
        return worker.unit.withLock { unit in
            defer { unit = nil }
            return unit
        }
    }
}
