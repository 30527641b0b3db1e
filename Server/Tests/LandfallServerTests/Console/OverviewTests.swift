// SPDX-License-Identifier: Apache-2.0
import HummingbirdTesting
import Testing

@testable import LandfallPages
@testable import LandfallServer

@Suite("The console's overview", .timeLimit(.minutes(1)))
struct OverviewTests {
    /// At any hour it is another day than in UTC in one of them.
    @Test("ends with today in the zone of the reports", arguments: ["Pacific/Kiritimati", "Etc/GMT+12"])
    func zone(name: String) async throws {
        try await TestServer.run(configuration: try Sample.configuration("reporting: { timeZone: \(name) }\n")) { server in
            let zone = server.services.snapshot.configuration.reportZone
            let today = zone.day(ofMs: server.services.time.nowMs())
            let page = try await ConsoleBrowser.signedIn(server, as: .owner).get("/console").page

            #expect(zone.name == name)
            #expect(page.contains("– \(Language.english.day(ReportDays.text(today)))</h2>"))
        }
    }
}
