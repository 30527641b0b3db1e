// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire
import Synchronization

/// One held answer. Waits for the first of: a change, its timeout, a newer stream, the server's stop. Not a ``Race``: it waits again and
/// again, and remembers what came between two waits.
final class HeldAnswer: Sendable {
    enum Wake: Sendable {
        /// All holds that this change woke share one look.
        case changed(SharedRead)
        case time, replaced, stopping

        /// True if the hold ends with it.
        fileprivate var isEnd: Bool {
            switch self {
            case .replaced, .stopping: true
            case .changed, .time: false
            }
        }
    }

    private struct State {
        /// Signals that came outside a wait: the newest change, or the first end, which takes precedence over every change.
        var missed: Wake?
        /// The timeout fired before the wait began.
        var isTimeUp = false
        var waiting: CheckedContinuation<Wake, Never>?
    }

    let kind: HeldAnswers.Kind
    let key: HeldAnswers.Key
    /// The network whose limit this hold counts against; nil for none.
    let network: ClientNetwork?
    /// The placements in the answer: a configuration change that concerns none of them does not wake this hold.
    let placements: [PlacementID]
    private let state = Mutex(State())

    init(kind: HeldAnswers.Kind, key: HeldAnswers.Key, network: ClientNetwork? = nil, placements: [PlacementID] = []) {
        self.kind = kind
        self.key = key
        self.network = network
        self.placements = placements
    }

    func wake(_ wake: Wake) {
        let waiting = state.withLock { state -> CheckedContinuation<Wake, Never>? in
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            if case .time = wake {
                state.isTimeUp = true
                return nil
            }
            if state.missed?.isEnd != true { state.missed = wake }
            return nil
        }
        waiting?.resume(returning: wake)
    }

    /// Waits at most `duration`. One waiter at a time. A cancelled task gets `.time` at once. May return `.time` too early if
    /// the timer of an earlier wait was late, so the caller must check the clock.
    func wait(for duration: Duration, time: ServerTime) async -> Wake {
        state.withLock { $0.isTimeUp = false }
        let timer = Task { [self] in
            try? await time.sleep(duration)
            if !Task.isCancelled { wake(.time) }
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let missed = state.withLock { state -> Wake? in
                    if let missed = state.missed {
                        state.missed = nil
                        return missed
                    }
                    if Task.isCancelled || state.isTimeUp { return .time }
                    state.waiting = continuation
                    return nil
                }
                if let missed { continuation.resume(returning: missed) }
            }
        } onCancel: {
            wake(.time)
        }
    }
}

/// A hold together with its place among the node's holds. The place is given back when the answer is written, and also when it
/// is never written: a client that disconnects before the first byte must not keep a place for ever.
final class HeldPlace: Sendable {
    let hold: HeldAnswer
    private let holds: HeldAnswers

    /// Nil if the node or the address holds its maximum, or the node is stopping.
    init?(
        _ kind: HeldAnswers.Kind, _ app: AppID, _ install: InstallID, at address: ClientAddress? = nil,
        about placements: [PlacementID] = [], in holds: HeldAnswers
    ) {
        guard let hold = holds.take(kind, app: app, install: install, at: address, about: placements) else { return nil }
        self.hold = hold
        self.holds = holds
    }

    deinit { release() }

    /// See ``HeldAnswers/admit(_:)``.
    func admit() -> Bool { holds.admit(hold) }

    func release() { holds.release(hold) }
}
