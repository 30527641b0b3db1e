// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallWire
import Testing

@testable import LandfallSimulator

@Suite("A link over real HTTP", .serialized, .timeLimit(.minutes(2)))
struct LinkEndToEndTests {
    @Test("A tap before the installation gives the first open its screen, its attribution and its paywall, in one request")
    func wholeWay() async throws {
        try await Site.run { site in
            let outcome = try await DemoLink(server: site.server, directory: site.folder).run()

            #expect(outcome.pageStatus == 200)
            #expect(outcome.pasteboard.hasPrefix("https://brandname.go.link/welcome?lf_token="))
            #expect(outcome.destination == "https://brandname.go.link/summer-clothes?promo=welcome")
            #expect(outcome.matchedBy == "pasteboard")
            #expect(outcome.source == "link")
            #expect(outcome.campaign == "summer")
            #expect(outcome.paywall == "summer")
            // A machine too busy to answer within a second makes the SDK ask beside the stream, as it should.
            #expect(outcome.requests == 1 || outcome.elapsedMilliseconds > 1_000)
        }
    }

    @Test("A link that starts the app is recorded by its first open and targets the paywall of that open")
    func waitingLink() async throws {
        try await Site.run { site in
            let phone = TestPhone(site)
            var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: site.server, preparing: ["welcome"])
            configuration.storage = phone.storage
            configuration.transport = phone.counted
            configuration.log = { _ in }
            let client = LandfallClient(configuration)

            #expect(client.recordClick(URL(string: "https://brandname.go.link/beach")!))
            client.start()
            let shown = try await client.paywall(for: "welcome", within: .seconds(10))
            await client.shutdown()

            #expect(shown.paywall?.name == PaywallID("summer"))
            guard case .attributed(let details) = shown.attribution else { return #expect(Bool(false), "not attributed") }
            #expect(details.source == .link)
            #expect(details.campaign == "summer")
        }
    }

    @Test(
        "A link tapped in a running app targets the paywall requested with it: one click, one question",
        arguments: ["https://brandname.go.link/beach", "https://example.com/summer-clothes?lf_campaign=summer"])
    func tapInARunningApp(link: String) async throws {
        try await Site.run { site in
            let phone = TestPhone(site)
            var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: site.server, preparing: ["welcome"])
            configuration.storage = phone.storage
            configuration.transport = phone.counted
            configuration.links = LinkRules(
                domains: LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"]))
            configuration.log = { _ in }
            let client = LandfallClient(configuration), started = ContinuousClock.now
            client.start()
            let before = try await client.paywall(for: "welcome", within: .seconds(10))
            #expect(before.paywall?.name == PaywallID("default"))
            let count = phone.counted.count

            client.receive(URL(string: link)!)
            let shown = try await client.paywall(for: "welcome", within: .seconds(10))

            #expect(shown.paywall?.name == PaywallID("summer"))
            // A second after its start the SDK asks beside a stream that a busy machine has not answered.
            #expect(phone.counted.count == count + 2 || started.duration(to: .now) > .seconds(1), "\(phone.counted.requests)")
            await client.shutdown()
        }
    }
}
