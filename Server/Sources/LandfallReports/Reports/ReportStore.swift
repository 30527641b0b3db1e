// SPDX-License-Identifier: Apache-2.0
package import LandfallServer
package import LandfallStore

/// Where reports read from.
package struct ReportStore: Sendable {
    package let database: any StoreReading
    package let clicks: LinkReportStore
    /// For reports that no computed day answers.
    package let rows: RowReader

    package init(
        _ database: any StoreReading, _ openDays: OpenClickDays = OpenClickDays(), _ closedDays: ClosedClickDays? = nil, rows: RowReader = RowReader()
    ) {
        self.database = database
        self.rows = rows
        clicks = LinkReportStore(database: database, openDays: openDays, closedDays: closedDays, rows: rows)
    }

    /// The same reports of other rows.
    func reading(_ database: any StoreReading) -> ReportStore {
        ReportStore(database, clicks.openDays, clicks.closedDays, rows: rows)
    }
}
