// SPDX-License-Identifier: Apache-2.0

/// How many transactions were written in how many commits, since the store was opened.
package struct WriteCounts: Hashable, Sendable {
    package var units = 0
    package var commits = 0
    /// The time that the commits took, of which nearly all is the disk's sync.
    package var committing = Duration.zero
    /// Groups that the engine rolled back; each of their callers was told to try again.
    package var endedGroups = 0
    /// The engine rolled back the last group that changed something, usually because the disk is full.
    package var isFailing = false
    /// The reason, while it is failing.
    package var failure: String?
    /// Transactions that wait now, by urgency.
    package var waitingBy: [Urgency: Int] = [:]

    package init() {}

    /// Transactions that wait now.
    package var waiting: Int { waitingBy.values.reduce(0, +) }
}

/// A store whose reads may have to wait for each other.
package protocol ReadCounting: Sendable {
    /// Reads that wait now. Any thread; never waits for a read.
    var waitingReads: Int { get }
}

/// A store that groups the writes of many callers and counts the groups.
package protocol WriteCounting: Sendable {
    /// Any thread; never waits for a write.
    var writeCounts: WriteCounts { get }
}

/// What the connections of a store in another process do, and what it is told by other nodes. Totals are since the store was opened.
package struct PoolCounts: Hashable, Sendable {
    /// The most connections.
    package var limit = 0
    package var open = 0
    /// Connections that run a unit now, or are about to.
    package var used = 0
    /// Connections that were opened, those after a loss included.
    package var opened = 0
    /// Units that were run again, by a short name of the cause.
    package var repeats: [String: Int] = [:]
    /// Reads of other nodes' changes, their time, and the changes that they found.
    package var feedReads = 0
    package var feedTime = Duration.zero
    package var changesHeard = 0
    /// Since the last such read that succeeded; nil before the first.
    package var feedAge: Duration?

    package init() {}
}

/// A store in another process.
package protocol PoolCounting: Sendable {
    /// The names of ``PoolCounts/repeats``.
    static var causesOfRepeats: [String] { get }
    /// Any thread; never waits for a unit.
    var poolCounts: PoolCounts { get }
}
