// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Logging
import Synchronization

/// Stores the reports of opening apps and never makes a phone wait for the store: a first open is answered from what is known.
/// A write that the store completes later is not lost.
package final class FirstOpenWriter: Sendable {
    /// A phone is answered within 250 ms; the other 50 ms are for reading the stored install.
    package static let patience = Duration.milliseconds(200)
    /// The most openings that may still be writing after their phones were answered. Above it an opening is not written at all,
    /// so that a store that hangs does not fill the memory.
    private let mostLate: Int
    private let late = Mutex(0)
    /// Nil waits without limit: for tests whose clock stands still.
    private let patience: SharedTimeout?
    private let onFull: @Sendable (Limit) -> Void

    package init(
        patience: Duration? = FirstOpenWriter.patience, mostLate: Int = 4_096,
        onFull: @escaping @Sendable (Limit) -> Void = { _ in }
    ) {
        self.patience = patience.map { SharedTimeout($0) }
        self.mostLate = mostLate
        self.onFull = onFull
    }

    /// - Parameters:
    ///   - work: stores an opening; continues after the wait has ended.
    ///   - afterwards: called if `work` completes after the wait has ended.
    /// - Returns: nil if the opening is not stored within the time limit.
    /// - Throws: what `work` throws within the time limit.
    package func outcome<Value: Sendable>(
        of work: @escaping @Sendable () async throws -> Value, time: ServerTime,
        afterwards: @escaping @Sendable () -> Void
    ) async throws -> Value? {
        guard let patience else { return try await work() }
        guard late.withLock({ [mostLate] in $0 < mostLate }) else {
            onFull(.lateOpenings)
            return nil
        }
        let race = Race<Result<Value, any Error>?>()
        Task {
            let result = await Result { try await work() }
            guard !race.end(with: result) else { return }
            late.withLock { $0 -= 1 }
            if case .success = result { afterwards() }
        }
        let place = patience.wait(by: time) { [self] in
            late.withLock { $0 += 1 }
            if !race.end(with: nil) { late.withLock { $0 -= 1 } }
        }
        defer { patience.leave(place) }
        return try await race.winner()?.get()
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
