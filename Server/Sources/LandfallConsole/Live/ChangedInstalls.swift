// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire
import Synchronization

/// The installs that changed since the last read of Live, up to as many as a read asks for. Every write of an install waits behind it, so
/// it does nothing before the first read, and nothing once it is full: that is soon where nobody reads.
final class ChangedInstalls: Sendable {
    struct Heard: Hashable {
        var installs: Set<InstallID> = []
        /// False if others may have changed too: there were more, or other nodes' changes may have been missed.
        var isComplete = true

        mutating func add(_ install: InstallID) {
            if installs.count < LiveHistory.mostChanged { installs.insert(install) } else { isComplete = false }
        }
    }

    private let app: AppID
    /// Nil before the first read.
    private let state = Mutex<Heard?>(nil)

    init(of app: AppID) { self.app = app }

    func hear(_ news: StoreNews) {
        state.withLock { heard in
            guard heard != nil else { return }
            switch news {
            case .missed: heard?.isComplete = false
            case .changed(let changes):
                for change in changes where change.kind == .install && change.app == app.rawValue {
                    heard?.add(InstallID(change.subject))
                }
            }
        }
    }

    func take() -> Heard {
        state.withLock { heard in
            defer { heard = Heard() }
            return heard ?? Heard()
        }
    }

    /// A read has failed: the next one reads them.
    func giveBack(_ taken: Heard) {
        state.withLock { heard in
            var all = taken
            for install in heard?.installs ?? [] where !all.installs.contains(install) { all.add(install) }
            all.isComplete = all.isComplete && heard?.isComplete ?? true
            heard = all
        }
    }
}
