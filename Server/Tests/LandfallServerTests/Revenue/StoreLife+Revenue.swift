// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

extension StoreLife {
    /// Both views of the purchases that are there, row by row.
    static func revenue(_ store: TestStore, _ app: AppID) async throws {
        let today = TestStore.noon / Retention.dayMs
        var charges = 0
        for view in [RevenueView.purchase, .booking] {
            try await RevenueReader(database: store.database, app: app, page: 1)
                .forEach(view, today - 40...today + 1, by: RevenueDimension.allCases) { _ in charges += 1 }
        }
        #expect(charges > 0)
        try await computedDays(store, app, today - 40...today + 1)
    }

    /// Every marked day is counted and read; what is counted is what the rows add up to.
    private static func computedDays(_ store: TestStore, _ app: AppID, _ days: ClosedRange<Int64>) async throws {
        let update = ChargeDayUpdate(database: store.database, app: app)
        try await update.mark(days, nowMs: TestStore.noon)
        var steps = 0
        while try await update.step() { steps += 1 }
        #expect(steps >= days.count)
        var counted = 0
        for view in [RevenueView.purchase, .booking] {
            let reader = ChargeDayReader(database: store.database, app: app, view: view)
            _ = try await reader.forEach(days, by: RevenueDimension.allCases) { counted += $0.cells.count }
            #expect(try await reader.differences(days).isEmpty)
        }
        #expect(counted > 0)
    }
}
