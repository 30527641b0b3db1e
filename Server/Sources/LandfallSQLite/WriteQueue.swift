// SPDX-License-Identifier: Apache-2.0
internal import LandfallDatabase

/// The units that wait for the writer: those that people wait for go first.
struct WriteQueue {
    /// Units that may wait; further ones are refused as ``DatabaseError/busy``.
    ///
    /// Callers of bulk work have one unit at a time here, of a hundred rows at most, on which the writer works for a few
    /// milliseconds: 256 of them wait for about a second, and hold some dozen megabytes with the rest of their batches.
    static func most(_ urgency: Urgency) -> Int {
        switch urgency {
        case .interactive: 16_384
        case .bulk: 256
        }
    }

    /// After so many groups without bulk work, one unit of it goes first: what never stops must not keep it out.
    static let patience = 16

    private var interactive = WaitingLine<any PendingWrite>()
    private var bulk = WaitingLine<any PendingWrite>()
    /// In a row, while bulk work waited.
    private var groupsWithoutBulk = 0

    var isEmpty: Bool { interactive.isEmpty && bulk.isEmpty }

    var counts: [Urgency: Int] { [.interactive: interactive.count, .bulk: bulk.count] }

    /// - Returns: false where too many wait.
    mutating func append(_ unit: any PendingWrite, _ urgency: Urgency) -> Bool {
        switch urgency {
        case .interactive where interactive.count < Self.most(urgency): interactive.append(unit)
        case .bulk where bulk.count < Self.most(urgency): bulk.append(unit)
        case .interactive, .bulk: return false
        }
        return true
    }

    /// - Parameter isFirst: a group begins with it.
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
