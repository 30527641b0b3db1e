// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import LandfallDatabase
internal import Synchronization

/// Writes the units of all callers that wait at the time in one transaction: many callers share one sync of the disk.
///
/// Runs on a queue of its own, never on a caller's task, so that a cancelled request cannot interrupt a group.
final class GroupedWriter: Sendable {
    /// Bounds how long the first unit of a group waits for the last.
    static let largestGroup = 256

    private struct State {
        var waiting: [any PendingWrite] = []
        var isDraining = false
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []
        var counts = WriteCounts()
    }

    /// Used on the queue alone; nil once the store is closed.
    private let connection: Mutex<SQLiteConnection?>
    private let queue = DispatchQueue(label: "landfall.sqlite.writer")
    let freeDiskShare: @Sendable () -> Double
    private let state = Mutex(State())

    /// - Parameter connection: nobody else's from now on.
    init(_ connection: SQLiteConnection, freeDiskShare: @escaping @Sendable () -> Double) {
        self.connection = Mutex(connection)
        self.freeDiskShare = freeDiskShare
    }

    var counts: WriteCounts {
        state.withLock { state in
            var counts = state.counts
            counts.waiting = state.waiting.count
            return counts
        }
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any WriteConnection) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let unit = WriteUnit(body)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if unit.wait(with: { continuation.resume(with: $0) }) { enqueue(unit) }
            }
        } onCancel: {
            unit.withdraw()
        }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let unit = WriteUnit(body)
        if unit.wait(with: then) { enqueue(unit) }
    }

    /// Runs the body between two groups, outside of a transaction.
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

    /// Refuses further units; returns when the accepted ones are through.
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

    /// After ``finish()``: brings everything into the one file and closes it.
    func close() async {
        // A reader may be closed last, and cannot do it: without this the log stays, and the file alone is not the whole store.
        _ = try? await betweenGroups { try $0.rows("PRAGMA wal_checkpoint(TRUNCATE)") }
        connection.withLock { $0 = nil }
    }

    private func enqueue(_ unit: any PendingWrite) {
        let (isAccepted, mustStart) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.waiting.append(unit)
            defer { state.isDraining = true }
            return (true, !state.isDraining)
        }
        if !isAccepted { unit.fail(DatabaseError.closed) }
        if mustStart { callQueue() }
    }

    /// One group a call, so that others get their turn on the queue.
    private func callQueue() {
        queue.async {
            guard let group = self.nextGroup() else { return }
            if let connection = self.connection.withLock({ $0 }) {
                self.write(group, on: connection)
            } else {
                for unit in group { unit.fail(DatabaseError.closed) }
            }
            self.callQueue()
        }
    }

    /// The next units whose callers still want them; nil, and draining is over, where none is left.
    private func nextGroup() -> [any PendingWrite]? {
        let (group, closers) = state.withLock { state -> ([any PendingWrite], [CheckedContinuation<Void, Never>]) in
            let group = Array(state.waiting.prefix(Self.largestGroup))
            state.waiting.removeFirst(group.count)
            guard group.isEmpty else { return (group, []) }
            state.isDraining = false
            defer { state.closers = [] }
            return ([], state.closers)
        }
        for closer in closers { closer.resume() }
        return group.isEmpty ? nil : group
    }

    private func write(_ group: [any PendingWrite], on connection: SQLiteConnection) {
        guard freeDiskShare() >= FreeDisk.least else {
            for unit in group { unit.fail(DatabaseError.diskLow) }
            return
        }
        var performed: [any PendingWrite] = []
        let changesBefore = connection.changeCount
        do {
            try connection.run("BEGIN IMMEDIATE")
            for unit in group where unit.begin() {
                if try Self.perform(unit, on: connection) { performed.append(unit) }
            }
            try connection.run("COMMIT")
        } catch {
            // SQLite ended the transaction, or cannot end it: nothing of the group is on disk, whosever fault it was.
            if connection.isInsideTransaction { _ = try? connection.run("ROLLBACK") }
            state.withLock { state in
                state.counts.endedGroups += 1
                state.counts.isFailing = true
            }
            let answer = Self.answer(to: error)
            for unit in group { unit.fail(answer) }
            return
        }
        state.withLock { state in
            state.counts.units += performed.count
            state.counts.commits += 1
            // A commit of nothing needs no room, and says nothing of it.
            if connection.changeCount != changesBefore { state.counts.isFailing = false }
        }
        for unit in performed { unit.resume() }
    }

    private static func answer(to error: any Error) -> DatabaseError {
        switch error {
        case let error as DatabaseError:
            switch error {
            case .damaged: error
            case .retry(let reason), .failed(let reason): .retry(reason)
            default: .retry("\(error)")
            }
        default: .retry("\(error)")
        }
    }

    /// - Returns: false where the unit failed by itself: its caller knows, its changes are undone, the group goes on.
    /// - Throws: where the whole transaction is over.
    private static func perform(_ unit: any PendingWrite, on connection: SQLiteConnection) throws -> Bool {
        try connection.run("SAVEPOINT unit")
        do {
            try unit.perform(connection)
        } catch {
            guard connection.isInsideTransaction else { throw error }
            try connection.run("ROLLBACK TO SAVEPOINT unit")
            try connection.run("RELEASE SAVEPOINT unit")
            unit.fail(error)
            return false
        }
        try connection.run("RELEASE SAVEPOINT unit")
        return true
    }
}
