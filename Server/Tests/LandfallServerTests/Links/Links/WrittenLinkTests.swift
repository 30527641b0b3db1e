// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

/// The public test data of web addresses is read where it is: at `LANDFALL_URL_TEST_DATA`, or where Debian's librust-url-dev has it.
@Suite("A link is what was written, byte for byte", .timeLimit(.minutes(1)))
struct WrittenLinkTests {
    private static let domains = LinkDomains(brand: ["go.example.com"], universal: ["example.com"], schemes: ["example"])
    private static let app = App(
        id: AppID("example"), name: "Example", bundleID: "com.example.app", teamID: nil, scheme: "example", appStoreID: 1)

    /// What stands behind a host.
    static let tails = [
        "", "/", "?", "#", "/?#", "/search/?q=summer+shoes&next=/a?b=1", "/a//b///?c", "//a/./b/../c", "/A/%61%2F%2f/%7e?x=%2b+%2B%20#%23",
        "/a?b&c=&=d&&e=f&", "/a?b=2&a=1&b=1", "/a??b=1?c=2", "/100%?%", "/%FF?%83%65=%E9#%FE", "/a@b:1/c;d=e,f", "/'()*!$|{}\"<>^`?[]",
        "/#/route?tab=2&x=+", "/a#?a=1?b=2&&", "/?utm_campaign=summer+sale&utm_source=news%20letter",
    ]

    /// - Returns: what the link answers to a browser on a desktop whose way is the web site.
    private func followed(_ to: String, tapped: String = "", ways: PlatformWays = PlatformWays()) throws -> FollowedLink {
        let address = try LinkAddress("https://go.example.com/beach" + tapped)
        var link = StoredLink.sample("/beach", to: to)
        link.ways = ways
        return try FollowedLink(address, path: try LinkPath(address), decision: .stored(link), domains: Self.domains)
    }

    private func location(_ link: FollowedLink, _ platform: BrowserPlatform = .desktop) -> String? {
        let visitor = LinkVisitor(kind: .person, platform: platform, isInApp: false, isMac: false)
        let question = LinkQuestion(host: "go.example.com", target: "/beach", visitor: visitor, isAhead: false)
        let reply = LinkReply(
            link, to: question, Self.app, Self.domains, usual: PlatformWays(ios: [.site], android: [.site], desktop: [.site]), times: .min ..< .max)
        guard case .redirect(let head) = reply.form else { return nil }
        return head.fields[.location]
    }

    private func isKept(_ to: String) throws -> Bool {
        let link = try followed(to)
        return link.resolved.hasSameBytes(as: to) && location(link).map { $0.hasSameBytes(as: to.asciiOnly) } == true
    }

    /// - Returns: false also if the app's own form is another destination.
    private func isKeptInApp(_ to: String) throws -> Bool {
        let link = try followed(to)
        let visitor = LinkVisitor(kind: .person, platform: .ios, isInApp: true, isMac: false)
        guard link.resolved.hasSameBytes(as: to), let shown = LinkOpening(link, visitor, Self.app, Self.domains).appAddress else { return false }
        return shown.hasSameBytes(as: to)
    }

    @Test("A destination in a browser, of the team's site, of another port of it, and of another site", arguments: tails)
    func inBrowser(tail: String) throws {
        for host in ["example.com", "Example.com.", "example.com:8443", "elsewhere.example.org"] {
            #expect(try isKept("https://\(host)\(tail)"), "\(host)")
        }
    }

    @Test("A destination in the app's scheme", arguments: [
        "example://", "example:///", "example://Summer//x/?q=a+b&next=/a?b=1#", "example:/a/?b&&", "example:a", "example://example.com/a/",
        "example://a:80/%2f?c=%2b", "example:////a#/r?b=1",
    ])
    func inScheme(to: String) throws {
        #expect(try isKeptInApp(to))
    }

    @Test("Only tracking parameters are taken out", arguments: [
        ("https://example.com:8443/a//?q=a+b&adj_t=1&c=/d?e=f?lf_x=2#/r?adj_t=3&g=+", "https://example.com:8443/a//?q=a+b&c=/d?e=f#/r?g=+"),
        ("https://example.com/?lf_t=1", "https://example.com/"), ("example://a/?lf_t=1&b=+#", "https://example.com/a/?b=+#"),
        ("https://go.example.com/own//7/?adj_t=1&q=a+b", "https://example.com/own//7/?q=a+b"),
        ("https://go.example.com/?adj_deep_link=https%3A%2F%2Fexample.com%2Fa%2F%3Fq%3Da%2Bb", "https://example.com/a/?q=a+b"),
    ])
    func tracking(to: String, expected: String) throws {
        let link = try followed(to)

        #expect(link.resolved == to)
        #expect(location(link) == expected)
    }

