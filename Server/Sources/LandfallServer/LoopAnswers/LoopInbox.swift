// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization

/// Connections of one loop whose answers may leave now. Clicks come to the disk in groups, and a group wakes the loop once: a
/// task for each was a lock, an allocation and often a system call.
final class LoopInbox: Sendable {
    private let loop: any EventLoop
    private let due = Mutex<[NIOLoopBound<LoopConnection>]>([])

    init(_ loop: any EventLoop) { self.loop = loop }

    /// From any thread.
    func add(_ connection: NIOLoopBound<LoopConnection>) {
        let isFirst = due.withLock { due in
            due.append(connection)
            return due.count == 1
        }
        if isFirst { loop.execute { self.answerAll() } }
    }

    private func answerAll() {
        let all = due.withLock { due in
            defer { due = [] }
            return due
        }
        for connection in all { connection.value.answer() }
    }
}
