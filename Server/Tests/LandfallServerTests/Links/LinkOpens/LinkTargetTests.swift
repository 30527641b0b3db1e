// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallWire
import Synchronization
import Testing

@testable import LandfallNode
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("Where a tap goes", .timeLimit(.minutes(1)))
struct LinkTargetTests {
    private static let go = "https://go.example.com"
    private static let store = "https://apps.apple.com/app/id1234567890"
    private static let play = "https://play.google.com/store/apps/details?id=com.example.android&referrer="
    private static let country = HTTPField.Name("CF-IPCountry")!

    /// - Parameters:
    ///   - links: of the file.
    ///   - domain: what the brand domain has besides its host.
    private func run(
        _ links: String, domain: String = "", _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let yaml =
            TestServer.brandApp + """
                keys: [{ sdk: pk_test }]
                paywalls: { default: {} }
                placements: { onboarding: [{ audience: everyone, paywall: default }] }
                domains: { brand: [{ host: go.example.com\(domain) }], universal: [example.com] }
                links: [\(links)]

                """
        try await TestServer.run(
            configuration: try Configuration(yaml: yaml, environment: { _ in nil }), proxies: try TrustedProxies(["10.0.0.0/8"]),
            countryHeader: Self.country, body)
    }

    private func location(_ browser: Browser, _ path: String, _ server: TestServer) async throws -> String? {
        try await browser.open(Self.go + path, in: server).location
    }

    private func from(_ country: String, _ userAgent: String) -> Browser {
        Browser(userAgent: userAgent, address: "10.1.2.3", headers: [Self.country: country])
    }

    // MARK: - Campaigns

    @Test("A link's own campaign comes before the tapped link's, and utm_campaign is the last")
    func campaign() async throws {
        let links = "{ url: https://go.example.com/beach, to: https://example.com/offers }, { url: https://go.example.com/own, to: https://example.com/offers, campaign: own }, { url: https://go.example.com/to, to: 'https://example.com/?utm_campaign=to' }"
        try await run(links) { server in
            for (path, query) in [
                ("/beach?utm_campaign=May+sale&utm_source=news", "?ct=May%20sale&mt=8"),
                ("/beach?utm_campaign=b&lf_campaign=a", "?ct=a&mt=8"), ("/own?utm_campaign=b&lf_campaign=a", "?ct=own&mt=8"),
                ("/to?utm_campaign=b", "?ct=to&mt=8"), ("/beach?utm_campaign=M%C3%BCnchen^", "?ct=M_nchen_&mt=8"),
                ("/beach?utm_campaign=%E5%A4%8F", ""), ("/beach?utm_campaign=", ""),
                ("/beach?utm_campaign=\(String(repeating: "a", count: 50))", "?ct=\(String(repeating: "a", count: 40))&mt=8"),
            ] {
                let location = try await location(.onPhone, path, server)
                #expect(location == Self.store + query)
            }
        }
    }

