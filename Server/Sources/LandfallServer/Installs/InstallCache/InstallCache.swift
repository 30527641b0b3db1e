// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire
import Synchronization

/// The installs that were read lately, as the store has them. Used only if this node is the store's only writer.
///
/// It hears of every change after it is on disk and before it is answered. From then on the cache returns no older value: each value carries the number of changes at the start of its read, and each install and profile the number
/// of its latest change. So a read that is slower than a change cannot put the old value back.
///
/// Bounded in installs and in bytes. If it is full, an entry that was not read since the clock hand last passed is evicted.
package final class InstallCache: Sendable {
    package struct Limits: Hashable, Sendable {
        package var installs = 50_000
        package var bytes = 128 * 1024 * 1024

        package init(installs: Int = 50_000, bytes: Int = 128 * 1024 * 1024) {
            (self.installs, self.bytes) = (installs, bytes)
        }

        /// For this memory. An install counts as 3 KiB or more, so the bytes decide: the number is above what fits.
        package static func memory(_ bytes: Int) -> Limits { Limits(installs: bytes / 2_684, bytes: bytes) }
    }

    /// How often the cache was read, and what it holds now.
    struct Counts: Hashable, Sendable {
        var hits = 0
        var misses = 0
        var installs = 0
        var bytes = 0
    }

    /// Take one before a read begins.
    struct Ticket: Sendable { fileprivate let changes: UInt64 }

    private static let shardCount = 16
    private let shards: [CacheShard]
    private let changes = ChangeNumbers()

    package init(_ limits: Limits = Limits()) {
        shards = (0..<Self.shardCount).map { _ in
            CacheShard(mostInstalls: max(1, limits.installs / Self.shardCount), mostBytes: max(1, limits.bytes / Self.shardCount))
        }
    }

    /// Nil if the install is not cached, or has changed since.
    func find(_ app: AppID, _ key: InstallKey) -> KnownInstall? {
        shard(of: key).find(key) { known, ticket in
            known.app == app
                && !changes.isChanged(key, since: ticket) && !changes.isChanged(known.install.profileID, since: ticket)
        }
    }

    func ticket() -> Ticket { Ticket(changes: changes.count) }

    /// - Parameter ticket: taken before the install was read.
    func keep(_ known: KnownInstall, at key: InstallKey, _ ticket: Ticket) {
        shard(of: key).keep(known, at: key, ticket.changes)
    }

    /// A change of a profile invalidates every install that shows it.
    package func hear(_ news: StoreNews) {
        guard case .changed(let told) = news else { return changedAnybody() }
        let number = changes.next()
        for change in told {
            switch change.kind {
            case .install, .erased: if let key = InstallKey(InstallID(change.subject)) { changes.change(key, number) }
            case .profile: changes.change(ProfileID(change.subject), number)
            default: break
            }
        }
    }

    /// For a change of unknown installs: every value that was read before is invalid.
    private func changedAnybody() { changes.changeAll(changes.next()) }

    var counts: Counts {
        shards.reduce(into: Counts()) { sum, shard in
            let counts = shard.counts
            sum.hits += counts.hits
            sum.misses += counts.misses
            sum.installs += counts.installs
            sum.bytes += counts.bytes
        }
    }

    private func shard(of key: InstallKey) -> CacheShard {
        shards[Int(truncatingIfNeeded: UInt(bitPattern: key.hashValue) >> 48) % Self.shardCount]
    }
}
