// SPDX-License-Identifier: Apache-2.0
package import LandfallStore
import Synchronization

/// How many jobs of each kind this node works on.
///
/// A job may take its place before it is stored: then the transaction that adds its row also leases it to this node, and the
/// work begins after that one commit. Without a free place, and before the runner works, the row is stored as due.
package final class JobSlots: Sendable {
    /// Wakes the runner.
    package let signals: JobSignals
    /// This node, if nodes share the store.
    private let node: NodeName?

    private struct Limit {
        let concurrency: Int
        let leaseMs: Int64
    }

    private struct State {
        /// Empty before the runner works and after it has stopped.
        var bounds: [JobKind: Limit] = [:]
        var used: [JobKind: Int] = [:]
        /// Jobs that are stored as taken, and that the runner has not begun yet.
        var stored: [Job] = []
        /// Jobs that this node looks after, see ``JobTakeover``. True: doubted once more since its look began.
        var doubts: [JobName: Bool] = [:]
        /// Those of them that the runner has not begun with yet.
        var newDoubts: [JobName] = []
    }

    private let state = Mutex(State())

    package init(_ signals: JobSignals = JobSignals(), of node: NodeName? = nil) { (self.signals, self.node) = (signals, node) }

    // MARK: - For the transaction that adds a job

    /// Takes a place for a job that is about to be stored. Call ``begin(_:)`` or ``giveBack(_:_:)`` afterwards.
    /// - Returns: its lease; nil: store the job as due.
    func reserve(_ kind: JobKind, nowMs: Int64) -> JobLease? {
        state.withLock { state in
            guard let bound = state.bounds[kind], state.used[kind, default: 0] < bound.concurrency else { return nil }
            state.used[kind, default: 0] += 1
            return JobLease(untilMs: nowMs + bound.leaseMs, node: node)
        }
    }

    /// The job is on disk, leased to this node. If the node stops now, the lease ends by itself or with the next start.
    func begin(_ job: Job) {
        state.withLock { $0.stored.append(job) }
        signals.send()
    }

    /// The job was not stored, or not as taken.
    func giveBack(_ kind: JobKind, _ count: Int = 1) {
        state.withLock { $0.used[kind, default: count] -= count }
        signals.send()
    }

    // MARK: - For a call that waits for a job

    /// A phone waits for this job, which another node may have and may have died with.
    func doubt(_ name: JobName) {
        let isNew = state.withLock { state in
            guard node != nil, let bound = state.bounds[name.kind] else { return false }
            if state.doubts[name] != nil {
                state.doubts[name] = true
                return false
            }
            guard state.doubts.count < bound.concurrency else { return false }
            state.doubts[name] = false
            state.newDoubts.append(name)
            return true
        }
        if isNew { signals.send() }
    }

    // MARK: - For the runner

    /// The jobs that were doubted since the last call. Call ``isDoubtedAgain(_:)`` after the look.
    func takeDoubts() -> [JobName] {
        state.withLock { state in
            defer { state.newDoubts = [] }
            return state.newDoubts
        }
    }

    /// - Returns: true: look again; false: the job is no longer doubted.
    func isDoubtedAgain(_ name: JobName) -> Bool {
        state.withLock { state in
            let again = state.doubts[name] == true
            state.doubts[name] = again ? false : nil
            return again
        }
    }

    func open(_ works: [JobWork]) {
        state.withLock { state in
            for work in works { state.bounds[work.kind] = Limit(concurrency: work.concurrency, leaseMs: work.leaseMs) }
        }
    }

    func close() { state.withLock { $0.bounds = [:] } }

    func isOpen(_ kind: JobKind) -> Bool { state.withLock { $0.bounds[kind] != nil } }

    func isFree(_ work: JobWork) -> Bool { state.withLock { $0.used[work.kind, default: 0] < work.concurrency } }

    /// Takes every free place.
    /// - Returns: how many.
    func reserveAll(_ work: JobWork) -> Int {
        state.withLock { state in
            let free = max(0, work.concurrency - state.used[work.kind, default: 0])
            state.used[work.kind, default: 0] += free
            return free
        }
    }

    /// Frees places without a signal: the caller looks into the queue anyway.
    func free(_ kind: JobKind, _ count: Int) { state.withLock { $0.used[kind, default: count] -= count } }

    /// The jobs whose rows were stored as taken since the last call; each has its place.
    func takeStored() -> [Job] {
        state.withLock { state in
            defer { state.stored = [] }
            return state.stored
        }
    }
}
