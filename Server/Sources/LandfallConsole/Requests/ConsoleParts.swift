// SPDX-License-Identifier: Apache-2.0
import Foundation
package import LandfallServer
import Synchronization

/// What the console keeps in this node's memory.
package struct ConsoleParts: Sendable {
    var passwords = PasswordHasher()
    /// Forms and pages that read, change or compare a whole configuration: on a large one each takes up to seconds.
    package var editing = OwnThreads(1, mostWaiting: 16, .editing, "Other forms are being edited. Try again.")
    package let live = LiveFeed()
    /// Nil if no other node works on the store: then the feed hears of what is stored here.
    package var reading: LiveReading?
    /// The nodes that share the store; nil if no other node works on it, and before the first beat.
    package var nodes: @Sendable () -> NodesHealth? = { nil }
    /// Nil if the store is not streamed to another place.
    package var stream: @Sendable () -> StreamCondition? = { nil }
    package let place = ConsolePlace()
    /// When this node began.
    package var startedAtMs: Int64 = 0

    package init(
        passwords: PasswordHasher = PasswordHasher(),
        editing: OwnThreads = OwnThreads(1, mostWaiting: 16, .editing, "Other forms are being edited. Try again."),
        startedAtMs: Int64 = 0
    ) {
        (self.passwords, self.editing, self.startedAtMs) = (passwords, editing, startedAtMs)
    }

}

/// Where the console is: known once the node listens.
package final class ConsolePlace: Sendable {
    private struct State {
        var address = "http://127.0.0.1:8080"
        var setUpFile: String?
    }

    private let state = Mutex(State())

    /// Scheme, host and port, without a path.
    var address: String { state.withLock(\.address) }

    func opened(at address: String, setUpFile: String?) { state.withLock { $0 = State(address: address, setUpFile: setUpFile) } }

    /// There is an owner: the file with the link is of no more use.
    func isSetUp() {
        guard let file = state.withLock({ $0.setUpFile }) else { return }
        try? FileManager.default.removeItem(atPath: file)
    }
}
