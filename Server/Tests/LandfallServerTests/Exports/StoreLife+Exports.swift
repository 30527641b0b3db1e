// SPDX-License-Identifier: Apache-2.0
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// Every table of some days, a few rows at a time.
    static func exports(_ store: TestStore) async throws {
        let today = TestStore.noon / Retention.dayMs
        for table in ExportTable.allCases {
            for day in today - 1...today {
                let reader = ExportReader(database: store.database, app: TestStore.app, page: 20)
                var after: String?
                repeat {
                    after = try await reader.page(of: table, on: day, after: after, as: .jsonl).next
                } while after != nil
            }
        }
    }
}