    @Test("Google Play's referrer has the tapped link's utm parameters beside the labels")
    func referrer() async throws {
        try await run("{ url: https://go.example.com/beach, to: https://example.com/offers }") { server in
            let location = try await location(.onAndroid, "/beach?utm_source=news&x=1&utm_campaign=may", server)

            #expect(
                location == Self.play
                    + "lf_link%3Dgo.example.com%2Fbeach%26lf_campaign%3Dmay%26lf_channel%3Dnews%26utm_source%3Dnews%26utm_campaign%3Dmay")
        }
    }

    @Test("A click is counted under the utm parameters of the tapped link")
    func counted() async throws {
        try await run("{ url: https://go.example.com/beach, to: https://example.com/offers, channel: own }") { server in
            _ = try await Browser.onPhone.open(
                Self.go + "/beach?utm_source=news&utm_medium=mail&utm_campaign=may&utm_term=sun&utm_content=top", in: server)

            let click = try await server.onlyClick()
            let labels = ["channel", "ad_group", "campaign", "creative"].map { click.optionalText($0) }
            #expect(labels == ["own", "mail", "may", "top"])
        }
    }

    @Test("A plus in a utm parameter is a space, the first of several counts, and the case of its name does not")
    func labels() throws {
        let link = try LinkAddress("https://h.example/?lf_campaign=a&utm_campaign=b&utm_source=S+1&UTM_Medium=m&utm_term=%2B&utm_term=z&utm_content=")

        let labels = LinkLabels(link, try LinkParameters(link))

        #expect(labels == LinkLabels(campaign: "a", adGroup: "m", channel: "S 1", keyword: "+"))
        let fact = AttributionFact(
            labels, code: nil, attributes: true, id: "a", clickedAtMs: 0, recordedAtMs: 0, windows: AttributionWindows())
        #expect(fact?.keywordKey == "+")
    }

    // MARK: - Stores

    @Test("The page of the store is the link's, else its domain's")
    func storePage() async throws {
        let links = "{ url: https://go.example.com/plain, to: https://example.com/a }, { url: https://go.example.com/own, to: https://example.com/a, ppid: own-page, ct: own ct }"
        try await run(links, domain: ", ppid: domain-page, pt: 7, ct: usual") { server in
            for (path, query) in [
                ("/plain", "?pt=7&ct=usual&mt=8&ppid=domain-page"), ("/plain?utm_campaign=x", "?pt=7&ct=x&mt=8&ppid=domain-page"),
                ("/own?utm_campaign=x", "?pt=7&ct=own%20ct&mt=8&ppid=own-page"),
            ] {
                let location = try await location(.onPhone, path, server)
                #expect(location == Self.store + query)
            }
        }
    }

    @Test("A store's address that somebody wrote counts as sent to the store, and the page's button keeps its parameters")
    func writtenStore() async throws {
        let written = "https://apps.apple.com/app/id1?ppid=a&ct=b"
        try await run("{ url: https://go.example.com/beach, to: https://example.com/a, ios: '\(written)' }") { server in
            let location = try await location(.onPhone, "/beach", server)
            #expect(location == written)
            let outcome = try await server.onlyClick().text("outcome")
            #expect(outcome == "store")
            let page = try await Browser.inInstagram.open(Self.go + "/beach", in: server)
            #expect(page.status == 200)
            #expect(page.links == ["example://a", written, "https://example.com/a"])
        }
    }

    // MARK: - Countries, platforms, times

    @Test("The first entry that matches country and platform leads the visitor, also right after a visitor of another country")
    func routes() async throws {
        let when = "[{ country: [DE], platform: [android], to: 'https://example.com/de' }, { country: [at, DE], to: 'example://de' }]"
        try await run("{ url: https://go.example.com/r, to: https://example.com/offers, when: \(when) }") { server in
            for _ in 0..<2 {
                let german = try await location(from("DE", Browser.android), "/r?x=1", server)
                #expect(german == "https://example.com/de?x=1")
                let american = try await location(from("US", Browser.android), "/r?x=1", server)
                #expect(american?.hasPrefix(Self.play) == true)
            }
            let iPhone = try await location(from("DE", Browser.safari), "/r", server)
            #expect(iPhone == Self.store)
            let austrian = try await from("AT", Browser.instagram).open(Self.go + "/r", in: server).links.first
            #expect(austrian == "example://de")
            let unknown = try await from("XX", Browser.instagram).open(Self.go + "/r", in: server).links.first
            #expect(unknown == "example://offers")
            // Only a trusted proxy says a country.
            let untrusted = Browser(userAgent: Browser.android, headers: [Self.country: "DE"])
            let stranger = try await location(untrusted, "/r", server)
            #expect(stranger?.hasPrefix(Self.play) == true)
        }
    }

    @Test("A platform alone leads too, and Safari on an iPad or a Mac is a desktop")
    func platforms() async throws {
        let when = "[{ platform: [desktop], to: 'https://example.com/desk' }]"
        try await run("{ url: https://go.example.com/r, to: https://example.com/offers, when: \(when) }") { server in
            for userAgent in [Browser.windows, Browser.mac] {
                let location = try await location(Browser(userAgent: userAgent), "/r", server)
                #expect(location == "https://example.com/desk")
            }
            let iPhone = try await location(.onPhone, "/r", server)
            #expect(iPhone == Self.store)
        }
    }

    @Test("In the app a route for iPhones or for everybody of the country replaces the destination")
    func inApp() async throws {
        let when = "[{ country: [DE], to: 'example://de' }, { platform: [android], to: 'example://droid' }]"
        try await run("{ url: https://go.example.com/r, to: https://example.com/offers, when: \(when) }") { server in
            let links = server.services.links, snapshot = server.services.snapshot
            let german = try await links.open(Self.go + "/r", in: snapshot, from: nil, country: "DE", nowMs: 1)
            let unknown = try await links.open(Self.go + "/r", in: snapshot, from: nil, nowMs: 1)

            #expect(german.answer.resolved == "example://de")
            #expect(unknown.answer.resolved == "https://example.com/offers")
        }
    }

    @Test("Before its start a link shows a page that says so, and counts as one that leads nowhere")
    func early() async throws {
        try await run("{ url: https://go.example.com/soon, to: https://example.com/a, starts: 2999-01-01 }") { server in
            let answer = try await Browser.onPhone.open(Self.go + "/soon", in: server)

            #expect(answer.status == 410)
            #expect(answer.body.contains("This link has not started yet"))
            let outcome = try await server.onlyClick().text("outcome")
            #expect(outcome == "expired")
        }
    }

    // MARK: - Upper and lower case

    @Test("Where a domain ignores case a written suffix is found in any, and a random code only as it is")
    func suffixes() async throws {
        let links = "{ url: https://go.example.com/Beach/%C3%84, to: https://example.com/beach }"
        try await run(links, domain: ", suffixes: ignoreCase, ios: web") { server in
            let codes = Codes()
            let making = LinkCreation(links: server.services.links, snapshot: server.services.snapshot, drawCode: codes.next)
            var written = NewLink(to: "https://example.com/pool")
            written.suffix = "Pool"

            let made = try await making.make([NewLink(to: "https://example.com/random"), written], nowMs: 1)

            #expect(made.map(\.address) == ["https://go.example.com/aBaaaaaa", "https://go.example.com/pool"])
            for (path, place) in [
                ("/BEACH/%C3%84", "beach"), ("/beach/%C3%84", "beach"), ("/pool", "pool"), ("/POOL", "pool"), ("/aBaaaaaa", "random"),
                ("/ABAAAAAA", nil), ("/abaaaaaa", nil), ("/beach/%C3%A4", nil),
            ] as [(String, String?)] {
                let location = try await location(.onPhone, path, server)
                #expect(location == place.map { "https://example.com/\($0)" }, "\(path)")
            }
        }
    }

    @Test("Clicks in any case are the link's")
    func suffixClicks() async throws {
        try await run("{ url: https://go.example.com/beach, to: https://example.com/beach }", domain: ", suffixes: ignoreCase") { server in
            _ = try await Browser.onPhone.open(Self.go + "/BEACH", in: server)

            let path = try await server.onlyClick().text("link_path")
            #expect(path == "/beach")
        }
    }
}

/// The first code has no capital.
private final class Codes: Sendable {
    private let left = Mutex(["aaaaaaaa", "aBaaaaaa", "aCaaaaaa"])
    @Sendable func next() -> String { left.withLock { $0.removeFirst() } }
}
