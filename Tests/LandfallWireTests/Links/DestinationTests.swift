// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("Destinations", .timeLimit(.minutes(1)))
struct DestinationTests {
    static let domains = LinkDomains(
        brand: ["brandname.go.link", "myapp.go.link"], universal: ["example.com"], schemes: ["example", "AdjustTests"]
    )
    static let beach = Destination(path: ["summer-clothes"], query: [.init("promo", "beach")])

    static func read(_ text: String) throws -> Destination { try Destination(LinkAddress(text), in: domains) }

    @Test(
        "The three forms of one destination are the same screen, with and without tracking parameters",
        arguments: [
            "https://brandname.go.link/summer-clothes?promo=beach", "https://example.com/summer-clothes?promo=beach",
            "example://summer-clothes?promo=beach", "example:///summer-clothes?promo=beach",
            "example://example.com/summer-clothes?promo=beach", "example:/summer-clothes?promo=beach",
            "EXAMPLE://summer-clothes?promo=beach", "http://example.com/summer-clothes?promo=beach",
        ], ["", "&adj_t=abc&adj_campaign=c", "&lf_t=abc", "&adjust_tracker=x&adjust_foo", "&ADJ_T=abc", "?adj_t=abc"])
    func sameScreen(link: String, tracking: String) throws {
        #expect(try Self.read(link + tracking) == Self.beach)
        #expect(Destination(try #require(URL(string: link + tracking)), in: Self.domains) == Self.beach)
    }

    @Test(
        "Malformed links that occur in practice",
        arguments: [
            // A second `?` is part of a value, except before a tracking parameter.
            (
                "https://example.com/summer-clothes?promo=beach?size=xl",
                Destination(path: ["summer-clothes"], query: [.init("promo", "beach?size=xl")])
            ),
            ("https://example.com/a?return=/shop?item=5", Destination(path: ["a"], query: [.init("return", "/shop?item=5")])),
            ("https://example.com/a?q=why?", Destination(path: ["a"], query: [.init("q", "why?")])),
            (
                "https://example.com/a?to=https://b.example/?x=1?adj_t=2",
                Destination(path: ["a"], query: [.init("to", "https://b.example/?x=1")])
            ),
            // No path.
            (
                "https://myapp.go.link?deep_link=myapp&adj_t=1fwu6wmd",
                Destination(path: [], query: [.init("deep_link", "myapp")])
            ),
            // An encoded link inside adj_deep_link: of each form, and one that is not the app's own.
            ("https://brandname.go.link/?adj_t=abc&adj_deep_link=example%3A%2F%2Fsummer-clothes%3Fpromo%3Dbeach", Self.beach),
            (
                "https://brandname.go.link/x?adj_deep_link=https%3A%2F%2Fexample.com%2Fsummer-clothes%3Fpromo%3Dbeach%26adj_t%3D1",
                Self.beach
            ),
            ("https://brandname.go.link/x?adj_deep_link=https%3A%2F%2Fevil.example%2Fpay", Destination(path: ["x"])),
            ("https://brandname.go.link/x?adj_deep_link=javascript%3Aalert(1)", Destination(path: ["x"])),
            // Upper-case host, trailing dot, port.
            ("https://EXAMPLE.com./summer-clothes?promo=beach", Self.beach),
            ("https://example.com:8443/summer-clothes?promo=beach", Self.beach),
            // A fragment that holds the route.
            ("https://example.com/#/route/7?tab=2&adj_t=abc", Destination(path: [], fragment: "/route/7?tab=2")),
            ("https://example.com/#/route?adj_t=abc&tab=2", Destination(path: [], fragment: "/route?tab=2")),
            ("https://example.com/#/route?tab=2?adj_t=abc", Destination(path: [], fragment: "/route?tab=2")),
            ("https://example.com/#/route?adj_t=abc", Destination(path: [], fragment: "/route")),
            ("https://example.com/#adj_t=abc&tab=2", Destination(path: [], fragment: "tab=2")),
            ("https://example.com/#adj_t=abc", Destination(path: [])),
            ("https://example.com/#lf_chapter", Destination(path: [], fragment: "lf_chapter")),
            ("https://example.com/#", Destination(path: [])),
            // Nothing at all.
            ("AdjustTests://", Destination(path: [])), ("https://example.com", Destination(path: [])),
            ("https://example.com/?", Destination(path: [])), ("https://example.com/?&&=x", Destination(path: [])),
            (
                "https://example.com/a?b&c=&d=e=f",
                Destination(path: ["a"], query: [.init("b"), .init("c", ""), .init("d", "e=f")])
            ),
        ])
    func inTheWild(link: String, destination: Destination) throws {
        #expect(try Self.read(link) == destination)
    }

    @Test(
        "A link of another host leads nowhere",
        arguments: [
            "https://evilgo.link/beach", "https://example.com.evil.example/", "https://sub.example.com/", "other://beach",
            "mailto:a@example.com",
        ])
    func foreign(link: String) {
        #expect(throws: InvalidLink(.foreign)) { try Self.read(link) }
        #expect(URL(string: link).flatMap { Destination($0, in: Self.domains) } == nil)
    }

    @Test("A name in a host's position is a segment, even if it equals a universal host")
    func singleLabel() throws {
        let domains = LinkDomains(universal: ["localhost"], schemes: ["example"])
        let destination = Destination(path: ["localhost", "a"])

        let printed = try #require(destination.text(inScheme: "example"))

        #expect(try Destination(LinkAddress(printed), in: domains) == destination)
        #expect(try Destination(LinkAddress("http://localhost:8080/a"), in: domains) == Destination(path: ["a"]))
    }

    @Test("A destination contains only valid parts")
    func kept() {
        let destination = Destination(
            path: ["a", "", ".", "..", "b"], query: [.init(""), .init("adj_t", "1"), .init("c", "2")], fragment: "")

        #expect(destination == Destination(path: ["a", "b"], query: [.init("c", "2")]))
    }

    @Test("A destination is printed in the usual form of each kind")
    func printed() throws {
        #expect(
            Self.beach.url(onHost: "brandname.go.link")?.absoluteString
                == "https://brandname.go.link/summer-clothes?promo=beach")
        #expect(Self.beach.url(inScheme: "example")?.absoluteString == "example://summer-clothes?promo=beach")
        #expect(Destination(path: []).url(inScheme: "example")?.absoluteString == "example://")
        #expect(Destination(path: ["example.com"]).text(inScheme: "example") == "example:///example.com")
        #expect(Self.beach.url(onHost: "exämple.com") == nil)
        #expect(Self.beach.url(onHost: "example.com/evil") == nil)
        #expect(Self.beach.url(inScheme: "https") == nil)
        #expect(Self.beach.url(inScheme: "javascript") == nil)
        #expect(Self.beach.url(inScheme: "no scheme") == nil)
    }
}
