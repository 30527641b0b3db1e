// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import VirtualWorlds

@Suite("The guarantees of purchases", .timeLimit(.minutes(1)))
struct SoldPeriodsTests {
    private func bought(_ ranges: Range<Int64>...) -> SoldPeriods {
        var periods = SoldPeriods()
        for (index, range) in ranges.enumerated() {
            periods.paid(
                SoldPeriod(id: "\(index + 1)", original: "1", beganMs: 0, fromMs: range.lowerBound * 1_000, untilMs: range.upperBound * 1_000))
        }
        return periods
    }

    private func guarantees(_ periods: SoldPeriods, _ hasAccess: Bool, at seconds: Int64) -> [String] {
        periods.breaches(hasAccess: hasAccess, atMs: seconds * 1_000, isSettled: true).map(\.guarantee)
    }

    @Test("P2: access is right in a period and wrong behind it; about its end both are", arguments: [(50, true), (130, false), (100, nil)] as [(Int64, Bool?)])
    func access(seconds: Int64, isOpen: Bool?) {
        let periods = bought(0..<60, 60..<100)

        #expect(guarantees(periods, true, at: seconds) == (isOpen == false ? ["P2"] : []))
        #expect(guarantees(periods, false, at: seconds) == (isOpen == true ? ["P2"] : []))
    }

    @Test("P3: access without any purchase is found, before anything is settled too")
    func nothing() {
        #expect(SoldPeriods().breaches(hasAccess: true, atMs: 0, isSettled: false).map(\.guarantee) == ["P3"])
        #expect(SoldPeriods().breaches(hasAccess: false, atMs: 0, isSettled: false).isEmpty)
    }

    @Test("Another installation or person may own what was bought: then P2 is not asked")
    func moved() {
        var moved = bought(0..<60), changed = bought(0..<60)

        moved.installationChanges()
        changed.personChanges()

        #expect(guarantees(moved, false, at: 30).isEmpty && guarantees(changed, false, at: 30).isEmpty)
    }

    @Test("What another installation buys later is its own; after a change of the person nothing is sure")
    func later() {
        var installed = SoldPeriods(), changed = SoldPeriods()

        installed.installationChanges()
        changed.personChanges()

        #expect(installed.isOwnerSure && !changed.isOwnerSure)
    }

    @Test("P1: a period that counts twice is found, and one that does not count")
    func charges() {
        let periods = bought(0..<60, 60..<100)

        #expect(periods.breaches(charged: ["1", "2", "another's"], atMs: 100_000, mustHave: true).isEmpty)
        #expect(periods.breaches(charged: ["1", "1", "2"], atMs: 100_000, mustHave: true).map(\.guarantee) == ["P1"])
        #expect(periods.breaches(charged: ["1"], atMs: 100_000, mustHave: true).map(\.guarantee) == ["P1"])
        #expect(periods.breaches(charged: ["1"], atMs: 100_000, mustHave: false).isEmpty)
        #expect(periods.breaches(charged: ["1"], atMs: 59_000, mustHave: true).isEmpty, "The second period has not begun.")
    }
}
