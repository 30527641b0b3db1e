// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization

/// The connections of one loop whose answers can be sent now. Clicks are committed in groups, and a group wakes the loop once:
/// a task for each click cost a lock, an allocation and often a system call.
final class FastPathInbox: Sendable {
    private struct State {
        var due: [(connection: NIOLoopBound<FastPathConnection>, number: Int)] = []
        /// The loop has been woken, or will look again before it stops.
        var isComing = false
    }

    private let loop: any EventLoop
    private let state = Mutex(State())

    init(_ loop: any EventLoop) { self.loop = loop }

    /// Call it from any thread.
    /// - Parameter number: of the connection's answer.
    func add(_ connection: NIOLoopBound<FastPathConnection>, _ number: Int) {
        let mustCome = state.withLock { state in
            state.due.append((connection, number))
            defer { state.isComing = true }
            return !state.isComing
        }
        if mustCome { loop.execute { self.answerAll() } }
    }

    /// Also answers connections that are added meanwhile: the writer reports the clicks of a group one by one, and the first
    /// report wakes the loop. The loop ends, because a connection is added once for each request that was read.
    private func answerAll() {
        var all: [(connection: NIOLoopBound<FastPathConnection>, number: Int)] = []
        while true {
            // The emptied array takes the place of the full one, so that its memory is used again.
            state.withLock { state in
                swap(&state.due, &all)
                state.isComing = !all.isEmpty
            }
            if all.isEmpty { return }
            for one in all { one.connection.value.answer(one.number) }
            all.removeAll(keepingCapacity: true)
        }
    }
}
