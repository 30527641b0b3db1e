// SPDX-License-Identifier: Apache-2.0
@testable import LandfallServer

/// A call that works until the test lets it end.
struct HeldPermit: Sendable {
    private let end: AsyncStream<Void>.Continuation
    private let task: Task<Void, any Error>

    /// Returns once the call has its permit.
    static func begun(_ semaphore: AsyncSemaphore) async throws -> HeldPermit {
        let (begun, hasBegun) = AsyncStream<Void>.makeStream(), (ended, end) = AsyncStream<Void>.makeStream()
        let task = Task {
            let isDone: Void? = try await semaphore.withPermitIfFree {
                hasBegun.yield()
                for await _ in ended { break }
            }
            hasBegun.finish()
            if isDone == nil { throw NoPermit() }
        }
        guard await begun.first(where: { _ in true }) != nil else { throw NoPermit() }
        return HeldPermit(end: end, task: task)
    }

    func finish() async throws {
        end.yield()
        try await task.value
    }

    private struct NoPermit: Error {}
}
