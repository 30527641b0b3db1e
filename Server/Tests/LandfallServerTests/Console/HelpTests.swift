// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallTesting
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallServer

@Suite("The way to the help", .timeLimit(.minutes(1)))
struct HelpTests {
    @Test("Every section's page leads to a part that is there, for each role that may open it", arguments: [Role.owner, .viewer, .support])
    func links(role: Role) async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: role)
            for section in SectionGroup.allCases.flatMap(\.sections) where role.rights.contains(section.right) && section != .help {
                let page = try await browser.get(section.place.text).page
                let link = try #require(page.firstMatch(of: /<a class="help" href="([^"#]*)#([^"]*)"/), "\(section)")

                let help = try await browser.get(String(link.output.1))

                #expect(help.status == .ok && help.page.contains("id=\"\(link.output.2)\""), "\(section)")
            }
        }
    }

    @Test("A page that has nothing yet leads there too")
    func empty() async throws {
        try await TestServer.run { server in
            let browser = try await ConsoleBrowser.signedIn(server, as: .owner)

            for (path, help) in [
                ("/console/reports/campaigns", "numbers#about-campaigns"), ("/console/reports/revenue", "numbers#about-sales"),
                ("/console/profiles", "#about-profiles"), ("/console/webhooks", "#about-webhooks"), ("/console/live", "#about-live"),
            ] {
                let page = try await browser.get(path).page
                #expect(page.contains("\(help)\">\(Words(.english).howPageWorks)</a>"), "\(path)")
            }
        }
    }
}
