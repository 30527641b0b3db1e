// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@Suite("A token of a deferred link, found or typed")
struct DeferredLinkTokenTests {
    @Test(
        "is sent without the characters that people and keyboards add",
        arguments: [
            ("ABCD2345EFGH", "ABCD2345EFGH"), ("abcd2345efgh", "abcd2345efgh"), (" ABCD2345EFGH\n", "ABCD2345EFGH"),
            ("ABCD-2345-EFGH", "ABCD2345EFGH"), ("ABCD 2345 EFGH", "ABCD2345EFGH"), ("ABCD – 2345 — EFGH", "ABCD2345EFGH"),
            ("ABCD\u{A0}2345\u{3000}EFGH", "ABCD2345EFGH"), ("ＡＢＣＤ－２３４５ｅｆｇｈ", "ABCD2345efgh"),
            ("4Hq3bWkPz 9TyRfUmNcXvAs", "4Hq3bWkPz9TyRfUmNcXvAs"),
            (String(repeating: "a-", count: 512), String(repeating: "a", count: 512)),
        ])
    func typed(text: String, token: String) {
        #expect(DeferredLinkRequest.token(from: text) == token)
    }

    @Test("is an unchanged link", arguments: ["https://go.example.com/a-b?lf_token=4Hq3b", "example://a-b?lf_token=4Hq3b-x"])
    func link(text: String) {
        #expect(DeferredLinkRequest.token(from: " \(text)\n") == text)
    }

    @Test("is the same if it is normalised again", arguments: ["ABCD-2345 EFGH", "https://go.example.com/a-b?lf_token=4Hq3b"])
    func again(text: String) throws {
        let token = try #require(DeferredLinkRequest.token(from: text))

        #expect(DeferredLinkRequest.token(from: token) == token)
    }

    @Test(
        "is nil for any other text",
        arguments: [
            "", " ", "-", " – \n", "4f2ä", "a\u{7}b", "\u{0}", String(repeating: "a", count: 513),
            String(repeating: " ", count: 100_000), "https://go.example.com/" + String(repeating: "a", count: 512),
        ])
    func none(text: String) {
        #expect(DeferredLinkRequest.token(from: text) == nil)
    }
}
