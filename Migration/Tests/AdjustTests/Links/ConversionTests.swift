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
            ("https://evilgo.link/a", nil),
            ("https://elsewhere.example.org/a", nil),
            ("javascript:alert(1)", nil),
        ] as [(String, String?)])
    func forms(_ link: String, _ expected: String?) throws {
        server.connection.start(with: server.client())

        #expect(server.connection.converted(try #require(URL(string: link)), scheme: "example")?.absoluteString == expected)
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
