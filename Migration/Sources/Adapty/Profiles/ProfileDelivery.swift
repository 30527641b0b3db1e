// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// Delivers each profile to the delegate, on one queue, in order, and only once.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
final class ProfileDelivery: @unchecked Sendable {
    private struct State {
        var delegate: (any AdaptyDelegate)?
        var latest: AdaptyProfile?
        /// The last profile that this delegate got.
        var delivered: AdaptyProfile?
    }

    private let lock = NSLock()
    private var state = State()

    var delegate: (any AdaptyDelegate)? { lock.withLock { state.delegate } }

    /// Holds the delegate strongly, as the code that is written against these names expects.
    func setDelegate(_ delegate: (any AdaptyDelegate)?, on queue: DispatchQueue) {
        let former = lock.withLock {
            defer {
                state.delegate = delegate
                state.delivered = nil
            }
            return state.delegate
        }
        // One hop to the queue, also from the queue itself: a delegate may set itself from its own initialiser. The former one
        // is released outside the lock: its deinit may ask for the delegate.
        queue.async { self.deliver() }
        withExtendedLifetime(former) {}
    }

    /// Runs until the profiles end or the task is cancelled.
    func follow(_ profiles: AsyncStream<Profile>, on queue: DispatchQueue) async {
        for await profile in profiles {
            lock.withLock { state.latest = AdaptyProfile(profile) }
            await withCheckedContinuation { done in
                queue.async {
                    self.deliver()
                    done.resume()
                }
            }
        }
    }

    /// Reads the profile on the queue, so that an outdated one is never delivered late.
    private func deliver() {
        let due: (delegate: any AdaptyDelegate, profile: AdaptyProfile)? = lock.withLock {
            guard let delegate = state.delegate, let latest = state.latest, latest != state.delivered else { return nil }
            state.delivered = latest
            return (delegate, latest)
        }
        if let due { due.delegate.didLoadLatestProfile(due.profile) }
    }
}
