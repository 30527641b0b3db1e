// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Synchronization

/// The installs that were read lately, as the store has them. Only where this node is the store's only writer.
///
/// Whoever changes an install or a person says so after the change is on disk and before its caller hears of it
/// (``changed(_:profile:)``). From then on nothing that was read before is found here: each value carries the number of changes
/// that had been said when its reading began, and each install and each profile that of its latest change. So a reader that is
/// slower than a change cannot bring back what was before it.
///
/// Bounded in installs and in bytes. Where there is no more room, what was not asked for since the last turn goes first.
final class InstallCache: Sendable {
    struct Limits: Hashable, Sendable {
        var installs = 50_000
        var bytes = 128 * 1024 * 1024
    }

    /// How often it was asked, and what it holds now.
    struct Counts: Hashable, Sendable {
        var hits = 0
        var misses = 0
        var installs = 0
        var bytes = 0
    }

    /// To be taken before a reading begins.
    struct Ticket: Sendable { fileprivate let changes: UInt64 }

    private static let shardCount = 16
    private let shards: [CacheShard]
    private let changes = ChangeNumbers()

    init(_ limits: Limits = Limits()) {
        shards = (0..<Self.shardCount).map { _ in
            CacheShard(mostInstalls: max(1, limits.installs / Self.shardCount), mostBytes: max(1, limits.bytes / Self.shardCount))
        }
    }

    /// Nil where it is not here, or has changed since.
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

    /// Before the change is answered.
    /// - Parameter profile: whose row the change wrote; every install that shows it has changed.
    func changed(_ install: InstallID, profile: ProfileID?) {
        let number = changes.next()
        if let key = InstallKey(install) { changes.change(key, number) }
        if let profile { changes.change(profile, number) }
    }

    /// Where it is not known who has changed: nothing from before is found any more.
    func changedAnybody() { changes.changeAll(changes.next()) }

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
