// SPDX-License-Identifier: Apache-2.0
internal import LandfallDatabase

/// Units that may wait for the writer; further ones are refused as ``LandfallDatabase/DatabaseError/busy``.
public struct WriteLimits: Hashable, Sendable {
    /// Those that people wait for: each has a request of some kilobytes.
    public var interactive = 16_384
    /// Callers of bulk work have one unit at a time here, of a hundred rows at most, on which the writer works for a few
    /// milliseconds: 256 of them wait for about a second, and hold some dozen megabytes with the rest of their batches.
    public var bulk = 256

    public init() {}
}

/// The units that wait for the writer: those that people wait for go first.
struct WriteQueue {
    let limits: WriteLimits

    /// After so many groups without bulk work, one unit of it goes first: what never stops must not keep it out.
    static let patience = 16

    init(_ limits: WriteLimits) { self.limits = limits }

    private var interactive = WaitingLine<any PendingWrite>()
    private var bulk = WaitingLine<any PendingWrite>()
    /// In a row, while bulk work waited.
    private var groupsWithoutBulk = 0

    var isEmpty: Bool { interactive.isEmpty && bulk.isEmpty }

    var count: Int { interactive.count + bulk.count }

    var counts: [Urgency: Int] { [.interactive: interactive.count, .bulk: bulk.count] }

    /// - Returns: false where too many wait.
    mutating func append(_ unit: any PendingWrite, _ urgency: Urgency) -> Bool {
        switch urgency {
        case .interactive where interactive.count < limits.interactive: interactive.append(unit)
        case .bulk where bulk.count < limits.bulk: bulk.append(unit)
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
