// SPDX-License-Identifier: Apache-2.0
import Dispatch
import LandfallStore
import Synchronization

/// Writes the units of all waiting callers in one transaction: many callers share one sync of the disk.
///
/// Runs on its own queue, never on a caller's task, so that a cancelled request cannot interrupt a group.
final class GroupedWriter: Sendable {
    /// A group is committed after this many units, or after a limit of work: later units wait no longer than that and one sync.
    static let largestGroup = 256
    static let longestGroup = Duration.milliseconds(5)

    fileprivate struct State {
        var waiting: WriteQueue
        var isDraining = false
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []
        var counts = WriteCounts()
        /// How many units the waiting writer wants; nil if it does not wait.
        var wanted: Int?
    }

    /// Used only on the queue; nil once the store is closed.
    private let connection: Mutex<SQLiteConnection?>
    private let queue = DispatchQueue(label: "landfall.sqlite.writer")
    let freeDiskShare: @Sendable () -> Double
    private let uptime: @Sendable () -> Duration
    let observers = StoreObservers()
    private let state: Mutex<State>
    /// Signalled once each time ``State/wanted`` is reached.
    private let company = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - connection: owned by the writer from now on.
    ///   - uptime: any clock that only moves forward.
    init(
        _ connection: SQLiteConnection, limits: WriteLimits, freeDiskShare: @escaping @Sendable () -> Double,
        uptime: @escaping @Sendable () -> Duration
    ) {
        state = Mutex(State(waiting: WriteQueue(limits)))
        self.connection = Mutex(connection)
        self.freeDiskShare = freeDiskShare
        self.uptime = uptime
    }

    var counts: WriteCounts {
        state.withLock { state in
            var counts = state.counts
            counts.waitingBy = state.waiting.counts
            return counts
        }
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let unit = WriteUnit(body)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if unit.wait(with: { continuation.resume(with: $0) }) { enqueue(unit, urgency) }
            }
        } onCancel: {
            unit.withdraw()
        }
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let unit = WriteUnit(body)
        if unit.wait(with: then) { enqueue(unit, urgency) }
    }

    func append(_ rows: [Statement], _ urgency: Urgency, then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        enqueue(AppendUnit(rows, then), urgency)
    }

    /// Runs the body between two groups, outside a transaction.
    func betweenGroups<Value: Sendable>(_ body: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result {
                        guard let connection = self.connection.withLock({ $0 }) else { throw DatabaseError.closed }
                        return try body(connection)
                    })
            }
        }
    }

    /// Refuses further units; returns when the accepted ones are written.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isClosed = true
                if state.isDraining { state.closers.append(continuation) }
                return !state.isDraining
            }
            if isIdle { continuation.resume() }
        }
    }

    /// After ``finish()``: moves everything into the database file and closes it.
    func close() async {
        // A reader may be closed last, and it cannot checkpoint: without this the log stays, and the database file alone is not
        // the whole store.
        _ = try? await betweenGroups { try $0.rows("PRAGMA wal_checkpoint(TRUNCATE)") }
        connection.withLock { $0 = nil }
    }

    private func enqueue(_ unit: any PendingWrite, _ urgency: Urgency) {
        let (refusal, mustStart, isWanted): (DatabaseError?, Bool, Bool) = state.withLock { state in
            if state.isClosed { return (.closed, false, false) }
            guard state.waiting.append(unit, urgency) else { return (.busy, false, false) }
            defer { state.isDraining = true }
            return (nil, !state.isDraining, state.takeWanted())
        }
        if let refusal { unit.fail(refusal) }
        if mustStart { callQueue() }
        if isWanted { company.signal() }
    }

    /// One group per call, so that other work on the queue gets its turn.
    private func callQueue() {
        queue.async {
            if let connection = self.connection.withLock({ $0 }) {
                let begun = self.uptime()
                let units = self.writeGroup(on: connection)
                self.gather(Gathering(units: units, age: self.uptime() - begun))
            } else {
                self.refuseGroup(.closed)
            }
            if self.isMoreWaiting() { self.callQueue() }
        }
    }

    /// Waits for units that may share the next commit, if that is worth it.
    private func gather(_ gathering: Gathering) {
        let patience: Duration? = state.withLock { state in
            let patience = state.isClosed ? nil : gathering.patience(waiting: state.waiting.count)
            if patience != nil { state.wanted = gathering.wanted }
            return patience
        }
        guard let patience, company.wait(timeout: .now() + patience.interval) == .timedOut else { return }
        // The last unit may have arrived just now: its signal must not remain for the next wait.
        let isStillWanted = state.withLock { state in
            defer { state.wanted = nil }
            return state.wanted != nil
        }
        if !isStillWanted { company.wait() }
    }

    /// False if the queue is drained.
    private func isMoreWaiting() -> Bool {
        let (isMore, closers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            guard state.waiting.isEmpty else { return (true, []) }
            state.isDraining = false
            defer { state.closers = [] }
            return (false, state.closers)
        }
        for closer in closers { closer.resume() }
        return isMore
    }

    private func next(isFirst: Bool) -> (any PendingWrite)? { state.withLock { $0.waiting.next(isFirst: isFirst) } }

    private func refuseGroup(_ answer: DatabaseError) {
        for place in 0..<Self.largestGroup {
            guard let unit = next(isFirst: place == 0) else { return }
            unit.fail(answer)
        }
    }

    /// Units that arrive meanwhile are included while there is time, interactive ones first.
    /// - Returns: how many units are on disk now.
    private func writeGroup(on connection: SQLiteConnection) -> Int {
        guard freeDiskShare() >= FreeDisk.least else {
            refuseGroup(.diskLow)
            return 0
        }
        var begun: WriteGroup?
        do {
            let group = try WriteGroup(on: connection)
            begun = group
            let end = uptime() + Self.longestGroup
            while group.count < Self.largestGroup, let unit = next(isFirst: group.count == 0) {
                try group.perform(unit)
                if uptime() >= end { break }
            }
            let begunCommit = uptime()
            let (units, isChange) = try group.commit()
            let committing = uptime() - begunCommit
            state.withLock { state in
                state.counts.committing += committing
                state.counts.units += units
                state.counts.commits += 1
                // An empty commit needs no room, so it does not prove that there is room again.
                if isChange { (state.counts.isFailing, state.counts.failure) = (false, nil) }
            }
            group.resume(observers)
            return units
        } catch {
            // SQLite has ended the transaction, or cannot end it: nothing of the group is on disk, whichever unit caused it.
            let answer = Self.answer(to: error)
            state.withLock { state in
                state.counts.endedGroups += 1
                (state.counts.isFailing, state.counts.failure) = (true, answer.description)
            }
            if let begun { begun.end(answer) } else { refuseGroup(answer) }
            return 0
        }
    }

    private static func answer(to error: any Error) -> DatabaseError {
        switch error {
        case DatabaseError.damaged(let text): .damaged(text)
        case DatabaseError.diskFailing(let text): .diskFailing(text)
        case DatabaseError.retry(let reason), DatabaseError.failed(let reason): .retry(reason)
        default: .retry("\(error)")
        }
    }
}

extension GroupedWriter.State {
    /// True for the unit that completes the wanted number.
    fileprivate mutating func takeWanted() -> Bool {
        guard let wanted, waiting.count >= wanted else { return false }
        self.wanted = nil
        return true
    }
}

extension Duration {
    fileprivate var interval: DispatchTimeInterval { .nanoseconds(Int(components.attoseconds / 1_000_000_000)) }
}
