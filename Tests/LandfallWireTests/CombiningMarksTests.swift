// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("Combining marks")
struct CombiningMarksTests {
    private static let most = String(repeating: "\u{316}\u{300}", count: 15)

    @Test("Thirty marks in a row are accepted, one more is refused, whichever they are", arguments: ["\u{300}", "\u{F73}", "\u{1D165}"])
    func bound(mark: String) {
        #expect(CombiningMarks.areFew(in: "a" + Self.most + "b" + Self.most))
        #expect(CombiningMarks.areFew(in: "Tiếng Việt, שָׁלוֹם, 日本語, 👩‍👩‍👧"))
        #expect(!CombiningMarks.areFew(in: "a" + Self.most + mark))
        #expect(!CombiningMarks.areFew(in: Self.most + mark + "a"))
    }

    @Test("They are found behind percent-encoding and escapes, even if only both together are too many")
    func encoded() {
        #expect(CombiningMarks.areFew(percentEncoded: "/" + String(repeating: "%CC%96", count: 30)))
        #expect(!CombiningMarks.areFew(percentEncoded: "/" + String(repeating: "%CC%96", count: 31)))
        #expect(CombiningMarks.areFew(percentEncoded: "/%FF" + String(repeating: "%CC%96", count: 31)), "no UTF-8, no text")
        for escape in [#"\u0316"#, #"\U00000316"#, #"\uD834\uDD65"#] {
            #expect(CombiningMarks.areFew(escaped: Data((#"{""# + String(repeating: escape, count: 30) + #"":1}"#).utf8)))
            #expect(!CombiningMarks.areFew(escaped: Data((#"{""# + String(repeating: escape, count: 31) + #"":1}"#).utf8)))
            #expect(!CombiningMarks.areFew(escaped: Data((Self.most + escape).utf8)))
            #expect(CombiningMarks.areFew(escaped: Data((Self.most + #"\n"# + escape).utf8)))
        }
        #expect(CombiningMarks.areFew(escaped: Data(String(repeating: #"\\u0316"#, count: 40).utf8)), "an escaped backslash")
    }

    @Test("They are found across the lines that a backslash joins in YAML", arguments: ["\\\n", "\\\r\n \t", "\\\n    "])
    func joined(lineEnd: String) {
        func text(_ count: Int) -> Data { Data(("? \"a" + String(repeating: #"\u0316"# + lineEnd, count: count) + "\": 1").utf8) }

        #expect(CombiningMarks.areFew(escaped: text(30)))
        #expect(!CombiningMarks.areFew(escaped: text(31)))
        #expect(CombiningMarks.areFew(escaped: Data(String(repeating: "\"\u{316}\"\n", count: 40).utf8)), "lines of their own")
    }

    @Test("A link with too many is refused, plain or encoded")
    func link() {
        #expect(throws: InvalidLink(.forbiddenCharacter)) { try LinkAddress("https://h/?a" + Self.most + "\u{300}") }
        #expect(throws: InvalidLink(.invalidEncoding)) {
            try LinkAddress("https://h/?lf_a" + String(repeating: "%CC%96%CC%80", count: 16) + "=1").queryItems()
        }
    }
}
