// SPDX-License-Identifier: Apache-2.0
import LandfallStore

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
