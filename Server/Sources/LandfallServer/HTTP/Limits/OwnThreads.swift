// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Threads for work that takes long, such as hashing passwords and editing large files: the threads that serve phones never do it.
package final class OwnThreads: TaskExecutor {
    private let limit: Limit
    private let sentence: String
    private let threads = OperationQueue()
    private let calls: AsyncSemaphore

    /// - Parameters:
    ///   - mostWaiting: the most calls that wait or work; further ones are told to try again.
    ///   - sentence: the error for calls that are refused.
    package init(_ count: Int, mostWaiting: Int, _ limit: Limit, _ sentence: String) {
        calls = AsyncSemaphore(permits: mostWaiting)
        self.limit = limit
        self.sentence = sentence
        threads.maxConcurrentOperationCount = count
        threads.qualityOfService = .utility
    }

    /// Does the work on these threads, also the parts of it after an `await`.
    /// - Throws: ``LimitReached`` if too many wait; what the work throws.
    package func run<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        let value = try await calls.withPermitIfFree { try await withTaskExecutorPreference(self, operation: work) }
        guard let value else { throw LimitReached.busy(limit, sentence, retryAfter: 2) }
        return value
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.addOperation { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
