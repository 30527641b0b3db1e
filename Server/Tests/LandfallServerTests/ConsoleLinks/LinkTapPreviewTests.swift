// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer

@Suite("What happens at a tap, on a link's page", .timeLimit(.minutes(1)))
struct LinkTapPreviewTests {
    @Test("is what browsers get", arguments: ["beach", "app", "copied", "typed", "over", "shown", "ways"])
    func same(name: String) async throws {
        try await TestServer.runBrand { server in
            let snapshot = server.services.snapshot
            let tapping = LinkTapPreview(links: server.services.links, snapshot: snapshot, nowMs: server.services.time.nowMs())
            let link = try #require(snapshot.link(host: "go.example.com", path: LinkPath(stored: "/" + name)))

            let happenings = tapping.happenings(link)

            let browsers: [Browser] = [.onPhone, .inInstagram, .onAndroid, Browser(userAgent: Browser.androidInstagram), .onDesktop, Browser(userAgent: Browser.mac)]
            #expect(happenings.count == browsers.count)
            for (happening, browser) in zip(happenings, browsers) {
                let answer = try await browser.open(link.address, in: server)
                switch happening.missing {
                case .store(let address), .web(let address): #expect(answer.location == address)
                case .page(let ways):
                    #expect(answer.status == 200 && !ways.isEmpty)
                    #expect(answer.body.contains("<svg") == ways.contains(.scan))
                    #expect((answer.copied != nil) == ways.contains(.pasteboard))
                    #expect(answer.body.contains("class=\"code\"") == ways.contains(.code))
                case .expired: #expect(answer.status == 410)
                case .app: Issue.record("No browser is an app.")
                }
            }
        }
    }

    @Test("opens the app by itself only where the system trusts the domain, outside of other apps")
    func app() async throws {
        try await TestServer.runBrand { server in
            let snapshot = server.services.snapshot
            let tapping = LinkTapPreview(links: server.services.links, snapshot: snapshot, nowMs: server.services.time.nowMs())
            let link = try #require(snapshot.link(host: "go.example.com", path: LinkPath(stored: "/beach")))

            // This configuration names Apple's team, and no certificate of the Android app.
            let opening = tapping.happenings(link).filter { $0.installed == .app }

            #expect(opening.map(\.device) == [.ios, .ipadOrMac] && opening.map(\.isInApp) == [false, false])
        }
    }
}
