// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase

/// Where reports read from.
struct ReportStore: Sendable {
    let database: any Database
    let clicks: LinkReportStore

    init(_ database: any Database, _ openDays: OpenClickDays = OpenClickDays()) {
        self.database = database
        clicks = LinkReportStore(database: database, openDays: openDays)
    }
}
