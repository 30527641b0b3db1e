// SPDX-License-Identifier: Apache-2.0
import LandfallServer

/// What one check of the server found.
struct HealthCheck: Hashable, Sendable {
    enum Finding: Hashable, Sendable {
        /// - damage: the engine's message; nil while nothing damaged was met.
        case store(damage: String?)
        /// - failure: the engine's message about the last write; nil while writes succeed. An I/O error is not damage.
        case writes(failure: String?, waiting: Int)
        /// - free: the share of the disk, 0…1.
        case disk(free: Double)
        case configuration(served: Int64, newest: Int64)
        /// The file of a node, which was refused.
        case configurationFile(problem: String, served: Int64)
        /// - behindMs: nil before the first days are counted.
        /// - isCatchingUp: the node has just started, and does what is left.
        case reports(behindMs: Int64?, isCatchingUp: Bool)
        /// - late: the kinds that should have begun by now, the latest first.
        case jobs(late: [LateWork], failing: [FailingWork], isCatchingUp: Bool)
        /// - ageMs: nil where this store knows of no backup.
        /// - isShared: the store is a database, which its own tools may copy.
        case backup(ageMs: Int64?, isShared: Bool)
        /// Of the store, to another place. failure: why the last try failed. behindMs: how much time would be lost now; nil before the first whole copy.
        case stream(failure: String?, behindMs: Int64?)
        case held(Int, of: Int)
        case connections(Int, of: Int)
        /// - problem: why the last questions did not succeed. askedMs: how long ago they did; nil: never yet.
        case appStore(problem: String?, askedMs: Int64?)
        /// Of notifications for the second receiver.
        case forwarding(waiting: Int, givenUp: Int)
        /// Files of each day. failure: why the last one was not written. lastDay: the last whole day; nil: none yet.
        case exports(failure: String?, lastDay: String?)
        case webhooks(HealthFacts.Told)
        /// - ending: the keys that end soon, each with its time.
        case keys(hasActive: Bool, ending: [EndingKey])
        /// Of nodes that share a store.
        case shared(NodesHealth.Finding)
    }

    /// A kind of background work whose next job is due since long.
    struct LateWork: Hashable, Sendable {
        let kind: JobKind
        let sinceMs: Int64
        let lateMs: Int64
    }

    /// A kind of background work that fails at each try.
    struct FailingWork: Hashable, Sendable {
        let kind: JobKind
        /// Tries since the last success.
        let attempts: Int64
    }

    enum Verdict: Hashable, Sendable {
        case inOrder, problem
        /// Not a problem yet.
        case toDo
        /// The server cannot know it: others see to it.
        case elsewhere
    }

    struct EndingKey: Hashable, Sendable {
        let name: String
        let endsAtMs: Int64
    }

    let finding: Finding
    let verdict: Verdict

    /// False for a problem only.
    var isOK: Bool { verdict != .problem }

    init(_ finding: Finding, _ verdict: Verdict) {
        self.finding = finding
        self.verdict = verdict
    }

    init(_ finding: Finding, isOK: Bool) { self.init(finding, isOK ? .inOrder : .problem) }

    /// The stable name, as `landfall doctor` writes names.
    var name: String {
        switch finding {
        case .store: "store"
        case .writes: "writes"
        case .disk: "disk"
        case .configuration: "configuration"
        case .configurationFile: "file"
        case .reports: "reports"
        case .jobs: "jobs"
        case .backup: "backup"
        case .stream: "stream"
        case .held: "held"
        case .connections: "connections"
        case .appStore: "appStore"
        case .forwarding: "forwarding"
        case .exports: "exports"
        case .webhooks: "webhooks"
        case .keys: "keys"
        case .shared(let finding): finding.name
        }
    }

    /// What an operator types; nil where nothing has to be typed.
    var command: String? {
        guard verdict == .problem || verdict == .toDo else { return nil }
        return switch finding {
        case .store: "landfall restore landfall-backup.sqlite"
        case .disk: "df -h"
        case .configuration, .configurationFile: "landfall check landfall.yaml"
        case .backup: "landfall backup landfall-backup.sqlite"
        case .held: "landfall serve --held-limit 20000"
        case .connections: "landfall serve --max-connections 100000"
        case .writes, .reports, .jobs, .stream, .appStore, .forwarding, .exports, .webhooks, .keys, .shared: nil
        }
    }
}
