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
    /// A node that is silent for so long is dead: it beats three times meanwhile.
    static let deadMs: Int64 = 3_000
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

    fileprivate struct State {
        var condition = Condition()
        /// Dead nodes whose jobs were freed.
        var freed: Set<NodeName> = []
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
        let seen: NodesSeen
        do {
            seen = try await database.beat(release: LandfallVersion.current)
            for node in state.withLock({ $0.toFree(seen) }) {
                logger.warning("A node is dead; the others take its jobs.", metadata: ["node": "\(node.text)"])
                try await queue.endLeases(of: node)
                _ = state.withLock { $0.freed.insert(node) }
            }
        } catch {
            if !Task.isCancelled { failed(error) }
            return
        }
        let nowMs = time.nowMs()
        let (away, warns): (Int64?, Bool) = state.withLock { state in
            defer { state.condition.awaySinceMs = nil }
            state.condition.living = seen.nodes.count { $0.silentMs < Self.deadMs }
            state.condition.clockAheadMs = nowMs - seen.nowMs
            let differs = abs(state.condition.clockAheadMs) > Self.clockWarningMs
            defer { state.hasWarned = differs }
            return (state.condition.awaySinceMs, differs && !state.hasWarned)
        }
        if let away { logger.notice("The database answers again.", metadata: ["store.awayMilliseconds": "\(nowMs - away)"]) }
        if warns {
            logger.warning(
                "This machine's clock differs from the database's. Above 10 seconds the node is not ready: set it by NTP.",
                metadata: ["clock.aheadMilliseconds": "\(nowMs - seen.nowMs)"])
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

extension Heartbeat.State {
    /// The dead nodes whose jobs nobody has freed yet, as far as this node knows. Several nodes may free them; that does no harm.
    fileprivate mutating func toFree(_ seen: NodesSeen) -> [NodeName] {
        let dead = seen.nodes.filter { $0.silentMs >= Heartbeat.deadMs }.map(\.name)
        // One that goes on after a pause, and dies again, is freed again.
        freed.formIntersection(dead)
        return dead.filter { !freed.contains($0) }
    }
}
