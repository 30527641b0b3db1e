// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization

/// Connections of one loop whose answers may leave now. Clicks come to the disk in groups, and a group wakes the loop once: a
/// task for each was a lock, an allocation and often a system call.
final class LoopInbox: Sendable {
    private struct State {
        var due: [NIOLoopBound<LoopConnection>] = []
        /// The loop is on its way, or looks once more before it goes.
        var isComing = false
    }

    private let loop: any EventLoop
    private let state = Mutex(State())

    init(_ loop: any EventLoop) { self.loop = loop }

    /// From any thread.
    func add(_ connection: NIOLoopBound<LoopConnection>) {
        let mustCome = state.withLock { state in
            state.due.append(connection)
            defer { state.isComing = true }
            return !state.isComing
        }
        if mustCome { loop.execute { self.answerAll() } }
    }

    /// What is added while it answers, it answers too: the writer says of a group one by one that it is on disk, and the first
    /// word wakes the loop. It ends, because a connection is added once for each request that the loop has read.
    private func answerAll() {
        var all: [NIOLoopBound<LoopConnection>] = []
        while true {
            // What was emptied takes the place of what is full, so that its memory is used again.
            state.withLock { state in
                swap(&state.due, &all)
                state.isComing = !all.isEmpty
            }
            if all.isEmpty { return }
            for connection in all { connection.value.answer() }
            all.removeAll(keepingCapacity: true)
        }
    }
}
