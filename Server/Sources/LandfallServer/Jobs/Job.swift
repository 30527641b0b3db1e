// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A kind of work that nobody waits for, such as `retention`.
struct JobKind: Hashable, Sendable, RawRepresentable {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
}

/// What a job is about. There is one job of a kind and key at a time: asked for again, it is the same.
struct JobName: Hashable, Sendable {
    let app: AppID
    let kind: JobKind
    let key: String
}

/// A job that this node may work on until its lease ends.
struct Job: Hashable, Sendable {
    let name: JobName
    /// The install that it is about, and with which it goes. Nil for work that is about none.
    let install: InstallID?
    /// What its kind wants to know besides; opaque to the queue.
    let payload: String
    /// Tries since the last one that succeeded, this one included.
    let attempts: Int64
    let createdAtMs: Int64
    /// Tells this lease from a later one of the same job: whoever is late changes nothing.
    let leaseUntilMs: Int64
}

/// What becomes of a job after a try.
enum JobStep: Hashable, Sendable {
    /// There is nothing left to do; the row goes.
    case done
    /// More is to do, not before this instant (Unix milliseconds).
    case again(atMs: Int64)
    /// The try led to nothing: the tries go on being counted, and jobs that are fresh go first.
    case retry(atMs: Int64)
    /// The work has moved the row itself, with ``Job/deletion`` or ``Job/putBack(untilMs:isRetry:payload:)``, in the same unit as what it did.
    case moved
}

extension Job {
    private static let longestPauseMs: Int64 = 900_000

    /// After a try that led to nothing: 1, 2, 4 … 900 s, each up to a fifth shorter or longer. The key spreads them, so that
    /// not all that failed together tries together, and a test needs no dice.
    var pauseMs: Int64 {
        let pause = min(Self.longestPauseMs, 1_000 << min(max(0, attempts - 1), 20))
        let dice = name.key.utf8.reduce(attempts) { ($0 &* 31 &+ Int64($1)) & 0xFFFF }
        return pause + pause * (dice % 401 - 200) / 1_000
    }
}
