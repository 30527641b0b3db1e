// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("The rules for links on the wire", .timeLimit(.minutes(1)))
struct WireLinkRulesTests {
    private static let rules = WireLinkRules(
        version: "3f9a0c1d2e4b5a69",
        brand: [
            .init(host: "links.example.com", paths: ["/products/*", "/help"]), .init(host: "news.example.com", paths: []),
        ])

    private static var answer: PaywallAnswer {
        var answer = PaywallAnswer(
            placement: "onboarding", locale: "en-us", kind: .default, audience: .everyone, revision: 7, profileId: nil, epoch: 0,
            profileVersion: 0, attributionVersion: 0, final: true, paywall: nil
        )
        answer.linkRules = rules
        return answer
    }

    @Test("A line with them, and a paywall's answer with them, are pinned by their golden files")
    func golden() throws {
        try expectGolden(FirstOpenLine.linkRules(Self.rules), "line-link-rules")
        try expectGolden(Self.answer, "paywall-answer-link-rules")
    }

    @Test("Rules of an unknown form do not hide a paywall, and their line of a stream is skipped")
    func unknownForm() throws {
        let text = String(decoding: try WireCoding.encode(Self.answer), as: UTF8.self)
            .replacingOccurrences(of: #""version":"3f9a0c1d2e4b5a69""#, with: #""version":{"major":2}"#)

        let answer = try WireCoding.decode(PaywallAnswer.self, from: Data(text.utf8))

        #expect(answer.linkRules == nil && answer.audience == .everyone)
        #expect(throws: DecodingError.self) {
            try WireCoding.decode(FirstOpenLine.self, from: Data(#"{"type":"linkRules","linkRules":[]}"#.utf8))
        }
    }

    @Test(
        "A version is 1 to 64 visible ASCII characters, so that it can be a header's value",
        arguments: [
            ("0", true), (String(repeating: "v", count: 64), true), ("", false), (String(repeating: "v", count: 65), false),
            ("a b", false), ("a\r\nb", false), ("é", false),
        ])
    func version(text: String, isValid: Bool) {
        #expect(WireLinkRules(version: text, brand: []).isValid == isValid)
    }

    @Test("Hosts and patterns have at most 16 KiB together")
    func size() {
        let host = "a.example"
        let pattern = PathPattern("/" + String(repeating: "a", count: WireLinkRules.most - host.utf8.count - 1))
        let largest = WireLinkRules(version: "v", brand: [.init(host: host, paths: [pattern])])
        let larger = WireLinkRules(version: "v", brand: [.init(host: host, paths: [pattern, "/"])])

        #expect(largest.isValid)
        #expect(!larger.isValid)
    }
}
