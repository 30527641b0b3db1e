// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("A destination as it was written", .timeLimit(.minutes(1)))
struct WrittenDestinationTests {
    static let domains = DestinationTests.domains

    /// What stands behind the host, and the whole in the app's scheme.
    static let written: [(tail: String, inScheme: String)] = [
        ("", "example://"), ("/", "example://"), ("?", "example://?"), ("/#", "example://#"), ("/?#", "example://?#"),
        ("/search/?q=summer+shoes&next=/a?b=1", "example://search/?q=summer+shoes&next=/a?b=1"),
        ("/Summer/Air-Max", "example://Summer/Air-Max"), ("/a/", "example://a/"), ("/a//b///", "example://a//b///"),
        ("//a/b", "example:////a/b"), ("///", "example://///"),
        ("/a?b&c=&=d&&e=f&", "example://a?b&c=&=d&&e=f&"), ("/a?b=2&a=1&b=1", "example://a?b=2&a=1&b=1"),
        ("/a?return=/shop?item=5", "example://a?return=/shop?item=5"), ("/a??b=1?c=2", "example://a??b=1?c=2"),
        ("/a?x=%2b+%2B%20", "example://a?x=%2b+%2B%20"), ("/%61/%2F/%7e", "example:///%61/%2F/%7e"),
        ("/a%2Fb?x=%26%3d#%23", "example:///a%2Fb?x=%26%3d#%23"), ("/été?x=ä|{}\"<>^`#ß", "example:///été?x=ä|{}\"<>^`#ß"),
        ("/example.com/a", "example:///example.com/a"), ("/a@b:1/c", "example:///a@b:1/c"), ("/100%", "example:///100%"),
        ("/#/route?tab=2&x=+", "example://#/route?tab=2&x=+"), ("/a#?a=1?b=2&&", "example://a#?a=1?b=2&&"),
    ]

    @Test("Read from a link and printed, it has the bytes of the link", arguments: written)
    func kept(tail: String, inScheme: String) throws {
        let destination = try DestinationTests.read("https://example.com" + tail)

        #expect(destination.text(onHost: "example.com") == "https://example.com" + tail)
        #expect(destination.text(onHost: "brandname.go.link") == "https://brandname.go.link" + tail)
        #expect(destination.text(inScheme: "example") == inScheme)
        for form in [inScheme, "https://brandname.go.link" + tail] { #expect(try DestinationTests.read(form) == destination) }
    }

    @Test(
        "A link in the app's scheme keeps its slashes and what is in the host's position",
        arguments: [
            ("example://Summer/?a=+#", "https://example.com/Summer/?a=+#"), ("example:///Summer//x", "https://example.com/Summer//x"),
            ("example:/a", "https://example.com/a"), ("example:a?b", "https://example.com/a?b"),
            ("example://?a=b", "https://example.com/?a=b"), ("example://", "https://example.com/"),
            ("example://example.com/a/", "https://example.com/a/"), ("example://example.com?x", "https://example.com/?x"),
            ("example://user@a:80/b", "https://example.com/user@a:80/b"), ("example:////a", "https://example.com//a"),
        ])
    func scheme(link: String, web: String) throws {
        let destination = try DestinationTests.read(link)

        #expect(destination.text(inScheme: "example") == link)
        #expect(destination.text(inScheme: "AdjustTests") == link.replacing("example:", with: "AdjustTests:", maxReplacements: 1))
        #expect(destination.text(onHost: "example.com") == web)
        #expect(try DestinationTests.read(web) == destination)
    }

    @Test(
        "Only tracking parameters are taken out, with the mark before them",
        arguments: [
            ("/a?adj_t=1", "/a"), ("/a?adj_t=1&b=+", "/a?b=+"), ("/a?b=+&adj_t=1", "/a?b=+"), ("/a?b&adj_t=1&&c", "/a?b&&c"),
            ("/a/?b=1?adj_t=2?c=3&d=4", "/a/?b=1&d=4"), ("/a?b=1?ADJ_t=2&c=%2f", "/a?b=1&c=%2f"), ("/a?%61dj_t=1&b", "/a?b"),
            ("/a?b=1?adj_t", "/a?b=1?adj_t"), ("/a?b=1?c?lf_t=1", "/a?b=1?c"), ("/a??lf_t=1&b", "/a?&b"),
            ("/a?adj_t=1#", "/a#"), ("/a#adj_t=1", "/a"), ("/a#adj_t=1&b=+", "/a#b=+"), ("/#/r?adj_t=1&b=%2f", "/#/r?b=%2f"),
            ("/#/r?b=1?adj_t=2&c", "/#/r?b=1&c"), ("/#/r&b?adj_t=1&c", "/#/r&b?c"), ("/#lf_chapter", "/#lf_chapter"),
            ("/#?adj_t=1", "/#"), ("/#/r?lf_t=1?lf_u=2?c=1", "/#/r?c=1"), ("/a?adjective=1&lf=2", "/a?adjective=1&lf=2"),
        ])
    func tracking(tail: String, expected: String) throws {
        let destination = try DestinationTests.read("https://example.com" + tail)

        #expect(destination.text(onHost: "example.com") == "https://example.com" + expected)
        #expect(try LinkAddress("https://Example.com:8443" + tail).withoutTracking == "https://Example.com:8443" + expected)
        #expect(try DestinationTests.read("https://example.com" + expected) == destination)
    }

    @Test("Bytes make no difference to what is equal", arguments: ["/a/b?c=d#e", "//a//b/?&c=d&#e", "/%61/b?%63=d#%65"])
    func equal(tail: String) throws {
        let destination = Destination(path: ["a", "b"], query: [.init("c", "d")], fragment: "e")

        let read = try DestinationTests.read("https://example.com" + tail)

        #expect(read == destination)
        #expect(Set([read, destination]).count == 1)
    }

    @Test("It is stored and read again with its bytes, and without them from an earlier version")
    func coded() throws {
        let destination = try DestinationTests.read("https://example.com/a//?b=+#")

        let back = try JSONDecoder().decode(Destination.self, from: JSONEncoder().encode(destination))
        let old = try JSONDecoder().decode(Destination.self, from: Data(#"{"path":["a"],"query":[{"name":"b","value":"+"}]}"#.utf8))

        #expect(back.text(onHost: "h") == "https://h/a//?b=+#")
        #expect(old == destination)
        #expect(old.text(onHost: "h") == "https://h/a?b=%2B")
    }

    @Test("A query with some of its parameters is written as it was", arguments: [
        ("a=+&b=%2f&&lf_c=1", ["a", ""], "a=+&"), ("b=1&a=2?lf_c=3", ["a", "lf_c"], "a=2?lf_c=3"), ("a=1", ["b"], nil), ("", [""], ""),
        ("%61=1&b", ["a"], "%61=1"), ("%FF=1&b", ["%FF"], "%FF=1"),
    ] as [(String, Set<String>, String?)])
    func keeping(query: String, names: Set<String>, expected: String?) throws {
        let link = try LinkAddress("https://example.com/?" + query)

        #expect(link.query { names.contains($0) } == expected)
        #expect(try LinkAddress("https://example.com/").query { _ in true } == nil)
    }
}
