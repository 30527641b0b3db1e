// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Keeps what happened in the app.
protocol EventStore: Sendable {
    /// One result an event, in the order sent; all of them are final and on disk when this returns.
    /// - Throws: ``InstallError/profileMismatch``, `DatabaseError`, `CancellationError`; then the first events of a large
    ///   batch may be stored, and are duplicates when it is sent again.
    func record(
        _ batch: EventBatch, _ app: AppID, _ credential: Credential, nowMs: Int64
    ) async throws -> [EventBatchAnswer.Result]
}
