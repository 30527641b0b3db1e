// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// The units that wait for a connection. Interactive ones go first, and bulk ones have at most half of the connections.
struct UnitQueue {
    /// The units of one urgency, in order of arrival.
    private struct Lines {
        var units = WaitingLine<any PendingUnit>()
        var appends = WaitingLine<PostgresAppend>()

        var isEmpty: Bool { units.isEmpty && appends.isEmpty }
    }

    /// Rows of so many callers go in one transaction, or so many rows.
    private static let largestGroup = 256
    private static let mostRows = 2_048
    /// After this many interactive units in a row, one bulk unit goes first.
    static let patience = 16

    private let limits: PostgresLimits
    /// Half of the connections: the most for bulk units, and the most for groups. Some groups travel while others are on their
    /// way to the disk, and the engine shares their syncs. With 64 callers, 4 groups at a time stored a quarter more rows than 2,
    /// and 2 a quarter more than 1.
    private let half: Int
    private var lines: [Urgency: Lines] = [.interactive: Lines(), .bulk: Lines()]
    private(set) var waitingReads = 0
    private(set) var waitingWrites: [Urgency: Int] = [.interactive: 0, .bulk: 0]
    private var runningBulk = 0
    private var appending = 0
    private var interactiveInRow = 0
    private var isAppendsTurn = false

    init(_ limits: PostgresLimits, connections: Int) {
        self.limits = limits
        half = max(1, connections / 2)
    }

    var isEmpty: Bool { lines.values.allSatisfy(\.isEmpty) }

    /// - Returns: nil, or why the unit may not wait.
    mutating func append(_ unit: any PendingUnit) -> DatabaseError? {
        let urgency = unit.terms.urgency
        if unit.terms.kind == .read {
            guard waitingReads < limits.reads else { return .tooManyReads }
        } else {
            let most = urgency == .interactive ? limits.writes.interactive : limits.writes.bulk
            guard waitingWrites[urgency, default: 0] < most else { return .busy }
        }
        add(unit)
        return nil
    }

    /// Takes a unit of ``next()`` back that did not begin: it waits behind the others.
    mutating func takeBack(_ unit: any PendingUnit) {
        ended(unit)
        for part in unit.parts { add(part) }
    }

    private mutating func add(_ unit: any PendingUnit) {
        let urgency = unit.terms.urgency
        if unit.terms.kind == .read { waitingReads += 1 } else { waitingWrites[urgency, default: 0] += 1 }
        if let append = unit as? PostgresAppend {
            lines[urgency, default: Lines()].appends.append(append)
        } else {
            lines[urgency, default: Lines()].units.append(unit)
        }
    }

    /// The unit that a free connection runs now, or nil. Tell ``ended(_:)`` after it.
    mutating func next() -> (any PendingUnit)? {
        let isBulkFirst = interactiveInRow >= Self.patience
        guard let unit = (isBulkFirst ? next(.bulk) : nil) ?? next(.interactive) ?? next(.bulk) else { return nil }
        let isBulk = unit.terms.urgency == .bulk
        interactiveInRow = isBulk || lines[.bulk]?.isEmpty != false ? 0 : interactiveInRow + 1
        if isBulk { runningBulk += 1 }
        if unit.terms.kind == .append { appending += 1 }
        return unit
    }

    mutating func ended(_ unit: any PendingUnit) {
        if unit.terms.urgency == .bulk { runningBulk -= 1 }
        if unit.terms.kind == .append { appending -= 1 }
    }

    private mutating func next(_ urgency: Urgency) -> (any PendingUnit)? {
        if urgency == .bulk, runningBulk >= half { return nil }
        isAppendsTurn.toggle()
        return isAppendsTurn ? nextAppends(urgency) ?? nextUnit(urgency) : nextUnit(urgency) ?? nextAppends(urgency)
    }

    private mutating func nextUnit(_ urgency: Urgency) -> (any PendingUnit)? {
        guard let unit = lines[urgency]?.units.popFirst() else { return nil }
        if unit.terms.kind == .read { waitingReads -= 1 } else { waitingWrites[urgency]? -= 1 }
        return unit
    }

    private mutating func nextAppends(_ urgency: Urgency) -> (any PendingUnit)? {
        guard appending < half else { return nil }
        var (group, rows) = ([PostgresAppend](), 0)
        while group.count < Self.largestGroup, rows < Self.mostRows, let append = lines[urgency]?.appends.popFirst() {
            group.append(append)
            rows += append.rows.count
        }
        waitingWrites[urgency]? -= group.count
        return group.count > 1 ? PostgresAppendGroup(group) : group.first
    }
}
