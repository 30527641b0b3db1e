// SPDX-License-Identifier: Apache-2.0

/// Runs work that ends by cancellation, and cancels it after a limit.
/// - Returns: nil if there is no value within the limit. The work has ended then, too.
/// - Throws: what the work throws within the limit; `CancellationError` if the caller is cancelled.
package func withTimeout<Value: Sendable>(
    _ limit: Duration, by time: ServerTime, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await time.sleep(limit)
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}

/// Runs work that cancellation may not end, because a disk hangs or a resolver is silent. After a limit the work is left alone; it ends
/// with the process.
/// - Returns: nil after the limit, and if the caller is cancelled.
package func abandoning<Value: Sendable>(
    after limit: Duration, by time: ServerTime, _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    let race = Race<Value?>()
    Task { race.end(with: await work()) }
    let timer = Task {
        guard (try? await time.sleep(limit)) != nil else { return }
        race.end(with: nil)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler { await race.winner() } onCancel: { race.end(with: nil) }
}
