// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// Calls the delegate on the main thread, in order, and never twice with the same value.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
final class DelegateCalls: @unchecked Sendable {
    private struct State {
        weak var delegate: (any AdjustDelegate)?
        var latest: ADJAttribution?
        /// What this delegate has last been told.
        var told: ADJAttribution?
        var delegateArrivals: AsyncStream<any AdjustDelegate>.Continuation?
    }

    private let lock = NSLock()
    private var state = State()

    var delegate: (any AdjustDelegate)? {
        get { lock.withLock { state.delegate } }
        set {
            let arrivals = lock.withLock {
                state.delegate = newValue
                state.told = nil
                return state.delegateArrivals
            }
            if let newValue { arrivals?.yield(newValue) }
            // One hop to the main thread, also from the main thread: a delegate may set itself from its own initialiser.
            Task { await tell() }
        }
    }

    var attribution: ADJAttribution? { lock.withLock { state.latest } }

    /// Returns when such a delegate is set, or the task is cancelled. One task waits at a time.
    func waitForDelegate(_ isMeant: @MainActor (any AdjustDelegate) -> Bool) async {
        let (arrivals, arrival) = AsyncStream.makeStream(of: (any AdjustDelegate).self)
        let delegate = lock.withLock {
            state.delegateArrivals = arrival
            return state.delegate
        }
        if let delegate { arrival.yield(delegate) }
        for await delegate in arrivals where await isMeant(delegate) { return }
    }

    /// Runs until the profiles end or the task is cancelled.
    func follow(_ profiles: AsyncStream<Profile>) async {
        for await profile in profiles {
            guard let attribution = ADJAttribution(profile) else { continue }
            lock.withLock { state.latest = attribution }
            await tell()
        }
    }

    /// Reads the attribution on the main thread, so that an outdated one is never delivered late.
    @MainActor
    private func tell() {
        let due: (delegate: any AdjustDelegate, attribution: ADJAttribution)? = lock.withLock {
            guard let delegate = state.delegate, let latest = state.latest, latest != state.told else { return nil }
            state.told = latest
            return (delegate, latest)
        }
        if let due { due.delegate.hear(due.attribution) }
    }
}