    @Test("The query of the tapped link", arguments: [
        "q=a+b", "return=/shop?item=5", "a=%2f%2B&&b&=c&", "utm_campaign=summer+sale&utm_medium=e-mail", "x='()*!$|{}\"<>^`[]", "?", "a=1?b=2?",
    ])
    func tapped(query: String) throws {
        let link = try followed("https://example.com/summer/", tapped: "?lf_t=1&\(query)&adj_campaign=x")

        #expect(link.resolved == "https://example.com/summer/?\(query)")
        #expect(location(link) == "https://example.com/summer/?\(query)")
    }

    @Test("An address among the ways of a link or a domain has the tapped query too", arguments: BrowserPlatform.allCases)
    func ways(platform: BrowserPlatform) throws {
        let way = [LinkWay.web("https://www.example.org:8443/Landing/?a=+#top")]
        let own = try followed("https://example.com/summer", tapped: "?q=a+b&lf_t=1&a=2", ways: PlatformWays(ios: way, android: way, desktop: way))
        let untouched = try followed("https://example.com/summer", ways: PlatformWays(ios: way, android: way, desktop: way))

        #expect(location(own, platform) == "https://www.example.org:8443/Landing/?a=+&q=a+b#top")
        #expect(location(untouched, platform) == "https://www.example.org:8443/Landing/?a=+#top")
    }

    @Test("A visitor leads nobody to another port of the site")
    func visitorsPort() throws {
        let address = try LinkAddress("https://go.example.com/x?adj_t=1&adj_deep_link=https%3A%2F%2Fexample.com%3A8443%2Fa%2F%3Fb%3D%2B")
        let link = try FollowedLink(address, path: try LinkPath(address), decision: .tracked, domains: Self.domains)

        #expect(location(link) == "https://example.com/a/?b=+")
    }

    @Test("Every destination in the public test data of web addresses, as it is and moved to the app's hosts and scheme")
    func publicData() throws {
        var all = 0
        var changed: [String] = []
        func count(_ text: String, _ isKept: Bool?) {
            all += 1
            if isKept != true { changed.append(text) }
        }
        for address in try Self.publicAddresses() {
            let whole = "https:\(address)", own = "example:\(address)"
            let tail = address.hasPrefix("//") ? String(address.dropFirst(2).drop { !"/?#".contains($0) }) : "/" + address.drop { $0 == "/" }
            let places = ["https://example.com", "https://example.com:8443", "https://elsewhere.example.org"]
            for to in [whole] + places.map({ $0 + tail }) where (try? LinkRules.destination(to, of: Self.domains, isTrusted: true)) != nil {
                count(to, try? isKept(to))
            }
            if let link = try? LinkAddress(own), (try? Destination(link, in: Self.domains)) != nil { count(own, try? isKeptInApp(own)) }
            guard let query = try? LinkAddress(own).query, let link = try? followed("https://example.com/a/", tapped: "?\(query)") else { continue }
            count("?\(query)", location(link) == "https://example.com/a/\(query.isEmpty ? "" : "?\(query)".asciiOnly)")
        }
        #expect(changed.isEmpty, "\(changed.count) of \(all)")
        if all > 0 { print("Public test data of web addresses: \(all - changed.count) of \(all) kept byte for byte.") }
    }

    /// What stands behind a scheme and its colon. Empty where the data is not.
    private static func publicAddresses() throws -> Set<String> {
        let crates = "/usr/share/cargo/registry"
        let packaged = ((try? FileManager.default.contentsOfDirectory(atPath: crates)) ?? []).filter { $0.hasPrefix("url-") }
            .map { "\(crates)/\($0)/tests/urltestdata.json" }
        let named = ProcessInfo.processInfo.environment["LANDFALL_URL_TEST_DATA"].map { [$0] } ?? packaged
        var addresses: Set<String> = []
        for path in named where FileManager.default.fileExists(atPath: path) {
            let cases = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [Any] ?? []
            for entry in cases.compactMap({ $0 as? [String: Any] }) {
                for text in ["input", "href"].compactMap({ entry[$0] as? String }) {
                    if let colon = text.firstIndex(of: ":") { addresses.insert(String(text[text.index(after: colon)...])) }
                }
                let parts = ["pathname", "search", "hash"].compactMap { entry[$0] as? String }
                if parts.first?.hasPrefix("/") == true { addresses.insert("//x" + parts.joined()) }
            }
        }
        return addresses
    }
}
