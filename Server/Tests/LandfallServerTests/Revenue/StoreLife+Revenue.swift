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
    }
}
