// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("The destination of a followed link", .timeLimit(.minutes(1)))
struct FollowedLinkTests {
    private static let domains = LinkDomains(brand: ["go.example.com"], universal: ["example.com"], schemes: ["example"])

    private func follow(_ url: String, _ decision: LinkDecision) throws -> FollowedLink {
        let address = try LinkAddress(url)
        return try FollowedLink(address, path: try LinkPath(address), decision: decision, domains: Self.domains)
    }

    @Test(
        "A short link leads to its destination with the visitor's own query and fragment",
        arguments: [
            ("", "https://example.com/summer", "https://example.com/summer"),
            ("?a=1", "https://example.com/summer", "https://example.com/summer?a=1"),
            ("?a=1", "https://example.com/summer?b=2", "https://example.com/summer?b=2&a=1"),
            ("?b=1&a", "https://example.com/summer?b=2", "https://example.com/summer?b=2&a"),
            ("#top", "https://example.com/summer?b=2", "https://example.com/summer?b=2#top"),
            ("#top", "https://example.com/summer#bottom", "https://example.com/summer#bottom"),
            ("?a=1#top", "example://summer#x", "example://summer?a=1#x"),
            ("?adj_t=abc&lf_campaign=x&a=1", "https://example.com/summer", "https://example.com/summer?a=1"),
            ("?lf_t=abc", "https://example.com/markets?adj_t=own", "https://example.com/markets?adj_t=own"),
            ("?a=%26%3D%0D%0A", "https://example.com/summer", "https://example.com/summer?a=%26%3D%0D%0A"),
            ("?a=1", "https://example.com/summer?", "https://example.com/summer?a=1"),
            ("?q=a+b&utm_campaign=summer+sale", "https://example.com/summer", "https://example.com/summer?q=a+b&utm_campaign=summer+sale"),
            ("?return=/shop?item=5", "https://example.com/summer", "https://example.com/summer?return=/shop?item=5"),
            ("?a=1?lf_t=2?b=3&c", "https://example.com/summer?x=why?", "https://example.com/summer?x=why?&a=1&c"),
            ("?&b&&a=%2f&", "https://Example.com:8443//A/?b=+#", "https://Example.com:8443//A/?b=+&&&a=%2f&#"),
            ("?", "https://example.com/summer/", "https://example.com/summer/"), ("#", "example:///a/", "example:///a/#"),
            ("#/r?lf_t=1&b=+", "https://example.com/summer", "https://example.com/summer#/r?b=+"),
            ("?a=1", "https://example.com/summer#\u{301}", "https://example.com/summer?a=1#\u{301}"),
            ("?a=1", "https://example.com/%FF?%FF=+", "https://example.com/%FF?%FF=+&a=1"),
        ])
    func merged(tail: String, destination: String, expected: String) throws {
        let link = StoredLink.sample("/beach", to: destination)

        #expect(try follow("https://go.example.com/beach" + tail, .stored(link)).resolved == expected)
    }

    @Test("Without the visitor's query if the whole would be too long for a link")
    func tooLong() throws {
        let link = StoredLink.sample("/beach", to: "https://example.com/" + String(repeating: "a", count: 1_500))

        let followed = try follow("https://go.example.com/beach?a=" + String(repeating: "b", count: 3_000), .stored(link))

        #expect(followed.resolved == link.destination)
    }

    @Test("A long link leads to itself", arguments: [LinkDecision.ownPath, .tracked, .notFound])
    func long(decision: LinkDecision) throws {
        let url = "https://go.example.com/summer?promo=beach&adj_t=abc#top"

        #expect(try follow(url, decision).resolved == url)
    }

    @Test(
        "A deep link in a short link counts only if it stays in the app",
        arguments: [
            ("example://offers/7", "example://offers/7"), ("https://example.com/offers", "https://example.com/offers"),
            ("https://evil.example/offers", "https://example.com/summer"), ("other://offers", "https://example.com/summer"),
            ("javascript:alert(1)", "https://example.com/summer"), ("https://evilexample.com/", "https://example.com/summer"),
        ])
    func deepLink(carried: String, expected: String) throws {
        let link = StoredLink.sample("/beach", to: "https://example.com/summer")

        #expect(try follow("https://go.example.com/beach?lf_deep_link=\(carried)", .stored(link)).resolved == expected)
    }

    @Test("Its labels are the link's, then its destination's, then the visitor's")
    func labels() throws {
        let link = StoredLink.sample(
            "/beach", to: "https://example.com/summer?adj_t=inner&adj_creative=inner&adj_campaign=inner",
            labels: LinkLabels(campaign: "summer", label: "poster"))

        let followed = try follow(
            "https://go.example.com/beach?lf_t=x&lf_campaign=x&lf_label=x&lf_creative=x&lf_adgroup=x&lf_channel=x",
            .stored(link))

        let expected = LinkLabels(
            tracker: "inner", campaign: "summer", adGroup: "x", creative: "inner", label: "poster", channel: "x")
        #expect(followed.labels == expected)
    }

    @Test("Labels written as parameters are read as the same labels")
    func labelItems() throws {
        let labels = LinkLabels(
            tracker: "t", campaign: "c & d=1", adGroup: "a?b", creative: "é", label: "+", channel: "mail")

        let address = try LinkAddress("example://x?" + FollowedLink.text(of: labels.trackingItems))

        #expect(LinkLabels(try LinkParameters(address)) == labels)
    }
}
