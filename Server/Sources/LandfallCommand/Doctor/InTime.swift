// SPDX-License-Identifier: Apache-2.0

/// Runs work that may never end, because a disk hangs or a resolver is silent. After the limit nobody waits for it; it ends with the
/// process.
enum InTime {
    /// - Returns: nil after the limit.
    static func value<Value: Sendable>(within limit: Duration, _ work: @escaping @Sendable () async -> Value) async -> Value? {
        let (answers, answer) = AsyncStream.makeStream(of: Value?.self)
        Task {
            answer.yield(await work())
            answer.finish()
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            answer.yield(nil)
            answer.finish()
        }
        defer { timer.cancel() }
        for await value in answers { return value }
        return nil
    }
}
