// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@Suite("The parts of a link", .timeLimit(.minutes(1)))
struct LinkAddressTests {
    @Test(
        "An unsafe link is refused with its reason",
        arguments: [
            ("", InvalidLink.Reason.empty), (" ", .forbiddenCharacter), ("no scheme", .forbiddenCharacter),
            ("brandname.go.link/beach", .noScheme), ("//brandname.go.link/beach", .noScheme), ("1a://x", .noScheme),
            (":x", .noScheme), ("exämple://x", .noScheme), ("javascript:alert(1)", .forbiddenScheme),
            ("JavaScript://brandname.go.link/%0aalert(1)", .forbiddenScheme), ("data:text/html,x", .forbiddenScheme),
            ("file:///etc/passwd", .forbiddenScheme), ("https://go.link/a\r\nSet-Cookie: x", .forbiddenCharacter),
            ("https://go.link/a\u{0}", .forbiddenCharacter), ("https://go.link\\@evil.example/", .forbiddenCharacter),
            ("https://go.link/a\u{85}", .forbiddenCharacter), ("https://go.link/a\u{2028}b", .forbiddenCharacter),
            ("https://go.link/a\\\u{301}", .forbiddenCharacter), ("https://go.link@evil.example/", .userInfo),
            ("https://user:pass@go.link/", .userInfo), ("https://gо.link/", .suspiciousHost), ("https://", .suspiciousHost),
            ("https:///beach", .suspiciousHost), ("https:beach", .suspiciousHost), ("https://go..link/", .suspiciousHost),
            ("https://.go.link/", .suspiciousHost), ("https://go.link../", .suspiciousHost), ("https://./", .suspiciousHost),
            ("https://go.link:80x/", .suspiciousHost), ("https://go_.link/", .suspiciousHost),
            ("https://go.lin\u{212A}/", .suspiciousHost), ("https://go.link%2eevil.example/", .suspiciousHost),
            ("https://go.link/\u{301}", nil), ("https://[::1]/", .suspiciousHost),
        ] as [(String, InvalidLink.Reason?)])
    func refused(text: String, reason: InvalidLink.Reason?) {
        var found: InvalidLink.Reason?
        do { _ = try LinkAddress(text) } catch { found = error.reason }

        #expect(found == reason)
    }

    @Test("A link has at most 4096 bytes")
    func length() throws {
        let start = "https://go.link/"
        let longest = start + String(repeating: "a", count: LinkAddress.longest - start.utf8.count)

        #expect(try LinkAddress(longest).text == longest)
        #expect(throws: InvalidLink(.tooLong)) { try LinkAddress(longest + "a") }
        #expect(throws: InvalidLink(.tooLong)) { try LinkAddress("https://go.link/" + String(repeating: "ä", count: 4096)) }
    }

    @Test(
        "Hosts are compared in lower case, without port and final dot",
        arguments: [
            "brandname.go.link", "BrandName.GO.Link", "brandname.go.link.", "brandname.go.link:443", "brandname.go.link.:",
        ])
    func host(text: String) throws {
        #expect(try LinkAddress("HTTPS://\(text)/Beach").host == "brandname.go.link")
        #expect(try LinkAddress("HTTPS://\(text)/Beach").path == "/Beach")
        #expect(try LinkAddress("HTTPS://\(text)?a").query == "a")
    }

    @Test("A combining character hides no delimiter")
    func combining() throws {
        let link = try LinkAddress("example://a/\u{301}b?\u{301}c=1#\u{301}d")

        #expect(link.authority == "a")
        #expect(link.query == "\u{301}c=1")
        #expect(link.fragment == "\u{301}d")
    }

    @Test(
        "Segments are decoded; '..' and bytes that are not UTF-8 are refused",
        arguments: [
            ("/a/b", ["a", "b"], nil), ("//a//b/", ["a", "b"], nil), ("", [], nil), ("/a%2Fb/c", ["a/b", "c"], nil),
            ("/%E2%9C%93", ["✓"], nil), ("/100%", ["100%"], nil), ("/%4", ["%4"], nil), ("/%zz", ["%zz"], nil),
            ("/a/../b", nil, .dotSegment), ("/a/%2e%2E/b", nil, .dotSegment), ("/./b", nil, .dotSegment),
            ("/%FF", nil, .invalidEncoding), ("/%C0%AE%C0%AE", nil, .invalidEncoding), ("/a%00", nil, .invalidEncoding),
        ] as [(String, [String]?, InvalidLink.Reason?)])
    func segments(path: String, segments: [String]?, reason: InvalidLink.Reason?) throws {
        let link = try LinkAddress("https://go.link" + path)
        var found: [String]?, refusal: InvalidLink.Reason?
        do { found = try link.segments() } catch { refusal = error.reason }

        #expect(found == segments)
        #expect(refusal == reason)
    }

    @Test(
        "Hosts match on label boundaries",
        arguments: [
            ("a.go.link", "*.go.link", true), ("a.b.go.link", "*.go.link", true), ("go.link", "*.go.link", false),
            ("evilgo.link", "*.go.link", false), (".go.link", "*.go.link", false), ("A.GO.LINK.", "*.go.link", true),
            ("brandname.go.link", "brandname.go.link", true), ("x.brandname.go.link", "brandname.go.link", false),
            ("brandname.go.link.evil.example", "brandname.go.link", false), ("go.link", "GO.link", true),
            ("", "*", false), ("a", "", false),
        ])
    func hosts(host: String, pattern: String, isMatch: Bool) {
        #expect(LinkDomains.matches(host, [pattern]) == isMatch)
    }

    @Test("Every reason has a sentence with advice")
    func sentences() {
        let reasons: [InvalidLink.Reason] = [
            .empty, .tooLong, .noScheme, .forbiddenScheme, .forbiddenCharacter, .suspiciousHost, .userInfo, .invalidEncoding,
            .dotSegment, .foreign,
        ]

        let sentences = Set(reasons.map { InvalidLink($0).description })

        #expect(sentences.count == reasons.count)
        #expect(sentences.allSatisfy { $0.hasSuffix(".") && $0.split(separator: ". ").count >= 2 })
    }
}
