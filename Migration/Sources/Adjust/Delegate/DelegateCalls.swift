// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// Calls the delegate on the main thread, in order, and never twice with the same value.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`. The delegate itself is called on the main thread alone.
final class DelegateCalls: @unchecked Sendable {
    private struct State {
        weak var delegate: (any AdjustDelegate)?
        var latest: ADJAttribution?
        /// The last values that this delegate got.
        var told: ADJAttribution?
        /// Of this launch; nil before it is known, and once a delegate was told.
        var session: ADJSessionSuccess?
        var hasSession = false
        var delegateArrivals: AsyncStream<Void>.Continuation?
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
            if newValue != nil { arrivals?.yield() }
            // One hop to the main thread, also from the main thread: a delegate may set itself from its own initialiser.
            Task { await tell() }
        }
    }

    var attribution: ADJAttribution? { lock.withLock { state.latest } }

    /// Returns when such a delegate is set, or the task is cancelled. One task waits at a time.
    func waitForDelegate(_ isMeant: @MainActor @Sendable (any AdjustDelegate) -> Bool) async {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        lock.withLock { state.delegateArrivals = arrival }
        arrival.yield()
        for await _ in arrivals where await isThere(isMeant) { return }
    }

    @MainActor
    private func isThere(_ isMeant: @MainActor (any AdjustDelegate) -> Bool) -> Bool { delegate.map(isMeant) ?? false }

    /// Runs until the profiles end or the task is cancelled.
    func follow(_ profiles: AsyncStream<Profile>) async {
        for await profile in profiles {
            lock.withLock {
                if !state.hasSession { state.session = ADJSessionSuccess(profile) }
                state.hasSession = true
                if let attribution = ADJAttribution(profile) { state.latest = attribution }
            }
            await tell()
        }
    }

    /// Reads the values on the main thread, so that an outdated one is never delivered late.
    @MainActor
    private func tell() {
        let due: (delegate: any AdjustDelegate, session: ADJSessionSuccess?, attribution: ADJAttribution?)? = lock.withLock {
            guard let delegate = state.delegate else { return nil }
            defer {
                state.session = nil
                state.told = state.latest
            }
            return (delegate, state.session, state.latest != state.told ? state.latest : nil)
        }
        if let session = due?.session { due?.delegate.hear(session) }
        if let attribution = due?.attribution { due?.delegate.hear(attribution) }
    }
}
