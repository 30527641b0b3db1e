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
