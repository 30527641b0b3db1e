// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallServer
import LandfallStore
import NIOEmbedded
import Synchronization

/// The team's server: the real node over a store in memory, or several nodes over one store. It can be stopped, killed and started again
/// on the same store.
final class VirtualServer: Sendable {
    /// Unix milliseconds at the beginning of every world.
    static let epochMs: Int64 = 1_800_000_000_000

    /// What the server consists of.
    struct Setup: Sendable {
        let serving: InProcessNode.Serving
        var nodes = 1
        /// Decides which node gets a request; nil for one node.
        var dice: Dice?
        /// The endpoint of the team's webhooks.
        var receiver: VirtualReceiver?
        var trust = AppStoreTrust()
        /// What the server has acknowledged is noted there.
        var ledger: FactLedger?
        var planted: PlantedError?
    }

    private struct State {
        var lives: [Life?]
        var isStarting: [Bool]
        var count = 0
        var isDiskLow = false
    }

    /// One life of a process, from start to kill.
    private final class Life: Sendable {
        let name: NodeName
        let node: InProcessNode
        let store: MortalDatabase
        let exchanging: Task<Void, Never>
        let connections = Mutex<(last: Int, open: [Int: (Task<Void, Never>, any VirtualConnection)])>((0, [:]))

        init(_ name: NodeName, _ node: InProcessNode, _ store: MortalDatabase) {
            self.name = name
            self.node = node
            self.store = store
            exchanging = Task { await node.run() }
        }
    }

    /// Nil for one node.
    let board: NodeBoard?
    private let setup: Setup
    private let database: MemoryDatabase
    private let clock: VirtualClock
    private let apple: VirtualApple
    private let trace: VirtualTrace
    private let state: Mutex<State>
    private let channel = EmbeddedChannel()
    /// How far the clock of each node's machine is ahead.
    private let ahead: [Duration]

    init(_ setup: Setup, _ database: MemoryDatabase, _ clock: VirtualClock, _ apple: VirtualApple, _ trace: VirtualTrace) {
        self.setup = setup
        self.database = database
        self.clock = clock
        self.apple = apple
        self.trace = trace
        let dice = setup.nodes > 1 ? setup.dice : nil
        board = dice.map { NodeBoard(database, clock, $0.split(), trace, planted: setup.planted) }
        ahead = (0..<setup.nodes).map { _ in dice.map { $0.happens(0.3) ? $0.time(-300...300) : .zero } ?? .zero }
        state = Mutex(State(lives: Array(repeating: nil, count: setup.nodes), isStarting: Array(repeating: false, count: setup.nodes)))
    }

    var nodeCount: Int { setup.nodes }
    var hasLedger: Bool { setup.ledger != nil }

    /// Starts every node that does not run.
    func start() async throws {
        for place in 0..<setup.nodes { try await start(place) }
        trace.say("server: serves")
    }

    /// Starts one node, unless it runs.
    func start(_ place: Int) async throws {
        let number = state.withLock { state -> Int? in
            guard state.lives[place] == nil, !state.isStarting[place] else { return nil }
            state.isStarting[place] = true
            state.count += 1
            return state.count
        }
        guard let number else { return }
        defer { state.withLock { $0.isStarting[place] = false } }
        // A process that is started again is another node.
        let name = NodeName("node\(place + 1)-\(number)")
        let store = MortalDatabase(database, hearsAtOnce: board == nil) { [weak self] in self?.state.withLock { $0.isDiskLow } ?? false }
        let seen: any Database = board.map { NodeDatabase(name, store, $0) as any Database } ?? store
        let node: InProcessNode
        do {
            node = try await InProcessNode(
                setup.serving, database: seen, channel: channel, clock: clock,
                nowMs: { [clock, ahead = ahead[place]] in Self.epochMs + (clock.elapsed + ahead).exactMilliseconds }, trust: setup.trust,
                outbound: setup.receiver, askApple: { [apple, board] token in try await apple.answer(to: token, askedBy: name, board) }
            )
        } catch {
            store.kill()
            board?.died(name)
            throw error
        }
        state.withLock { $0.lives[place] = Life(name, node, store) }
        if setup.nodes > 1 { trace.say("\(name.text): serves") }
    }

    /// While the disk is nearly full reads go on and writes are refused.
    func setDisk(isLow: Bool) {
        setup.receiver?.disturbed()
        trace.say("server: disk is \(isLow ? "nearly full" : "free again")")
        state.withLock { $0.isDiskLow = isLow }
    }

    /// As on SIGTERM: held requests are answered.
    func stop() { for place in 0..<setup.nodes { stop(place) } }

    func stop(_ place: Int) { state.withLock { $0.lives[place] }?.node.stop() }

    /// As by `kill -9`: uncommitted changes are gone, and so is every connection.
    func kill() { for place in 0..<setup.nodes { kill(place) } }

    func kill(_ place: Int) {
        guard
            let life = state.withLock({ state in
                defer { state.lives[place] = nil }
                return state.lives[place]
            })
        else { return }
        trace.say("\(setup.nodes > 1 ? life.name.text : "server"): killed")
        setup.receiver?.disturbed()
        board?.died(life.name)
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

    /// The name of a node; nil while it does not run.
    func name(_ place: Int) -> NodeName? { state.withLock { $0.lives[place]?.name } }

    /// A request has arrived on this connection.
    func accept(_ request: VirtualRequest, _ connection: any VirtualConnection) {
        guard let life = chosen() else { return connection.broke() }
        answer(request, by: life, setup.ledger?.hearing(request, connection) ?? connection)
    }

    /// The same at one node, whatever the balancer would choose.
    func accept(_ request: VirtualRequest, _ connection: any VirtualConnection, at place: Int) {
        guard let life = state.withLock({ $0.lives[place] }) else { return connection.broke() }
        answer(request, by: life, connection)
    }

    /// What stands before several nodes chooses one of those that live, unless it has not noticed yet that one is gone.
    private func chosen() -> Life? {
        let living = state.withLock { $0.lives.compactMap(\.self) }
        guard setup.nodes > 1, let dice = setup.dice else { return living.first }
        let isLate = living.count < setup.nodes && dice.happens(0.2)
        return living.isEmpty || isLate ? nil : dice.one(of: living)
    }

    private func answer(_ request: VirtualRequest, by life: Life, _ connection: any VirtualConnection) {
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
