// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire
import Logging
import ServiceLifecycle
import Synchronization

/// Tells the other nodes each second that this one lives, and takes over the jobs of those that no longer do.
final class Heartbeat: Service, Redacted {
    static let interval = Duration.seconds(1)
    /// Between two beats in a row; after a longer time other nodes may have had no chance to beat.
    static let longestBetweenBeatsMs: Int64 = 2_500
    static let beatsBetweenTidying = 10
    /// Leases and times of facts are instants of the nodes' clocks. From here on they differ too much.
    static let clockWarningMs: Int64 = 2_000
    static let clockLimitMs: Int64 = 10_000

    /// What the last beats showed.
    struct Condition: Hashable, Sendable {
        /// Since when the database does not answer; nil while it does.
        var awaySinceMs: Int64?
        /// This node's clock, compared with the database's.
        var clockAheadMs: Int64 = 0
        /// How many nodes live, this one included.
        var living = 1

        var isClockRight: Bool { abs(clockAheadMs) <= Heartbeat.clockLimitMs }
    }

    private struct State {
        var condition = Condition()
        var beats = 0
        /// The last beat that succeeded, and the nodes that were silent then.
        var last: (atMs: Int64, silent: Set<NodeName>)?
        var hasWarned = false
    }

    private let database: any SharedDatabase
    private let queue: JobQueue
    private let time: ServerTime
    private let logger: Logger
    private let state = Mutex(State())

    init(_ database: any SharedDatabase, time: ServerTime, logger: Logger) {
        (self.database, self.time, self.logger) = (database, time, logger)
        queue = JobQueue(database: database, node: database.node)
    }

    var condition: Condition { state.withLock { $0.condition } }

    func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                await beat()
                try await time.sleep(Self.interval)
            }
        }
        // In a task of its own, because this one may be cancelled.
        await Task { [database] in try? await database.leave() }.value
    }

    func beat() async {
        let seen: NodesSeen, begunMs = time.nowMs()
        do {
            seen = try await database.beat(release: LandfallVersion.current)
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
        if state.withLock({ $0.beats % Self.beatsBetweenTidying == 0 }) { Task { [database] in try? await database.tidy() } }
    }

    private func heard(_ seen: NodesSeen, between begunMs: Int64, and nowMs: Int64) {
        // The answer takes its time, which is not the clock's fault.
        let ahead = seen.nowMs < begunMs ? begunMs - seen.nowMs : min(0, nowMs - seen.nowMs)
        let (away, warns): (Int64?, Bool) = state.withLock { state in
            defer { state.condition.awaySinceMs = nil }
            state.beats += 1
            state.condition.living = seen.living.count
            state.condition.clockAheadMs = ahead
            let differs = abs(ahead) > Self.clockWarningMs
            defer { state.hasWarned = differs }
            return (state.condition.awaySinceMs, differs && !state.hasWarned)
        }
        if let away { logger.notice("The database answers again.", metadata: ["store.awayMilliseconds": "\(nowMs - away)"]) }
        if warns {
            logger.warning(
                "The clocks of this machine and of the database differ. Above 10 seconds the node is not ready: set both by NTP.",
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
