// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire
import Logging
import Synchronization

/// What a first open is answered from.
struct OpenedInstall: Sendable {
    enum Standing: Hashable, Sendable {
        /// On disk.
        case stored
        /// The store did not take what the phone said, or not in time. What it has of the install was read.
        case unstored
        /// Nor could it be read: what the phone said is all there is, and nobody has proved who it is.
        case unread
    }

    let install: Install
    /// Nil where the open did not ask, or nothing could be taken for it.
    var deferred: DeferredLinkAnswer?
    let standing: Standing
}

/// Stores what phones say when their app opens, and never keeps a phone waiting for it: a first open is answered from what is
/// known, whatever the store does. What the store takes later is not lost.
final class FirstOpenStoring: Sendable {
    /// A phone is answered within 250 ms; some of that is for reading what is there.
    static let patience = Duration.milliseconds(200)
    /// Openings that the store has not answered in time and may still take. Above it they are not even tried, so that a store
    /// that hangs does not fill the memory.
    private let mostLate: Int
    private let late = Mutex(0)
    /// Nil waits for as long as it takes: for tests whose clock stands still.
    private let patience: SharedPatience?
    private let onFull: @Sendable (Bound) -> Void

    init(
        patience: Duration? = FirstOpenStoring.patience, mostLate: Int = 4_096,
        onFull: @escaping @Sendable (Bound) -> Void = { _ in }
    ) {
        self.patience = patience.map { SharedPatience($0) }
        self.mostLate = mostLate
        self.onFull = onFull
    }

    /// - Parameters:
    ///   - work: stores an opening; goes on if nobody waits for it any more.
    ///   - afterwards: called where it has stored it later.
    /// - Returns: nil where it has not been stored by now.
    /// - Throws: what `work` throws, in time.
    func outcome<Value: Sendable>(
        of work: @escaping @Sendable () async throws -> Value, time: ServerTime,
        afterwards: @escaping @Sendable () -> Void
    ) async throws -> Value? {
        guard let patience else { return try await work() }
        guard late.withLock({ [mostLate] in $0 < mostLate }) else {
            onFull(.lateOpenings)
            return nil
        }
        let race = Race<Value>()
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

/// The first of two to end.
private final class Race<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, any Error>?
    private enum State: Sendable {
        case open
        case waiting(CheckedContinuation<Outcome, Never>)
        case ended(Outcome)
    }

    private let state = Mutex(State.open)

    /// - Returns: false where the other was first.
    func end(with outcome: Outcome) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
            switch state {
            case .ended: return (false, nil)
            case .open:
                state = .ended(outcome)
                return (true, nil)
            case .waiting(let continuation):
                state = .ended(outcome)
                return (true, continuation)
            }
        }
        waiting?.resume(returning: outcome)
        return isFirst
    }

    func winner() async -> Outcome {
        await withCheckedContinuation { continuation in
            let (isOver, outcome) = state.withLock { state -> (Bool, Outcome) in
                if case .ended(let outcome) = state { return (true, outcome) }
                state = .waiting(continuation)
                return (false, nil)
            }
            if isOver { continuation.resume(returning: outcome) }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
