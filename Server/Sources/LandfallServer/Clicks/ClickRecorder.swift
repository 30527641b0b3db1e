// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import Synchronization

/// Stores the clicks of all visitors who wait at the time in one unit. The unit takes them when its turn has come, so that one
/// commit more is all that a click ever waits for.
final class ClickRecorder: Sendable {
    typealias Answer = @Sendable (Result<Void, any Error>) -> Void

    /// Bounds how long the first click of a unit waits for the last.
    static let most = 512

    private struct Waiting: Sendable {
        let entry: ClickEntry
        let answer: Answer
    }

    private struct State {
        var waiting: [Waiting] = []
        /// A unit is on its way to take them.
        var isCalled = false
    }

    private let store: any ClickStore
    private let app: AppID
    private let state = Mutex(State())

    init(_ store: any ClickStore, of app: AppID) {
        self.store = store
        self.app = app
    }

    /// - Parameter answer: called once, on any thread, when the click is on disk with what was handed out for it, or with what
    ///   kept it from there. It returns at once.
    func record(_ entry: ClickEntry, _ answer: @escaping Answer) {
        let isFirst = state.withLock { state in
            state.waiting.append(Waiting(entry: entry, answer: answer))
            defer { state.isCalled = true }
            return !state.isCalled
        }
        if isFirst { callUnit() }
    }

    /// Returns when it is on disk. A caller that is cancelled meanwhile is still told how it ended.
    func record(_ entry: ClickEntry) async throws {
        try await withCheckedThrowingContinuation { continuation in
            record(entry) { continuation.resume(with: $0) }
        }
    }

    private func callUnit() {
        let group = Group()
        store.record(
            { group.clicks(self.take).map(\.entry) }, of: app,
            then: { self.answer(group.clicks(self.take), $0) }
        )
    }

    private func take() -> [Waiting] {
        let (taken, isMore) = state.withLock { state in
            let taken = Array(state.waiting.prefix(Self.most))
            state.waiting.removeFirst(taken.count)
            state.isCalled = !state.waiting.isEmpty
            return (taken, state.isCalled)
        }
        if isMore { callUnit() }
        return taken
    }

    private func answer(_ clicks: [Waiting], _ result: Result<Void, any Error>) {
        switch result {
        case .success, .failure(DatabaseError.retry), .failure(DatabaseError.diskLow), .failure(DatabaseError.closed):
            for click in clicks { click.answer(result) }
        // One click that cannot be stored keeps no other from it.
        case .failure where clicks.count > 1:
            for click in clicks { store.record({ [click.entry] }, of: app, then: click.answer) }
        case .failure:
            for click in clicks { click.answer(result) }
        }
    }

    /// The clicks of one unit, from when its turn comes.
    private final class Group: Sendable {
        private let taken = Mutex<[Waiting]?>(nil)

        /// The first call takes them, later ones get the same: a unit that was refused before its turn answers those who wait.
        func clicks(_ take: () -> [Waiting]) -> [Waiting] {
            if let taken = taken.withLock({ $0 }) { return taken }
            let clicks = take()
            taken.withLock { $0 = clicks }
            return clicks
        }
    }
}
