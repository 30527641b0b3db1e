// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// Delivers each profile to the delegate, on the main thread, in order, and only once.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
final class ProfileDelivery: @unchecked Sendable {
    private struct State {
        weak var delegate: (any AdaptyDelegate)?
        var latest: AdaptyProfile?
        /// What this delegate has last been given.
        var delivered: AdaptyProfile?
    }

    private let lock = NSLock()
    private var state = State()

    var delegate: (any AdaptyDelegate)? {
        get { lock.withLock { state.delegate } }
        set {
            lock.withLock {
                state.delegate = newValue
                state.delivered = nil
            }
            // One hop to the main thread, also from the main thread: a delegate may set itself from its own initialiser.
            Task { await deliver() }
        }
    }

    /// Runs until the profiles end or the task is cancelled.
    func follow(_ profiles: AsyncStream<Profile>) async {
        for await profile in profiles {
            lock.withLock { state.latest = AdaptyProfile(profile) }
            await deliver()
        }
    }

    /// Reads the profile on the main thread, so that an outdated one is never delivered late.
    @MainActor
    private func deliver() {
        let due: (delegate: any AdaptyDelegate, profile: AdaptyProfile)? = lock.withLock {
            guard let delegate = state.delegate, let latest = state.latest, latest != state.delivered else { return nil }
            state.delivered = latest
            return (delegate, latest)
        }
        if let due { due.delegate.didLoadLatestProfile(due.profile) }
    }
}
