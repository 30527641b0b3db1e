// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import LandfallStore
import Synchronization

/// The reading connections: opened when needed, kept until the store is closed, limited by ``Limits``. Not a semaphore: a free
/// connection's thread takes the next read, so that no read waits for a thread of the tasks.
final class Readers: Sendable {
    struct Limits {
        /// Connections for reads that may take long. Further reads wait in order of arrival.
        var queued = 6
        /// The most reads that wait for one of them; more are refused as ``DatabaseError/tooManyReads``.
        var waiting = 16_384
        /// Connections for ``Database/readAtOnce(_:)``: one for each thread of the event loops, and some more.
        var atOnce = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    }

    /// A connection with its own thread for reads: a read can start however busy the process's other threads are.
    private final class Reader: Sendable {
        let queue = DispatchQueue(label: "landfall.sqlite.reader")
        private let connection = Mutex<SQLiteConnection?>(nil)

        func connection(orOpen open: () throws -> SQLiteConnection) throws -> SQLiteConnection {
            if let known = connection.withLock({ $0 }) { return known }
            let new = try open()
            connection.withLock { $0 = new }
            return new
        }
    }

    private struct State {
        /// Last in, first out: the connection that read last has its pages cached.
        var idle: [Reader] = []
        var idleAtOnce: [SQLiteConnection] = []
        var running = 0
        var runningAtOnce = 0
        var waiting = WaitingLine<any PendingRead>()
        var isClosed = false
        var closer: CheckedContinuation<Void, Never>?

        var isIdle: Bool { running == 0 && runningAtOnce == 0 }

        /// Nil if nothing waits for the close, or a read still runs.
        mutating func closerWhereIdle() -> CheckedContinuation<Void, Never>? {
            guard isIdle else { return nil }
            defer { closer = nil }
            return closer
        }
    }

    private let path: String
    private let damage: MetDamage
    private let limits: Limits
    private let state = Mutex(State())

    init(_ path: String, damage: MetDamage, limits: Limits = Limits()) {
        self.path = path
        self.damage = damage
        self.limits = limits
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        let unit = ReadUnit(body)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if unit.wait(with: continuation) { enqueue(unit) }
            }
        } onCancel: {
            unit.cancel()
        }
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs on the calling thread, with a connection that is not in use.
    /// - Returns: nil if all of them are in use, or another connection has locked the store.
    func readAtOnce<Value>(_ body: (any ReadConnection) throws -> Value) throws -> Value? {
        let (isFree, kept) = try state.withLock { state in
            if state.isClosed { throw DatabaseError.closed }
            guard state.runningAtOnce < limits.atOnce else { return (false, nil as SQLiteConnection?) }
            state.runningAtOnce += 1
            return (true, state.idleAtOnce.popLast())
        }
        guard isFree else { return nil }
        var connection = kept
        defer { leaveAtOnce(connection) }
        let open = try connection ?? opened(patience: .zero)
        connection = open
        do {
            return try open.reading(body)
        } catch where open.metLock {
            return nil
        }
    }

    /// Refuses further reads; returns when the accepted ones are done and every connection is closed.
    func close() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isClosed = true
                (state.idle, state.idleAtOnce) = ([], [])
                if !state.isIdle { state.closer = continuation }
                return state.isIdle
            }
            if isIdle { continuation.resume() }
        }
    }

    private func enqueue(_ unit: any PendingRead) {
        let (refusal, reader): (DatabaseError?, Reader?) = state.withLock { state in
            if state.isClosed { return (.closed, nil) }
            if state.running < limits.queued {
                state.running += 1
                return (nil, state.idle.popLast() ?? Reader())
            }
            if state.waiting.count >= limits.waiting { return (.tooManyReads, nil) }
            state.waiting.append(unit)
            return (nil, nil)
        }
        if let refusal { unit.fail(refusal) }
        if let reader { reader.queue.async { self.work(reader, beginningWith: unit) } }
    }

    private func work(_ reader: Reader, beginningWith first: any PendingRead) {
        var unit: (any PendingRead)? = first
        while let current = unit {
            do {
                current.perform(try reader.connection { try opened(patience: .seconds(5)) })
            } catch {
                current.fail(error)
            }
            let (next, closer) = state.withLock { state -> ((any PendingRead)?, CheckedContinuation<Void, Never>?) in
                if let next = state.waiting.popFirst() { return (next, nil) }
                state.running -= 1
                if !state.isClosed { state.idle.append(reader) }
                return (nil, state.closerWhereIdle())
            }
            closer?.resume()
            unit = next
        }
    }

    private func leaveAtOnce(_ connection: SQLiteConnection?) {
        let closer = state.withLock { state in
            state.runningAtOnce -= 1
            if !state.isClosed, let connection { state.idleAtOnce.append(connection) }
            return state.closerWhereIdle()
        }
        closer?.resume()
    }

    private func opened(patience: Duration) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path, .reading, patience: patience, damage: damage)
        try connection.run("PRAGMA cache_size = -8192")
        return connection
    }
}
