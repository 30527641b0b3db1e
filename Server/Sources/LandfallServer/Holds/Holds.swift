// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization

/// Every answer that is being held, and what wakes it. One node's memory: nothing here survives a restart, nothing needs to.
///
/// A hold is taken *before* the row is read, so that a change between the read and the wait is not missed.
final class Holds: Sendable {
    /// What is held: one first-open stream a profile (a newer one ends the older), any number of plain waits.
    enum Kind { case stream, plain }

    private struct State {
        var holds: [Key: [Hold]] = [:]
        var count = 0
        var isStopping = false
    }

    struct Key: Hashable, Sendable {
        let app: AppID
        let install: InstallID
    }

    private let state = Mutex(State())
    let limit: Int

    /// - Parameter limit: how many answers one node holds; above it an answer is given at once and not held.
    init(limit: Int = 10_000) { self.limit = limit }

    /// Takes a hold, or nil where the node holds as many as it may or is stopping.
    func take(_ kind: Kind, app: AppID, install: InstallID) -> Hold? {
        let key = Key(app: app, install: install)
        return state.withLock { state in
            guard state.count < limit, !state.isStopping else { return nil }
            let hold = Hold(kind: kind, key: key)
            state.holds[key, default: []].append(hold)
            state.count += 1
            return hold
        }
    }

    /// Ends the streams of this install that were there before. Only once the caller has proved who it is: an install id
    /// alone ends nobody's stream.
    func endOlder(than hold: Hold) {
        let older = state.withLock { ($0.holds[hold.key] ?? []).prefix { $0 !== hold }.filter { $0.kind == .stream } }
        for older in older { older.wake(.replaced) }
    }

    /// Gives the place back; again does nothing.
    func release(_ hold: Hold) {
        state.withLock { state in
            guard var holds = state.holds[hold.key], let index = holds.firstIndex(where: { $0 === hold }) else { return }
            holds.remove(at: index)
            state.holds[hold.key] = holds.isEmpty ? nil : holds
            state.count -= 1
        }
    }

    /// Something about this install changed; everything held for it looks again.
    /// - Parameter isToken: the change is the answer to an announced token; nobody need wait for it any more.
    func changed(app: AppID, install: InstallID, isToken: Bool = false) {
        let holds = state.withLock { $0.holds[Key(app: app, install: install)] ?? [] }
        for hold in holds {
            if isToken { hold.tokenReported() }
            hold.wake(.changed)
        }
    }

    /// A stream of this install waits for a token that its phone announced: whoever asks beside it waits for the same.
    func isTokenComing(app: AppID, install: InstallID) -> Bool {
        state.withLock { $0.holds[Key(app: app, install: install)] ?? [] }.contains(where: \.isTokenComing)
    }

    /// The server is stopping: every held answer is given now, and none is held any more.
    func stop() {
        let holds = state.withLock { state in
            state.isStopping = true
            return state.holds.values.flatMap { $0 }
        }
        for hold in holds { hold.wake(.stopping) }
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }
    var count: Int { state.withLock { $0.count } }
}
