// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import Testing

@testable import LandfallConsole

@Suite("Rules of a link as lines", .timeLimit(.minutes(1)))
struct LinkRouteLineTests {
    @Test(
        "A rule comes back from its line",
        arguments: [
            (NewLink.Route(country: ["DE", "AT"], platform: ["android"], to: "https://example.com/de?a=1,2"), "DE, AT android https://example.com/de?a=1,2"),
            (NewLink.Route(country: ["JP"], to: "example://ja"), "JP example://ja"),
            (NewLink.Route(platform: ["ios", "desktop"], to: "https://example.com/"), "ios, desktop https://example.com/"),
        ])
    func line(route: NewLink.Route, line: String) {
        #expect(route.line == line)
        #expect(NewLink.Route(line: line[...]) == route)
    }

    @Test(
        "A line is read as people write it; what is wrong in it stays for the rules",
        arguments: [
            ("  de,at,Android\thttps://example.com/  ", NewLink.Route(country: ["de", "at"], platform: ["android"], to: "https://example.com/")),
            ("IOS , CH example://a", NewLink.Route(country: ["CH"], platform: ["ios"], to: "example://a")),
            ("https://example.com/", NewLink.Route(to: "https://example.com/")), ("DE", NewLink.Route(to: "DE")), (",, x", NewLink.Route(to: "x")),
            ("Germany x", NewLink.Route(country: ["Germany"], to: "x")), ("", nil), (" \t ", nil),
        ] as [(String, NewLink.Route?)])
    func written(line: String, route: NewLink.Route?) { #expect(NewLink.Route(line: line[...]) == route) }
}
