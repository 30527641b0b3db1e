// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

/// Where reports read from.
struct ReportStore: Sendable {
    let database: any Database
    let clicks: LinkReportStore
    /// For reports that no computed day answers.
    let rows: RowReading

    init(
        _ database: any Database, _ openDays: OpenClickDays = OpenClickDays(), _ closedDays: ClosedClickDays? = nil, rows: RowReading = RowReading()
    ) {
        self.database = database
        self.rows = rows
        clicks = LinkReportStore(database: database, openDays: openDays, closedDays: closedDays, rows: rows)
    }
}
