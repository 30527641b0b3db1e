// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("A page's token", .timeLimit(.minutes(1)))
struct DeferredTokenTests {
    @Test("A pasteboard token is found in the link that contains it, and alone")
    func pasteboard() throws {
        let token = DeferredToken.pasteboard()
        for url in ["https://go.example.com/a", "https://go.example.com/a?x=1#top", "https://go.example.com"] {
            let link = token.link(try LinkAddress(url))

            #expect(DeferredToken(presented: link) == token)
        }
        #expect(DeferredToken(presented: token.text) == token)
        #expect(token.text.utf8.count == 22)
    }

    @Test(
        "A token in the followed link is removed: the page's token wins",
        arguments: [
            ("https://go.example.com/a?lf_token=T1", "https://go.example.com/a?lf_token="),
            ("https://go.example.com/a?x=1,2&lf_token=T1&y=%26#top", "https://go.example.com/a?x=1,2&y=%26&lf_token="),
            ("https://go.example.com/a?x=1?lf_token=T1", "https://go.example.com/a?x=1&lf_token="),
            ("https://go.example.com/a?lf%5Ftoken=T1&lf_label=b", "https://go.example.com/a?lf_label=b&lf_token="),
            ("https://go.example.com/A//?q=a+b&&lf_token=T1&next=/c?d=%2f", "https://go.example.com/A//?q=a+b&&next=/c?d=%2f&lf_token="),
        ])
    func ownToken(url: String, base: String) throws {
        let (token, other) = (DeferredToken.pasteboard(), DeferredToken.pasteboard())
        let address = try LinkAddress(url.replacing("T1", with: other.text))

        let link = token.link(address)

        #expect(link.hasPrefix(base + token.text))
        #expect(DeferredToken(presented: link) == token)
    }

    @Test("A link that would be too long for the app is reduced to host and token")
    func long() throws {
        let token = DeferredToken.pasteboard()
        let address = try LinkAddress("https://go.example.com/a?x=" + String(repeating: "y", count: 2000))

        let link = token.link(address)

        #expect(link.utf8.count <= DeferredLinkRequest.longestToken)
        #expect(link == "https://go.example.com/?lf_token=\(token.text)")
        #expect(DeferredToken(presented: link) == token)
    }

    @Test("A code is the same in every typed form")
    func code() {
        let token = DeferredToken.code()
        for typed in [token.shown, token.text, token.text.lowercased(), token.shown.replacing("-", with: " ")] {
            #expect(DeferredToken(presented: typed) == token)
        }
        #expect(token.shown.utf8.count == 14)
    }

    @Test(
        "A text that cannot be a token is refused",
        arguments: [
            "", "x", "https://go.example.com/a", "https://go.example.com/a?lf_token=short", "0OIl0OIl0OIl0OIl0OIl0O",
            String(repeating: "a", count: 23), "AAAA-AAAA-AAA0", String(repeating: "1", count: 100_000), "\u{0}",
        ])
    func none(text: String) {
        #expect(DeferredToken(presented: text) == nil)
    }

    @Test("Tokens never repeat")
    func random() {
        #expect(Set((0..<1000).map { _ in DeferredToken.pasteboard() }).count == 1000)
        #expect(Set((0..<1000).map { _ in DeferredToken.code() }).count == 1000)
    }
}
