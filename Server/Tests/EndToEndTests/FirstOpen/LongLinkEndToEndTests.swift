// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Testing

@Suite("A long link over real HTTP", .serialized, .timeLimit(.minutes(2)))
struct LongLinkEndToEndTests {
    /// On a path of the example's `paths:`, which this app does not name.
    private static let long = URL(string: "https://brandname.go.link/summer-clothes?promo=beach&lf_campaign=summer")!

    private func client(_ phone: TestPhone, _ transport: (any Transport)? = nil) -> LandfallClient {
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: phone.site.server, preparing: ["welcome"])
        configuration.storage = phone.storage
        configuration.transport = transport ?? phone.counted
        configuration.links = LinkRules(
            domains: LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"]))
        configuration.log = { _ in }
        return LandfallClient(configuration)
    }

    @Test("After one first open a tap waits for no request, in this launch and the next; its click targets the paywall")
    func known() async throws {
        try await Site.run { site in
            let phone = TestPhone(site)
            let first = client(phone)
            first.start()
            _ = try await first.paywall(for: "welcome", within: .seconds(10))
            let sent = phone.counted.count

            let opened = await first.open(Self.long, from: .app)

            #expect(opened.status == .passedThrough)
            #expect(opened.destination == Destination(path: ["summer-clothes"], query: [.init("promo", "beach")]))
            #expect(phone.counted.count == sent)
            await first.shutdown()

            let second = client(phone, Unreachable())
            second.receive(Self.long)
            second.start()
            let offline = await second.nextLink()
            #expect(offline?.status == .passedThrough)
            offline?.markTaken()
            await second.shutdown()

            let third = client(phone)
            third.start()
            let shown = try await third.paywall(for: "welcome", within: .seconds(10))
            #expect(shown.paywall?.name == PaywallID("summer"))
            await third.shutdown()
        }
    }

    @Test("A phone that does not name a version gets no rules, and asks")
    func unaware() async throws {
        try await Site.run { site in
            let phone = TestPhone(site)
            let client = client(phone, WithoutLinkRules(counted: phone.counted))
            client.start()
            _ = try await client.paywall(for: "welcome", within: .seconds(10))
            let sent = phone.counted.count

            let opened = await client.open(Self.long, from: .app)

            #expect(opened.status == .passedThrough)
            #expect(phone.counted.count == sent + 1)
            await client.shutdown()
        }
    }
}

extension LandfallClient {
    fileprivate func nextLink() async -> ReceivedLink? {
        var links = links.makeAsyncIterator()
        return await links.next()
    }
}

/// As an SDK from before the rules.
private struct WithoutLinkRules: Transport {
    let counted: CountedTransport

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        var request = request
        request.headers["landfall-link-rules"] = nil
        return try await counted.send(request)
    }
}

private struct Unreachable: Transport {
    func send(_ request: TransportRequest) async throws -> TransportAnswer { throw TransportError(.offline) }
}
