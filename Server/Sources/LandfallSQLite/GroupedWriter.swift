// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import LandfallDatabase
internal import Synchronization

/// Writes the units of all callers that wait at the time in one transaction: many callers share one sync of the disk.
///
/// Runs on the pool's writer queue, never on a caller's task, so that a cancelled request cannot interrupt a group.
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

    private let pool: DatabasePool
    let freeDiskShare: @Sendable () -> Double
    private let damage: MetDamage
    private let state = Mutex(State())
    /// Of the writer's connection; made by the first group, used on the writer queue alone.
    private let texts = Mutex<PreparedTexts?>(nil)

    init(pool: DatabasePool, damage: MetDamage, freeDiskShare: @escaping @Sendable () -> Double) {
        self.pool = pool
        self.damage = damage
        self.freeDiskShare = freeDiskShare
    }

    // The pool closes the connection on its own queue; before that nothing is prepared on it any more.
    deinit { texts.withLock { $0 = nil } }

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
        // The connection does not close while a text is prepared on it.
        texts.withLock { $0 = nil }
    }

    private func enqueue(_ unit: any PendingWrite) {
        let (isAccepted, mustStart) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.waiting.append(unit)
            defer { state.isDraining = true }
            return (true, !state.isDraining)
        }
        if !isAccepted { unit.fail(LandfallDatabase.DatabaseError.closed) }
        if mustStart { pool.asyncWriteWithoutTransaction { self.drain($0) } }
    }

    private func drain(_ connection: GRDB.Database) {
        while let group = nextGroup() {
            if let texts = prepared(on: connection) {
                write(group, on: connection, texts)
            } else {
                for unit in group { unit.fail(LandfallDatabase.DatabaseError.closed) }
            }
        }
    }

    /// The connection is there for as long as its pool is.
    private func prepared(on connection: GRDB.Database) -> PreparedTexts? {
        if let texts = texts.withLock({ $0 }) { return texts }
        guard let handle = connection.sqliteConnection else { return nil }
        let texts = PreparedTexts(handle, damage: damage)
        self.texts.withLock { $0 = texts }
        return texts
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

    private func write(_ group: [any PendingWrite], on connection: GRDB.Database, _ texts: PreparedTexts) {
        guard freeDiskShare() >= FreeDisk.least else {
            for unit in group { unit.fail(LandfallDatabase.DatabaseError.diskLow) }
            return
        }
        var performed: [any PendingWrite] = []
        let changesBefore = texts.changeCount
        do {
            try texts.run("BEGIN IMMEDIATE")
            for unit in group where unit.begin() {
                if try Self.perform(unit, on: connection, texts) { performed.append(unit) }
            }
            try texts.run("COMMIT")
        } catch {
            // SQLite ended the transaction, or cannot end it: nothing of the group is on disk, whosever fault it was.
            if connection.isInsideTransaction { _ = try? texts.run("ROLLBACK") }
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
            if texts.changeCount != changesBefore { state.counts.isFailing = false }
        }
        for unit in performed { unit.resume() }
    }

    private static func answer(to error: any Error) -> LandfallDatabase.DatabaseError {
        switch error {
        case let error as GRDB.DatabaseError: .retry(error.message ?? "\(error)")
        case let error as LandfallDatabase.DatabaseError:
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
    private static func perform(
        _ unit: any PendingWrite, on connection: GRDB.Database, _ texts: PreparedTexts
    ) throws -> Bool {
        try texts.run("SAVEPOINT unit")
        do {
            try unit.perform(texts)
        } catch {
            guard connection.isInsideTransaction else { throw error }
            try texts.run("ROLLBACK TO SAVEPOINT unit")
            try texts.run("RELEASE SAVEPOINT unit")
            unit.fail(error)
            return false
        }
        try texts.run("RELEASE SAVEPOINT unit")
        return true
    }
}
