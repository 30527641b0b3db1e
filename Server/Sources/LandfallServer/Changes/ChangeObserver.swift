// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire

/// What a node remembers, and what waits on it, hears here of every change of the store, whichever node made it.
package struct ChangeObserver: Sendable {
    private let installs: InstallCache
    private let links: Links
    private let holds: HeldAnswers
    private let live: LiveFeed
    private let addressKeys: AddressKeys
    private let jobAdded: @Sendable () -> Void
    private let versionAdded: @Sendable () -> Void

    package init(
        _ installs: InstallCache, _ links: Links, _ holds: HeldAnswers, _ live: LiveFeed, _ addressKeys: AddressKeys,
        jobAdded: @escaping @Sendable () -> Void, versionAdded: @escaping @Sendable () -> Void
    ) {
        (self.installs, self.links, self.holds, self.live) = (installs, links, holds, live)
        (self.addressKeys, self.jobAdded, self.versionAdded) = (addressKeys, jobAdded, versionAdded)
    }

    /// Called on any thread; others wait behind it.
    package func hear(_ news: StoreNews) {
        // First what is remembered: a call that is woken reads it.
        installs.hear(news)
        links.hear(news)
        addressKeys.hear(news)
        switch news {
        case .changed(let changes): for change in changes { hear(change) }
        case .missed:
            holds.changedAny()
            jobAdded()
            versionAdded()
        }
    }

    private func hear(_ change: StoreChange) {
        switch change.kind {
        case .install: holds.changed(app: AppID(change.app), install: InstallID(change.subject))
        case .erased:
            live.forget(InstallID(change.subject))
            holds.changed(app: AppID(change.app), install: InstallID(change.subject))
        case .job: jobAdded()
        case .configuration: versionAdded()
        default: break
        }
    }
}
