// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire
import Synchronization

/// The configuration that this node serves. A request takes it once, at its beginning, and a version that is published meanwhile
/// does not change it. A held answer is checked again if a new version concerns it.
package final class LiveConfiguration: Sendable {
    private struct State {
        var snapshot: Snapshot
        var newest: Int64
        var fileRefusal: String?
    }

    private let state: Mutex<State>
    /// Whether installs are read with what they have in experiments.
    package let assignments: AssignmentNeed
    /// What endpoints want to know.
    package let webhooks: WebhookNeed

    /// - Parameter newest: the number of the store's newest version, where this node cannot serve that one.
    package init(_ snapshot: Snapshot, newest: Int64? = nil) {
        state = Mutex(State(snapshot: snapshot, newest: max(newest ?? 0, snapshot.revision)))
        assignments = AssignmentNeed(snapshot.storesAssignments)
        webhooks = WebhookNeed(snapshot.configuration.webhooks)
    }

    package var snapshot: Snapshot { state.withLock { $0.snapshot } }

    /// The number of the newest version that this node knows of. Above the snapshot's, the node cannot build it.
    package var newest: Int64 { state.withLock { $0.newest } }

    /// A version that cannot be served here.
    package func isBehind(_ number: Int64) { state.withLock { $0.newest = max($0.newest, number) } }

    /// Why the node's own file could not be served when it was last read; nil if it could, or if there is no file.
    package var fileRefusal: String? { state.withLock { $0.fileRefusal } }

    package func fileIsRead(refusal: (any Error)? = nil) {
        state.withLock { $0.fileRefusal = refusal.map { "\($0)".cut(toBytes: 1_000) } }
    }

    /// Answers the next request with this snapshot.
    /// - Returns: the snapshot that was served before; nil if that one is as new or newer.
    func serve(_ snapshot: Snapshot) -> Snapshot? {
        state.withLock { state in
            let before = state.snapshot
            guard snapshot.revision > before.revision else { return nil }
            assignments.follow(snapshot)
            webhooks.follow(snapshot.configuration.webhooks)
            snapshot.keyMarks.take(from: before.keyMarks)
            state.snapshot = snapshot
            state.newest = max(state.newest, snapshot.revision)
            return before
        }
    }
}
