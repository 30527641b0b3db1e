// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallStore
import LandfallWire

/// A kind of background work, such as `retention`.
package struct JobKind: Hashable, Sendable, RawRepresentable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// What a job is about. There is at most one job of a kind and key at a time: a second request for it changes nothing.
package struct JobName: Hashable, Sendable {
    package let app: AppID
    package let kind: JobKind
    package let key: String

    package init(app: AppID, kind: JobKind, key: String) {
        (self.app, self.kind, self.key) = (app, kind, key)
    }
}

/// The right to work on a job.
struct JobLease: Hashable, Sendable {
    let untilMs: Int64
    /// Whose it is, if nodes share the store.
    let node: NodeName?
}

/// A job that this node may work on until its lease ends.
package struct Job: Hashable, Sendable {
    package let name: JobName
    /// The install that the job is about; the job is deleted with it. Nil for a job that is about no install.
    let install: InstallID?
    /// Data for the job's kind; opaque to the queue.
    let payload: String
    /// Tries since the last success, including this one.
    let attempts: Int64
    let createdAtMs: Int64
    /// Distinguishes this lease from a later one of the same job: a holder whose lease has ended changes nothing.
    let leaseUntilMs: Int64
}

/// What happens to a job after a try.
package enum JobStep: Hashable, Sendable {
    /// Nothing is left to do; the row is deleted.
    case done
    /// There is more to do, but not before this instant (Unix milliseconds).
    case again(atMs: Int64)
    /// The try failed: the count of tries continues, and fresh jobs go first.
    case retry(atMs: Int64)
    /// The work has already moved or deleted the row in its own transaction, with ``Job/deletion`` or
    /// ``Job/putBack(untilMs:isRetry:payload:)``. False if it is tried again.
    case moved(isDone: Bool)
}

extension Job {
    private static let longestPauseMs: Int64 = 900_000

    /// The pause after a failed try: 1, 2, 4 … 900 s, each up to a fifth shorter or longer. The key determines the difference,
    /// so that jobs that failed together do not retry together, and a test needs no randomness.
    var pauseMs: Int64 {
        let pause = min(Self.longestPauseMs, 1_000 << min(max(0, attempts - 1), 20))
        let dice = name.key.utf8.reduce(attempts) { ($0 &* 31 &+ Int64($1)) & 0xFFFF }
        return pause + pause * (dice % 401 - 200) / 1_000
    }
}
