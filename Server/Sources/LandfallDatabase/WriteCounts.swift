// SPDX-License-Identifier: Apache-2.0

/// How many units were written in how many commits, since the store was opened.
public struct WriteCounts: Hashable, Sendable {
    public var units = 0
    public var commits = 0
    /// Groups that the engine ended before their commit; each of their callers was told to try again.
    public var endedGroups = 0
    /// The engine ended the last group that changed something, mostly for want of room.
    public var isFailing = false
    /// Units that wait for their turn now, by who waits for them.
    public var waitingBy: [Urgency: Int] = [:]

    public init() {}

    /// Units that wait for their turn now.
    public var waiting: Int { waitingBy.values.reduce(0, +) }
}

/// A store that groups the writes of many callers and says how well that goes.
public protocol WriteCounting: Sendable {
    /// Any thread; never waits for a write.
    var writeCounts: WriteCounts { get }
}
