// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Synchronization

/// Runs the jobs of every task of the process, one at a time and in the order in which they became ready.
///
/// The runtime's hook sends tasks without an executor of their own here. There is one hook in a process: a simulation has
/// its process to itself.
final class VirtualExecutor: TaskExecutor, Sendable {
    private struct Queue: ~Copyable {
        var jobs: [UnownedJob] = []
        var next = 0
    }

    private let queue = Mutex(Queue())

    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

    func enqueue(_ job: UnownedJob) { queue.withLock { $0.jobs.append(job) } }

    /// Runs until nothing is ready.
    func drain() {
        while let job = takeFirst() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func takeFirst() -> UnownedJob? {
        queue.withLock { queue in
            guard queue.next < queue.jobs.count else {
                queue.jobs.removeAll(keepingCapacity: true)
                queue.next = 0
                return nil
            }
            defer { queue.next += 1 }
            return queue.jobs[queue.next]
        }
    }
}

extension VirtualExecutor {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias EnqueueHook = @convention(thin) (UnownedJob, Enqueue) -> Void

    private static let current = Mutex<VirtualExecutor?>(nil)

    /// Takes over every task of the process until ``release()``.
    /// - Returns: false if the runtime has no such hook.
    func takeOver() -> Bool {
        guard let hook = Self.hook else { return false }
        Self.current.withLock { $0 = self }
        hook.pointee = { job, original in
            if let executor = VirtualExecutor.current.withLock({ $0 }) { executor.enqueue(job) } else { original(job) }
        }
        return true
    }

    /// Gives the process's tasks back to the runtime.
    static func release() {
        hook?.pointee = nil
        current.withLock { $0 = nil }
    }

    private static var hook: UnsafeMutablePointer<EnqueueHook?>? {
        dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook")?.assumingMemoryBound(to: EnqueueHook?.self)
    }
}
