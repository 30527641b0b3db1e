// SPDX-License-Identifier: Apache-2.0
import LandfallSQLite
import LandfallStore
import Synchronization

/// What the nodes of one store know of each other: who lives, and what the others have changed, which each hears a little later.
final class NodeBoard: Sendable {
    private struct Entry {
        let release: String
        let begunAt: Duration
        var beatAt: Duration
        var aheadMs: Int64
    }

    private struct Hearer {
        let node: NodeName
        let observers: StoreObservers
        /// When the last of what is on its way arrives: news keep their order.
        var lastArrival = Duration.zero
        var isDeaf = false
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var hearers: [Hearer] = []
        var writer: NodeName?
    }

    private let clock: VirtualClock
    private let dice: Dice
    private let trace: VirtualTrace
    private let planted: PlantedError?
    private let state = Mutex(State())
    private let hearing = Mutex<StoreObservation?>(nil)

    init(_ database: MemoryDatabase, _ clock: VirtualClock, _ dice: Dice, _ trace: VirtualTrace, planted: PlantedError? = nil) {
        (self.clock, self.dice, self.trace, self.planted) = (clock, dice, trace, planted)
        let observation = database.observers.add { [weak self] in self?.changed($0) }
        hearing.withLock { $0 = observation }
    }

    /// The world ends.
    func close() { hearing.withLock { $0 = nil } }

    // MARK: Changes

    func hears(_ node: NodeName, _ observers: StoreObservers) {
        state.withLock { $0.hearers.append(Hearer(node: node, observers: observers)) }
    }

    /// What is committed meanwhile is this node's.
    func write(by node: NodeName, _ body: () -> Void) {
        let before = state.withLock { state in
            defer { state.writer = node }
            return state.writer
        }
        body()
        state.withLock { $0.writer = before }
    }

    private func changed(_ news: StoreNews) {
        let (writer, hearers) = state.withLock { ($0.writer, $0.hearers) }
        for hearer in hearers {
            if hearer.node == writer { hearer.observers.tell(news) } else { send(news, to: hearer.node) }
        }
    }

    private func send(_ news: StoreNews, to node: NodeName) {
        let arrival = state.withLock { state -> Duration? in
            guard let place = state.hearers.firstIndex(where: { $0.node == node }), !state.hearers[place].isDeaf else { return nil }
            // A node looks often while a phone waits there, and each second otherwise.
            let delay = dice.happens(0.8) ? dice.time(0...50) : dice.time(0...1_000)
            state.hearers[place].lastArrival = max(state.hearers[place].lastArrival, clock.elapsed + delay)
            return state.hearers[place].lastArrival
        }
        if let arrival { clock.at(arrival) { [weak self] in self?.tell(news, node) } }
    }

    private func tell(_ news: StoreNews, _ node: NodeName) {
        state.withLock { $0.hearers.first { $0.node == node }?.observers }?.tell(news)
    }

    /// The node cannot reach what the others have changed for a while; then it knows that it has missed something.
    func deafen(_ node: NodeName, for duration: Duration) {
        trace.say("\(node.text): hears nothing of the others for \(duration)")
        setDeaf(node, true)
        clock.at(clock.elapsed + duration) { [weak self] in
            self?.setDeaf(node, false)
            self?.tell(.missed, node)
        }
    }

    private func setDeaf(_ node: NodeName, _ isDeaf: Bool) {
        state.withLock { state in
            for place in state.hearers.indices where state.hearers[place].node == node { state.hearers[place].isDeaf = isDeaf }
        }
    }

    /// Its process has ended. Its entry stays, as after any death.
    func died(_ node: NodeName) { state.withLock { $0.hearers.removeAll { $0.node == node } } }

    /// True while its process runs.
    func isRunning(_ node: NodeName) -> Bool { state.withLock { $0.hearers.contains { $0.node == node } } }

    // MARK: Beats

    /// The store's clock, in Unix milliseconds.
    private var nowMs: Int64 { VirtualServer.epochMs + clock.elapsed.exactMilliseconds }

    func beat(_ node: NodeName, release: String, nowMs: Int64) {
        let (now, aheadMs) = (clock.elapsed, nowMs - self.nowMs)
        state.withLock { state in
            var entry = state.entries[node.text] ?? Entry(release: release, begunAt: now, beatAt: now, aheadMs: aheadMs)
            if planted != .silentNodes { (entry.beatAt, entry.aheadMs) = (now, aheadMs) }
            state.entries[node.text] = entry
        }
    }

    var seen: NodesSeen {
        let now = clock.elapsed
        let nodes = state.withLock(\.entries).sorted { $0.key < $1.key }.map { name, entry in
            NodesSeen.Node(
                name: NodeName(name), release: entry.release, silentMs: (now - entry.beatAt).exactMilliseconds,
                runningMs: (now - entry.begunAt).exactMilliseconds, clockAheadMs: entry.aheadMs)
        }
        return NodesSeen(nowMs: nowMs, nodes: nodes)
    }

    func forget(_ dead: NodeName) {
        let now = clock.elapsed
        state.withLock { state in
            guard let entry = state.entries[dead.text], (now - entry.beatAt).exactMilliseconds >= NodesSeen.deadMs else { return }
            state.entries[dead.text] = nil
        }
    }

    func leave(_ node: NodeName) { state.withLock { $0.entries[node.text] = nil } }

    /// The store was replaced, and with it what it knew of nodes.
    func forgetAll() { state.withLock { $0.entries = [:] } }
}
