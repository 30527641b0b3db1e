// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// How many units may wait for the writer; further ones are refused as ``LandfallStore/DatabaseError/busy``.
package struct WriteLimits: Hashable, Sendable {
    /// Interactive units: each holds a request of some kilobytes.
    package var interactive = 16_384
    /// Bulk callers have one unit at a time here, of a hundred rows at most, which takes the writer a few milliseconds: 256 of
    /// them wait for about a second, and hold some dozen megabytes with the rest of their batches.
    package var bulk = 256

    package init() {}
}

/// The units that wait for the writer: interactive ones go first.
struct WriteQueue {
    let limits: WriteLimits

    /// After this many groups without bulk work, one bulk unit goes first, so that constant interactive load cannot block it
    /// for ever.
    static let patience = 16

    init(_ limits: WriteLimits) { self.limits = limits }

    private var interactive = WaitingLine<any PendingWrite>()
    private var bulk = WaitingLine<any PendingWrite>()
    /// Groups in a row without bulk work, while bulk work waited.
    private var groupsWithoutBulk = 0

    var isEmpty: Bool { interactive.isEmpty && bulk.isEmpty }

    var count: Int { interactive.count + bulk.count }

    var counts: [Urgency: Int] { [.interactive: interactive.count, .bulk: bulk.count] }

    /// - Returns: false if the queue is full.
    mutating func append(_ unit: any PendingWrite, _ urgency: Urgency) -> Bool {
        switch urgency {
        case .interactive where interactive.count < limits.interactive: interactive.append(unit)
        case .bulk where bulk.count < limits.bulk: bulk.append(unit)
        case .interactive, .bulk: return false
        }
        return true
    }

    /// - Parameter isFirst: the unit begins a group.
    mutating func next(isFirst: Bool) -> (any PendingWrite)? {
        if isFirst {
            groupsWithoutBulk = bulk.isEmpty ? 0 : groupsWithoutBulk + 1
            if groupsWithoutBulk > Self.patience { return nextBulk() }
        }
        return interactive.popFirst() ?? nextBulk()
    }

    private mutating func nextBulk() -> (any PendingWrite)? {
        groupsWithoutBulk = 0
        return bulk.popFirst()
    }
}
