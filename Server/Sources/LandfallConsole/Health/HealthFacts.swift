// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// What one node knows about itself, and what of it is a problem.
package struct HealthFacts: Hashable, Sendable {
    /// What only some engines can tell.
    struct Store: Hashable, Sendable {
        var damage: String?
        /// Why the last write failed; nil while writes succeed.
        var failure: String?
        var waiting = 0
        var freeDiskShare = 1.0
    }

    /// Notifications for the second receiver.
    struct Forwarded: Hashable, Sendable {
        var waiting: Int
        /// Nil if none waits.
        var oldestMs: Int64?
        var givenUp: Int
    }

    /// Files of each day.
    struct Exported: Hashable, Sendable {
        var failure: String?
        /// Nil before the first day is whole.
        var lastDay: String?
        /// Days that should be whole and are not. The one that has just ended may be under way.
        var daysBehind: Int64 = 0
    }

    /// Endpoints of webhooks.
    struct Told: Hashable, Sendable {
        /// Since they answered 410.
        var off = 0
        /// Not counting those that are off.
        var failing = 0
        var waiting = 0
        /// Messages that had to make room. The count stays, so it is no problem by itself.
        var dropped = 0
    }

    /// Below it writes are refused, see `landfall doctor`.
    static let leastFreeDisk = 0.05
    static let mostWaiting = 10_000
    /// Of counted days. A node that started later has much to catch up on.
    static let mostBehindMs: Int64 = 10 * 60_000
    /// Of background work, which a node begins one minute after its start.
    static let mostLateMs: Int64 = 2 * 60_000
    /// With the pauses between them these tries take two minutes.
    static let mostFailures: Int64 = 8
    static let soonMs: Int64 = 30 * 24 * 3_600_000

    var nowMs: Int64
    var startedAtMs: Int64
    var store: Store?
    var served: Int64
    var newest: Int64
    /// Nil before the first days are counted.
    var completeToMs: Int64?
    /// When the next job of each kind was or is due.
    var dueMs: [JobKind: Int64] = [:]
    /// How often jobs of each kind have failed in a row: a job that fails is put off, and so never late.
    var failures: [JobKind: Int64] = [:]
    var lastBackupMs: Int64?
    /// When the store was made or restored.
    var storeSinceMs: Int64
    /// Nodes share the store: it is a database.
    var isShared = false
    var held: Int
    var mostHeld: Int
    var connections: Int
    var mostConnections: Int
    var watching: Int
    var hasActiveKey: Bool
    /// Every key that ends by itself and still opens something.
    var endingKeys: [HealthCheck.EndingKey]
    /// Why the node's own file cannot be served.
    var fileRefusal: String?
    /// Nil without a key for the App Store Server API.
    var appStore: AppStoreHealth?
    /// Nil without a second receiver of notifications.
    var forwarding: Forwarded?
    /// Nil without files of each day.
    var exported: Exported?
    /// Nil without endpoints.
    var webhooks: Told?
    /// Nil if the store is not streamed to another place.
    var stream: StreamCondition?
    /// Nil if no other node works on the store.
    var nodes: NodesHealth?
    /// Those that fire.
    var alerts: [AlertState] = []

    var checks: [HealthCheck] {
        var checks: [HealthCheck] = []
        if let store {
            checks += [
                HealthCheck(.store(damage: store.damage), isOK: store.damage == nil),
                HealthCheck(
                    .writes(failure: store.failure, waiting: store.waiting),
                    isOK: store.failure == nil && store.waiting < Self.mostWaiting),
                HealthCheck(.disk(free: store.freeDiskShare), isOK: store.freeDiskShare >= Self.leastFreeDisk),
            ]
        }
        let behindMs = completeToMs.map { max(nowMs - $0, 0) }, late = self.late, failing = self.failing
        let isYoung = nowMs - startedAtMs < Self.mostBehindMs
        let ending = endingKeys.filter { $0.endsAtMs - nowMs < Self.soonMs }
        return checks + [
            HealthCheck(.configuration(served: served, newest: newest), isOK: newest <= served),
        ] + (fileRefusal.map { [HealthCheck(.configurationFile(problem: $0, served: served), isOK: false)] } ?? []) + [
            // A node that just started may have counted nothing yet.
            HealthCheck(.reports(behindMs: behindMs, isCatchingUp: isYoung), isOK: behindMs.map { $0 < Self.mostBehindMs } ?? isYoung),
            HealthCheck(
                .jobs(late: late, failing: failing, isCatchingUp: isYoung && failing.isEmpty), isOK: late.isEmpty && failing.isEmpty),
            backup,
        ] + streamed + [
            HealthCheck(.held(held, of: mostHeld), isOK: Self.hasRoom(held, of: mostHeld)),
            HealthCheck(.connections(connections, of: mostConnections), isOK: Self.hasRoom(connections, of: mostConnections)),
            HealthCheck(.keys(hasActive: hasActiveKey, ending: ending), isOK: hasActiveKey && ending.isEmpty),
        ] + outside + (nodes?.checks(nowMs: nowMs) ?? [])
    }

    private var late: [HealthCheck.LateWork] {
        dueMs.filter { nowMs - $0.value >= Self.mostLateMs }
            .map { HealthCheck.LateWork(kind: $0.key, sinceMs: $0.value, lateMs: nowMs - $0.value) }
            .sorted { ($0.sinceMs, $0.kind.rawValue) < ($1.sinceMs, $1.kind.rawValue) }
    }

    private var failing: [HealthCheck.FailingWork] {
        failures.filter { $0.value >= Self.mostFailures }.map { HealthCheck.FailingWork(kind: $0.key, attempts: $0.value) }
            .sorted { $0.kind.rawValue < $1.kind.rawValue }
    }

    private var backup: HealthCheck {
        let verdict: HealthCheck.Verdict =
            switch BackupState(lastMs: lastBackupMs, storeSinceMs: storeSinceMs, isShared: isShared, nowMs: nowMs) {
            case .fresh: .inOrder
            case .due: .toDo
            case .missing: .problem
            case .elsewhere: .elsewhere
            }
        return HealthCheck(.backup(ageMs: lastBackupMs.map { max(nowMs - $0, 0) }, isShared: isShared), verdict)
    }

    /// A whole copy of a large store takes its time, so a stream is no problem before ten minutes.
    private var streamed: [HealthCheck] {
        guard let stream else { return [] }
        let behindMs = stream.reachedMs.map { max(nowMs - $0, 0) }
        return [HealthCheck(.stream(failure: stream.failure, behindMs: behindMs), isOK: stream.behindMs(nowMs: nowMs) < Self.mostBehindMs + stream.everyMs)]
    }

    /// What leaves the server, and what it asks for.
    private var outside: [HealthCheck] {
        var checks: [HealthCheck] = []
        if let appStore {
            checks.append(
                HealthCheck(
                    .appStore(problem: appStore.problem, askedMs: appStore.succeededAtMs.map { max(nowMs - $0, 0) }),
                    isOK: appStore.problem == nil && !appStore.isLate))
        }
        if let forwarding {
            let isLate = forwarding.oldestMs.map { nowMs - $0 >= ForwardingStore.lateMs } ?? false
            checks.append(
                HealthCheck(.forwarding(waiting: forwarding.waiting, givenUp: forwarding.givenUp), isOK: !isLate && forwarding.givenUp == 0))
        }
        if let exported {
            checks.append(
                HealthCheck(.exports(failure: exported.failure, lastDay: exported.lastDay), isOK: exported.failure == nil && exported.daysBehind < 2))
        }
        if let webhooks { checks.append(HealthCheck(.webhooks(webhooks), isOK: webhooks.off == 0 && webhooks.failing == 0)) }
        return checks
    }

    /// A limit of 0 is a wish, not a shortage.
    private static func hasRoom(_ count: Int, of most: Int) -> Bool { most == 0 || count * 10 < most * 9 }

    var node: HealthPage.Node {
        HealthPage.Node(
            release: LandfallVersion.current, runningMs: nowMs - startedAtMs, version: served, connections: connections, held: held,
            watching: watching)
    }
}
