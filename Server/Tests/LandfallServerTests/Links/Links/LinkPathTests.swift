// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("A link's path has one form", .timeLimit(.minutes(1)))
struct LinkPathTests {
    @Test(
        "however it was written",
        arguments: [
            ("", "/"), ("/", "/"), ("//", "/"), ("/beach", "/beach"), ("/beach/", "/beach"), ("//beach//", "/beach"),
            ("/Summer_Promotion", "/Summer_Promotion"), ("/BEACH", "/BEACH"), ("/%62each", "/beach"),
            ("/electronics/smartphones/apple", "/electronics/smartphones/apple"), ("/a%2Fb", "/a%2Fb"), ("/a%2fb", "/a%2Fb"),
            ("/%C3%A9t%c3%a9", "/%C3%A9t%C3%A9"), ("/été", "/%C3%A9t%C3%A9"), ("/a+b", "/a+b"), ("/100%", "/100%25"),
        ])
    func form(path: String, expected: String) throws {
        let link = try LinkAddress("https://go.example.com" + path)

        #expect(try LinkPath(link).text == expected)
    }

    @Test(
        "and is refused if it is not valid",
        arguments: [
            ("/..", InvalidLink.Reason.dotSegment), ("/a/../b", .dotSegment), ("/a/%2e%2E/b", .dotSegment),
            ("/./a", .dotSegment),
            ("/%FF", .invalidEncoding), ("/%00", .invalidEncoding), ("/%ED%A0%80", .invalidEncoding),
            ("/" + String(repeating: "a", count: 8192), .tooLong), ("/a\\b", .forbiddenCharacter),
            ("/a\r\nb", .forbiddenCharacter),
        ])
    func refused(path: String, reason: InvalidLink.Reason) throws {
        #expect(throws: InvalidLink(reason)) { try LinkPath(path) }
    }

    @Test(
        "The server's own paths are reserved, and only those",
        arguments: [
            ("/.well-known/apple-app-site-association", true), ("/.anything", true), ("/robots.txt", true),
            ("/favicon.ico", true), ("/v1/first-open", true), ("/healthz", true), ("/", false), ("/beach", false),
            ("/v1beta", false), ("/beach/v1", false),
        ])
    func reserved(path: String, expected: Bool) throws {
        #expect(try LinkPath(path).isReserved == expected)
    }
}
