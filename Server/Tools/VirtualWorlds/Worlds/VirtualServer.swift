// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallStore
import NIOEmbedded
import Synchronization

/// The team's server: the real node over a store in memory. It can be stopped, killed and started again on the same store.
final class VirtualServer: Sendable {
    /// Unix milliseconds at the beginning of every world.
    static let epochMs: Int64 = 1_800_000_000_000

    private struct State {
        var life: Life?
        var lives = 0
        var isDiskLow = false
    }

    /// One life of the process, from start to kill.
    private final class Life: Sendable {
        let node: InProcessNode
        let store: MortalDatabase
        let exchanging: Task<Void, Never>
        let connections = Mutex<(last: Int, open: [Int: (Task<Void, Never>, any VirtualConnection)])>((0, [:]))

        init(_ node: InProcessNode, _ store: MortalDatabase) {
            self.node = node
            self.store = store
            exchanging = Task { await node.run() }
        }
    }

    private let serving: InProcessNode.Serving
    private let database: MemoryDatabase
    private let clock: VirtualClock
    private let apple: VirtualApple
    private let trace: VirtualTrace
    private let state = Mutex(State())
    private let channel = EmbeddedChannel()

    init(
        _ serving: InProcessNode.Serving, _ database: MemoryDatabase, _ clock: VirtualClock, _ apple: VirtualApple,
        _ trace: VirtualTrace
    ) {
        self.serving = serving
        self.database = database
        self.clock = clock
        self.apple = apple
        self.trace = trace
    }

    func start() async throws {
        let store = MortalDatabase(database) { [weak self] in self?.state.withLock { $0.isDiskLow } ?? false }
        let node = try await InProcessNode(
            serving, database: store, channel: channel, clock: clock,
            nowMs: { [clock] in Self.epochMs + clock.elapsed.exactMilliseconds },
            askApple: { [apple] token in try await apple.answer(to: token) }
        )
        state.withLock { state in
            state.life = Life(node, store)
            state.lives += 1
        }
        trace.say("server: serves")
    }

    /// While the disk is nearly full reads go on and writes are refused.
    func setDisk(isLow: Bool) {
        trace.say("server: disk is \(isLow ? "nearly full" : "free again")")
        state.withLock { $0.isDiskLow = isLow }
    }

    /// As on SIGTERM: held requests are answered.
    func stop() { state.withLock { $0.life }?.node.stop() }

    /// As by `kill -9`: uncommitted changes are gone, and so is every connection.
    func kill() {
        guard
            let life = state.withLock({ state in
                defer { state.life = nil }
                return state.life
            })
        else { return }
        trace.say("server: killed")
        life.store.kill()
        life.exchanging.cancel()
        let open = life.connections.withLock { connections in
            defer { connections.open = [:] }
            return connections.open.sorted { $0.key < $1.key }.map(\.value)
        }
        for (task, connection) in open {
            task.cancel()
            connection.broke()
        }
    }

    /// A request has arrived on this connection.
    func accept(_ request: VirtualRequest, _ connection: any VirtualConnection) {
        guard let life = state.withLock({ $0.life }) else { return connection.broke() }
        let id = life.connections.withLock { connections in
            connections.last += 1
            return connections.last
        }
        let task = Task {
            do {
                try await life.node.respond(
                    to: request.method, request.target, headers: request.headers, body: request.body,
                    head: { connection.head($0, $1) }, bytes: { try connection.bytes($0) }
                )
                connection.end()
            } catch {
                connection.broke()
            }
            life.connections.withLock { $0.open[id] = nil }
        }
        life.connections.withLock { $0.open[id] = (task, connection) }
    }
}

/// A request when it reaches the server.
struct VirtualRequest: Sendable {
    let method: String
    let target: String
    let headers: [String: String]
    let body: Data?
}

/// The server's end of a connection.
protocol VirtualConnection: Sendable {
    func head(_ status: Int, _ headers: [String: String])
    /// - Throws: if the phone has gone.
    func bytes(_ bytes: Data) throws
    func end()
    func broke()
}

/// The store as one process sees it: once the process is dead, nothing that it still does reaches the disk.
private final class MortalDatabase: Database {
    private let database: MemoryDatabase
    private let isDead = Mutex(false)
    private let isDiskLow: @Sendable () -> Bool
    let observers = StoreObservers()
    private let hearing: Mutex<StoreObservation?>

    init(_ database: MemoryDatabase, isDiskLow: @escaping @Sendable () -> Bool) {
        self.database = database
        self.isDiskLow = isDiskLow
        hearing = Mutex(database.observers.add { [observers] in observers.tell($0) })
    }

    /// A dead process hears nothing either.
    func kill() {
        isDead.withLock { $0 = true }
        hearing.withLock { $0 = nil }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReadConnection) throws -> Value) async throws -> Value {
        try check()
        return try await database.read(body)
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value
    ) async throws -> Value {
        try check()
        if isDiskLow() { throw DatabaseError.diskLow }
        return try await database.write(urgency, locking: locks, body)
    }

    func write<Value: Sendable>(
        _ urgency: Urgency, locking locks: [RowLock], _ body: @escaping @Sendable (any WriteConnection) throws -> Value,
        then: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        do { try check() } catch { return then(.failure(error)) }
        if isDiskLow() { return then(.failure(DatabaseError.diskLow)) }
        database.write(urgency, locking: locks, body, then: then)
    }

    func migrate(_ migrations: [Migration]) async throws { try await database.migrate(migrations) }

    private func check() throws { if isDead.withLock({ $0 }) { throw DatabaseError.closed } }
}
