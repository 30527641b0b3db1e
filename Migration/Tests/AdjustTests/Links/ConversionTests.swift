// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import Testing

@Suite("convertUniversalLink", .timeLimit(.minutes(1)))
struct ConversionTests {
    let server = AdjustServer()

    @Test(
        "A link of the app gets its app-scheme form without tracking parameters; any other gives nil",
        arguments: [
            ("https://brandname.go.link/summer-clothes?promo=beach", "example://summer-clothes?promo=beach"),
            ("https://example.com/summer-clothes?promo=beach&adj_t=abc#top", "example://summer-clothes?promo=beach#top"),
            ("https://BRANDNAME.go.link./a/b?adjust_t=1", "example://a/b"),
            ("example://summer-clothes?lf_t=1", "example://summer-clothes"),
            ("https://brandname.go.link/?adj_deep_link=example%3A%2F%2Fa%3Fb%3Dc", "example://a?b=c"),
            ("https://brandname.go.link", "example://"),
            ("https://example.com/A//b/?q=a+b&next=/c?d=1&&adj_t=1&e=%2f#", "example://A//b/?q=a+b&next=/c?d=1&&e=%2f#"),
            ("https://example.com/summer-clothes?promo=beach?adj_t=abc", "example://summer-clothes?promo=beach"),
            (
                "https://example.com/a?adjust_tracker=t&adjust_campaign=c&x=1&adjust_redirect=https%3A%2F%2Fexample.com&adjust_foo=1",
                "example://a?x=1"
            ),
            ("https://evilgo.link/a", nil),
            ("https://elsewhere.example.org/a", nil),
            ("javascript:alert(1)", nil),
        ] as [(String, String?)])
    func forms(_ link: String, _ expected: String?) throws {
        server.connection.start(with: server.client())

        #expect(server.connection.converted(try #require(URL(string: link)), scheme: "example")?.absoluteString == expected)
    }

    @Test(
        "A link on a host that the vendor gives to apps is what stands behind it, before start too",
        arguments: [
            ("", "example://"), ("/", "example://"), ("/path/?key=foo&value=bar", "example://path/?key=foo&value=bar"),
            ("/path", "example://path"), ("/path/", "example://path/"), ("/?key=foo&value=bar", "example://?key=foo&value=bar"),
            ("?key=foo&value=bar#top", "example://?key=foo&value=bar#top"), ("#", "example://#"), ("#top", "example://#top"),
            ("/path/#top", "example://path/#top"), ("/A/b%20c?q=a+b", "example://A/b%20c?q=a+b"),
            ("/?key=foo&adjust_redirect=x&value=bar#top", "example://?key=foo&value=bar#top"),
            ("/?adjust_redirect=x#top", "example://#top"), ("/my?path=location&client=name&adjust_t=klm012", "example://my?path=location&client=name"),
            ("/my?path=location&client=name?adjust_t=klm012", "example://my?path=location&client=name"),
            ("/my/path?adjust_t=abc123_987xyz", "example://my/path"), ("/%3Fpath?adjust_t=r40ncx7", "example://?path"),
            ("/%3Fscreen%3Dcart%26code%3DA?adjust_t=1", "example://?screen=cart&code=A"),
            ("/?adjust_t=1&adjust_deep_link=example%3A%2F%2Fa%2F%3Fb%3Dc", "example://a/?b=c"),
            ("/?adjust_t=1&adjust_deeplink=example%3A%2F%2Fa", "example://a"),
        ])
    func vendors(_ tail: String, _ expected: String) throws {
        for host in ["https://abcd.ulink.adjust.com/ulink", "http://abcd.adj.st", "https://z9pm.adj.st"] {
            let link = try #require(URL(string: host + tail))

            #expect(server.connection.converted(link, scheme: "example")?.absoluteString == expected, "\(link)")
        }
    }

    @Test(
        "Another host, and another path of the vendor's, is no link of an app",
        arguments: ["https://evilulink.adjust.com/ulink/a", "https://evil-adj.st/a", "https://abcd.ulink.adjust.com/a", "ftp://abcd.adj.st/a"])
    func notVendors(_ link: String) throws {
        server.connection.start(with: server.client())

        #expect(server.connection.converted(try #require(URL(string: link)), scheme: "example") == nil)
    }

    @Test("A text that is not an app's scheme gives nil", arguments: ["", "https", "java script", "javascript", "1a"])
    func noScheme(_ scheme: String) {
        server.connection.start(with: server.client())

        #expect(server.connection.converted(URL(string: "https://example.com/a")!, scheme: scheme) == nil)
    }

    @Test("Before start the app's links are not known")
    func notStarted() {
        #expect(server.connection.converted(URL(string: "https://example.com/a")!, scheme: "example") == nil)
    }
}
