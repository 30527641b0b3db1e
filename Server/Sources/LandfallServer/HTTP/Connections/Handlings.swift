// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import HummingbirdCore
package import Logging
package import NIOCore
import Synchronization

/// The tasks that handle a node's connections. They are not child tasks: when one of thousands of children ends, the parent
/// searches for it one by one. That made a node's stop, and every close on it, grow with the square of its connections.
package final class Handlings: Sendable {
    private struct State {
        /// Nil for a task that has begun but is not registered yet.
        var tasks: [Int: Task<Void, Never>?] = [:]
        var next = 0
        var isCancelled = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    func begin(_ priority: TaskPriority, _ body: @escaping @Sendable () async -> Void) {
        let number = state.withLock { state in
            state.next += 1
            state.tasks[state.next] = .some(nil)
            return state.next
        }
        let task = Task(priority: priority) {
            await body()
            self.end(number)
        }
        let isCancelled = state.withLock { state in
            if state.tasks[number] != nil { state.tasks[number] = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private func end(_ number: Int) {
        let waiting = state.withLock { state in
            state.tasks[number] = nil
            guard state.tasks.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Cancels the present tasks and those that come later.
    package func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return state.tasks.values.compactMap(\.self)
        }
        for task in tasks { task.cancel() }
    }

    /// Returns when no task is left.
    package func ended() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.tasks.isEmpty { state.waiting.append(continuation) }
                return state.tasks.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }
}

/// A connection whose requests run at a lower priority than accepting. Otherwise each batch of new connections waits behind the
/// work of thousands of open ones, the system's accept queue overflows, and the system refuses phones that the server has room
/// for.
package struct PromptAccepting: ServerChildChannel {
    /// The priority of the listener.
    package static let accepting = TaskPriority.high
    private static let handling = TaskPriority.medium

    package let http: HTTP1Channel
    /// The listener's owner waits for these tasks; the listener does not know them.
    package let handlings: Handlings

    package init(http: HTTP1Channel, handlings: Handlings) {
        (self.http, self.handlings) = (http, handlings)
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<AcceptedConnection> {
        http.setup(channel: channel, logger: logger).map { AcceptedConnection($0) }
    }

    package func handle(value: AcceptedConnection, logger: Logger) async {
        let connection = value.taken()
        handlings.begin(Self.handling) { [http] in await http.handle(value: connection, logger: logger) }
    }
}

/// A connection between its acceptance and its handling. A listener that stops drops what it has accepted and not handed over.
/// Such a connection is closed: otherwise the framework ends the process when the connection's writer is released unfinished.
package final class AcceptedConnection: ServerChildChannelValue {
    private let connection: HTTP1Channel.Value
    private let isTaken = Atomic(false)

    package var channel: any Channel { connection.channel }

    init(_ connection: HTTP1Channel.Value) { self.connection = connection }

    /// The connection, for the one who handles and closes it.
    func taken() -> HTTP1Channel.Value {
        isTaken.store(true, ordering: .relaxed)
        return connection
    }

    deinit {
        guard !isTaken.load(ordering: .relaxed) else { return }
        Task { [connection] in try? await connection.executeThenClose { _, _ in } }
    }
}
