// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import Landfall

@Suite("Which links need the server", .timeLimit(.minutes(1)))
struct LinkRulesTests {
    @Test(
        "The host decides it, never the look of the path",
        arguments: [
            ("https://brandname.go.link/beach", LinkRules.Route.ask), ("https://brandname.go.link/7z45F?promo=1", .ask),
            ("https://brandname.go.link/summer-clothes?adj_t=abc", .ask), ("https://BRANDNAME.go.link./beach", .ask),
            ("https://brandname.go.link", .direct), ("https://brandname.go.link/?adj_t=abc", .direct),
            ("https://brandname.go.link/products/7", .direct), ("https://brandname.go.link/products/", .direct),
            ("https://brandname.go.link/products", .ask), ("https://brandname.go.link/pr%6Fducts/7", .direct),
            ("https://example.com/beach", .direct), ("example://beach", .direct), ("other://beach", .direct),
            ("https://other.example/beach", .direct), ("https://evilbrandname.go.link/beach", .direct),
            ("https://click.mail.example/abc", .unwrap), ("http://a.wrap.example/abc", .unwrap),
            ("https://wrap.example/abc", .direct), ("https://evil-click.mail.example/abc", .direct),
            ("https://click.mail.example/abc?code=1&state=2", .direct),
            ("https://brandname.go.link/beach#access_token=1", .direct),
        ])
    func routes(link: String, route: LinkRules.Route) throws {
        #expect(LinkRules.example.route(of: try LinkAddress(link)) == route)
    }

    @Test("If no host is configured, https links are asked about", arguments: [true, false])
    func nothingConfigured(isWeb: Bool) throws {
        let link = try LinkAddress(isWeb ? "https://any.example/beach" : "any://beach")

        #expect(LinkRules().route(of: link) == (isWeb ? .ask : .direct))
    }

    @Test(
        "A link that was not resolved has no destination, unless it contains its deep link",
        arguments: [
            (LinkStatus.resolved, true), (.passedThrough, true), (.notFound, false), (.expired, false), (.timedOut, false),
            (.offline, false), (.disabled, false), (.invalid, false),
        ])
    func destinations(status: LinkStatus, leadsSomewhere: Bool) throws {
        let plain = try LinkAddress("https://brandname.go.link/beach")
        let carrying = try LinkAddress("https://brandname.go.link/beach?adj_deep_link=example%3A%2F%2Fsun")
        let foreign = try LinkAddress("https://brandname.go.link/beach?adj_deep_link=https%3A%2F%2Fevil.example%2Fsun")
        let rules = LinkRules.example

        #expect((rules.destination(of: plain, status: status) != nil) == leadsSomewhere)
        #expect((rules.destination(of: foreign, status: status) != nil) == leadsSomewhere)
        #expect(rules.destination(of: carrying, status: status) == (status == .invalid ? nil : Destination(path: ["sun"])))
    }

    @Test(
        "The app keeps its own links",
        arguments: [
            (URL.short, true), (.universal, true), (.scheme, true), (URL(string: "https://other.example/")!, false),
            (URL(string: "https://click.mail.example/")!, false), (URL(string: "mailto:a@example.com")!, false),
            (URL(string: "https://example.com/%FF")!, false),
        ])
    func handles(url: URL, isOwn: Bool) {
        #expect(Phone().linkApp().handles(url) == isOwn)
    }
}
