// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts failures in a row, so that the log can say when they have ended, how many there were, and how long they lasted.
final class Trouble: Sendable {
    struct Past: Hashable {
        let failures: Int
        let milliseconds: Int64

        var seconds: Int64 { (milliseconds + 500) / 1000 }
    }

    private struct State {
        var failures = 0
        var beganMs: Int64 = 0
    }

    /// Read first, because hardly any call finds a failure.
    private let isOn = Atomic(false)
    private let state = Mutex(State())

    /// - Returns: true for the first failure.
    @discardableResult
    func failed(nowMs: Int64) -> Bool {
        isOn.store(true, ordering: .relaxed)
        return state.withLock { state in
            state.failures += 1
            if state.failures == 1 { state.beganMs = nowMs }
            return state.failures == 1
        }
    }

    /// - Returns: what has ended now; nil if nothing had failed.
    func worked(nowMs: Int64) -> Past? {
        guard isOn.load(ordering: .relaxed) else { return nil }
        return state.withLock { state in
            defer { state = State() }
            isOn.store(false, ordering: .relaxed)
            guard state.failures > 0 else { return nil }
            return Past(failures: state.failures, milliseconds: max(nowMs - state.beganMs, 0))
        }
    }
}
