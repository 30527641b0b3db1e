// SPDX-License-Identifier: Apache-2.0
import LandfallConsole
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire
import Logging
import ServiceLifecycle
import Synchronization

/// Tells the other nodes each second that this one lives, and takes over the jobs of those that no longer do. Looks whether the store
/// is still the one that this node serves from.
final class Heartbeat: Service, Redacted {
    static let interval = Duration.seconds(1)
    /// Between two beats in a row; after a longer time other nodes may have had no chance to beat.
    static let longestBetweenBeatsMs: Int64 = 2_500
    static let beatsBetweenTidying = 10
    static let clockLimitMs: Int64 = 10_000
    /// A beat that takes longer does not set the clock by which nodes put in order what they store.
    static let quickBeatMs: Int64 = 250

    /// What the last beats showed.
    struct Condition: Hashable, Sendable {
        /// Since when the database does not answer; nil while it does.
        var awaySinceMs: Int64?
        /// This node's clock, compared with the database's.
        var clockAheadMs: Int64 = 0
        /// The same by the last beat that was quick: the longer a beat takes, the less it tells.
        var storeClockAheadMs: Int64 = 0
        /// False if the clocks differ too much, and another node's clock differs otherwise, at two beats in a row: after a change of the
        /// database's clock, the others tell their difference with their next beat.
        var isClockRight = true
        /// How many nodes live, this one included.
        var living = 1
        /// As the last beat found them; nil before the first.
        var nodes: [NodesSeen.Node]?

        /// Why this release may not work on the store any more: a newer one has migrated it.
        var schemaRefusal: DatabaseError?
        /// Another store has taken the place of the one that this node serves from.
        var isReplaced = false

        var isReady: Bool { isClockRight && schemaRefusal == nil }
    }

    private struct State {
        var condition = Condition()
        var beats = 0
        /// The last beat that succeeded, and the nodes that were silent then.
        var last: (atMs: Int64, silent: Set<NodeName>)?
        var hasWarned = false
        /// How many beats in a row showed this clock to be wrong.
        var wrongClocks = 0
        var replicaNews = ReplicaNews()
    }

    private let database: any SharedDatabase
    private let queue: JobQueue
    private let mark: StoreMark
    private let configuration: LiveConfiguration
    private let news: VersionNews
    private let time: ServerTime
    private let logger: Logger
    private let state = Mutex(State())

    /// Ends when the store is replaced: the node has to stop, because what it writes belongs to another store.
    let serving: AsyncStream<Never>
    private let endServing: AsyncStream<Never>.Continuation

    init(
        _ database: any SharedDatabase, mark: StoreMark, _ configuration: LiveConfiguration, _ news: VersionNews, time: ServerTime, logger: Logger
    ) {
        (self.database, self.mark, self.time, self.logger) = (database, mark, time, logger)
        (self.configuration, self.news) = (configuration, news)
        (serving, endServing) = AsyncStream.makeStream()
        queue = JobQueue(database: database, node: database.node)
    }

    var condition: Condition { state.withLock { $0.condition } }

    /// The database's.
    var storeClock: StoreClock { StoreClock { [self] in state.withLock(\.condition.storeClockAheadMs) } }

    /// Nil if the database has none.
    var replica: ReplicaCondition? { (database as? any ReplicaReporting)?.replicaCondition }

