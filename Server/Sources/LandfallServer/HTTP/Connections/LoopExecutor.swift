// SPDX-License-Identifier: Apache-2.0
import Dispatch
import NIOCore
import Synchronization

/// Runs a connection's tasks on the thread of its event loop. Otherwise a request wakes a thread of the pool when it arrives, and the loop's
/// thread when it is answered; while a node has little to do both sleep, and each wake takes longer than the request's own work.
///
/// The loop has to stay free for its other connections: only short work may run here (``BriefRequests``), and jobs above ``mostJobs`` run
/// on the pool. Under load nobody sleeps there.
final class LoopExecutor: TaskExecutor {
    /// The most jobs that wait for the loop at once.
    static let mostJobs = 32

    /// The executor of the connection whose request this task answers; nil if the request runs on the pool. Tasks that it starts and that
    /// belong to it get it from here, because only child tasks inherit it.
    @TaskLocal static var current: LoopExecutor?

    private let loop: any EventLoop
    private let waiting = Atomic(0)

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.mostJobs else {
            waiting.subtract(1, ordering: .relaxed)
            return DispatchQueue.global().async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
        loop.execute { [self] in
            waiting.subtract(1, ordering: .relaxed)
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// The executors of the loops of one server.
final class LoopExecutors: Sendable {
    private let loops = Mutex<[ObjectIdentifier: LoopExecutor]>([:])

    func executor(of loop: any EventLoop) -> LoopExecutor {
        loops.withLock { loops in
            if let executor = loops[ObjectIdentifier(loop)] { return executor }
            let executor = LoopExecutor(loop)
            loops[ObjectIdentifier(loop)] = executor
            return executor
        }
    }
}
