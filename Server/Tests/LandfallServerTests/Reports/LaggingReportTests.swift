// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallServer
@testable import LandfallStore

/// Answers that may lag are read from another database.
private struct FollowedDatabase: PassingDatabase {
    let base: any Database
    let replica: any Database
    let ageMs: Int64

    func laggingReads() async -> LaggingReads { LaggingReads(store: replica, ageMs: ageMs) }
}

@Suite("Reports that are read from a replica", .timeLimit(.minutes(1)))
struct LaggingReportTests {
    @Test("A report is of the replica's rows and of its moment, and says so")
    func moment() async throws {
        try await TestServer.runBrand { server in
            let services = server.services, snapshot = services.snapshot
            try await Clicked.add([("/beach", "JP", 1)], server)
            let replica = try await TestStore()
            let followed = FollowedDatabase(base: services.database, replica: replica.database, ageMs: 5_000)
            let rollups = RollupWork(database: followed, configuration: services.configuration, time: services.time)
            let reports = Reports(store: ReportStore(services.database), time: services.time, rollups: rollups)

            let (own, lagging) = (try await services.reports.moment(snapshot), try await reports.moment(snapshot))
            func clicks(_ reports: Reports, _ moment: Reports.Moment) async throws -> ReportDocument {
                try await reports.answer(ReportRequest(.links, by: ["host"], moment.days(1, endingOn: own.today)), snapshot, at: moment).document()
            }
            let (now, before) = (try await clicks(services.reports, own), try await clicks(reports, lagging))

            #expect(lagging.nowMs <= services.time.nowMs() - 5_000)
            #expect(now.rows.count == 1 && before.rows.isEmpty)
            #expect(before.completeToMilliseconds <= lagging.nowMs)
        }
    }

    @Test("A store without a replica reads from itself, and everything of it")
    func alone() async throws {
        let store = try await TestStore()

        #expect(await store.database.laggingReads().ageMs == nil)
    }
}