    /// For people who look at the nodes; nil before the first beat.
    var health: NodesHealth? {
        let condition = condition, own = database.node, replica = replica
        return condition.nodes.map { nodes in
            NodesHealth(
                nodes.map { node in
                    .init(
                        name: node.name.text, release: node.release, runningMs: node.runningMs, silentMs: node.silentMs,
                        clockAheadMs: node.name == own ? condition.clockAheadMs : node.clockAheadMs, isThis: node.name == own)
                }, awaySinceMs: condition.awaySinceMs, replica: replica)
        }
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                await beat()
                try await time.sleep(Self.interval)
            }
        }
        // In a task of its own, because this one may be cancelled.
        await Task { await self.leave() }.value
    }

    /// A node that cannot give its jobs back keeps its entry: the others free them when it has been silent for a while.
    func leave() async {
        do {
            try await queue.endOwnLeases()
            try await database.leave()
        } catch { logger.warning("The other nodes were not told that this one stops; they will find it dead.", metadata: ["error.text": "\(error)"]) }
    }

    func beat() async {
        let seen: NodesSeen, begunMs = time.nowMs()
        if let replica, state.withLock({ $0.replicaNews.look(replica.state) }) { logger.replica(replica) }
        do {
            let questions = [StoreMark.question, AppliedMigration.question, ConfigurationStore.newestQuestion]
            let beat = try await database.beat(release: LandfallVersion.current, nowMs: begunMs, asking: questions)
            seen = beat.seen
            try look(atMark: beat.answers[0], migrations: beat.answers[1])
            // It is told by the change feed; this is for news that were lost, and for a version that could not be read then.
            if let newest = beat.answers[2].first?.optionalInteger(0), newest > configuration.newest { news.send() }
        } catch {
            if !Task.isCancelled { failed(error) }
            return
        }
        let nowMs = time.nowMs()
        heard(seen, between: begunMs, and: nowMs)
        for node in dead(seen, nowMs: nowMs) {
            logger.warning("A node is dead; the others take its jobs.", metadata: ["node": "\(node.text)"])
            // Tried again with the next beat: its entry stays.
            do {
                try await queue.endLeases(of: node)
                try await database.forget(node)
            } catch { logger.error("The jobs of a dead node were not freed.", metadata: ["error.text": "\(error)"]) }
        }
        if state.withLock({ $0.beats % Self.beatsBetweenTidying == 0 }) {
            Task { [database, logger] in
                do { try await database.tidy() } catch is CancellationError {} catch {
                    logger.warning("The database was not tidied, or the part of a month was not made.", metadata: ["error.text": "\(error)"])
                }
            }
        }
    }

    private func look(atMark rows: [Row], migrations: [Row]) throws {
        var isReplaced = try rows.first.map { try StoreMark($0) } != mark
        let applied = try migrations.map { try AppliedMigration($0) }
        var refusal: DatabaseError?
        do { _ = try Migration.pending(of: Schema.migrations, applied: applied) } catch let error as DatabaseError { refusal = error }
        if case .moved? = refusal { isReplaced = true }
        let before = state.withLock { [refusal, isReplaced] state in
            defer { (state.condition.schemaRefusal, state.condition.isReplaced) = (refusal, isReplaced || state.condition.isReplaced) }
            return state.condition
        }
        if let refusal, before.schemaRefusal == nil {
            logger.error("This release may not work on the store any more, so this node is not ready.", metadata: ["error.text": "\(refusal)"])
        }
        if isReplaced, !before.isReplaced {
            logger.error("The store was replaced or moved, so this node stops.")
            endServing.finish()
        }
    }

    private func heard(_ seen: NodesSeen, between begunMs: Int64, and nowMs: Int64) {
        // The answer takes its time, which is not the clock's fault.
        let ahead = seen.nowMs < begunMs ? begunMs - seen.nowMs : min(0, nowMs - seen.nowMs)
        let (away, warns): (Int64?, Bool) = state.withLock { state in
            defer { state.condition.awaySinceMs = nil }
            state.beats += 1
            state.condition.living = seen.living.count
            state.condition.nodes = seen.nodes
            state.condition.clockAheadMs = ahead
            // What the beat's own time explains is no change of a clock: so the order of two calls at this node stays.
            let error = (nowMs - begunMs) / 2, found = begunMs + error - seen.nowMs
            if nowMs - begunMs <= Self.quickBeatMs, abs(found - state.condition.storeClockAheadMs) > error {
                state.condition.storeClockAheadMs = found
            }
            // If all nodes differ from the database alike, it is the database's clock that is wrong, and no node is better than another.
            let differs = seen.living.contains { $0.name != database.node && abs($0.clockAheadMs - ahead) > NodesSeen.clockWarningMs }
            state.wrongClocks = abs(ahead) > Self.clockLimitMs && differs ? state.wrongClocks + 1 : 0
            state.condition.isClockRight = state.wrongClocks < 2
            let warns = abs(ahead) > NodesSeen.clockWarningMs
            defer { state.hasWarned = warns }
            return (state.condition.awaySinceMs, warns && !state.hasWarned)
        }
        if let away { logger.notice("The database answers again.", metadata: ["store.awayMilliseconds": "\(nowMs - away)"]) }
        if warns {
            logger.warning(
                "The clocks of this machine and of the database differ. Above 10 seconds the node is not ready, unless all nodes differ alike: set both by NTP.",
                metadata: ["clock.aheadMilliseconds": "\(ahead)"])
        }
    }

    /// The nodes that were silent at two beats of this node, one soon after the other. After the database was away all others look
    /// silent at first, and beat again in a moment.
    private func dead(_ seen: NodesSeen, nowMs: Int64) -> [NodeName] {
        let silent = seen.nodes.filter { $0.silentMs >= NodesSeen.deadMs }.map(\.name)
        return state.withLock { state in
            defer { state.last = (nowMs, Set(silent)) }
            guard let last = state.last, (0...Self.longestBetweenBeatsMs).contains(nowMs - last.atMs) else { return [] }
            return silent.filter(last.silent.contains)
        }
    }

    private func failed(_ error: any Error) {
        let isNew = state.withLock { state in
            defer { state.condition.awaySinceMs = state.condition.awaySinceMs ?? time.nowMs() }
            return state.condition.awaySinceMs == nil
        }
        if isNew {
            logger.error(
                "The database does not answer; phones get what is known meanwhile.", metadata: ["error.text": "\(error)"])
        }
    }
}

/// The store under a running node has another id or epoch.
struct StoreReplaced: Error, CustomStringConvertible {
    var description: String {
        "The store was replaced while this node was running, for example by a restore. What the node knows belongs to the store before, so it has stopped. Start it again."
    }
}
