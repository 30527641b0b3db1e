// SPDX-License-Identifier: Apache-2.0
import HummingbirdTesting
import LandfallTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("The clock of the console's pages", .timeLimit(.minutes(1)))
struct ConsoleClockTests {
    @Test("Instants are those of the reports' zone, which the page names; programs read UTC")
    func zone() async throws {
        try await TestServer.run(configuration: try Sample.configuration("reporting: { timeZone: Pacific/Kiritimati }\n")) { server in
            let nowMs = server.services.time.nowMs()
            let localMs = nowMs + server.services.snapshot.configuration.reportZone.offsetMs(nowMs)
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)
            server.services.console.live.add(.tap, atMs: nowMs, "beach", [])

            let audit = try await browser.get("/console/settings/audit").page
            let live = try await browser.get("/console/live").page

            #expect(localMs - nowMs == 14 * 3_600_000)
            #expect(audit.contains("times in Pacific/Kiritimati") && audit.contains(Language.english.instant(localMs)))
            #expect(live.contains("Times in Pacific/Kiritimati"))
            #expect(live.contains("datetime=\"\(Language.iso(nowMs))\">\(Language.calendar(localMs).time):"))
        }
    }
}
