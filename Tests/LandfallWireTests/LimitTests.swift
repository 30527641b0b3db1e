// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@Suite("Limits count bytes", .timeLimit(.minutes(1)))
struct LimitTests {
    @Test(
        "A text is cut within its bytes and never inside a scalar",
        arguments: [
            ("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "abc"), ("abcd", 0, ""), ("é", 1, ""), ("é", 2, "é"), ("aé", 2, "a"),
            ("日本", 5, "日"), ("日本", 6, "日本"), ("👩‍👩‍👧", 4, "👩"), ("👩", 3, ""), ("e\u{301}\u{301}", 3, "e\u{301}"),
        ])
    func cut(text: String, bytes: Int, result: String) {
        #expect(text.cut(toBytes: bytes).hasSameBytes(as: result))
    }

    @Test("One character of many bytes is long")
    func grapheme() {
        let character = "e" + String(repeating: "\u{FE0F}", count: 16_000)

        #expect(character.count == 1)
        #expect(character.cut(toBytes: Limits.attributeText).utf8.count <= Limits.attributeText)
        #expect(!PathPattern("/" + character).isValid)
    }

    @Test("50 and 128 characters of any script fit")
    func generous() {
        let widest = "𝄞"

        #expect(String(repeating: widest, count: 50).utf8.count <= Limits.attributeText)
        #expect(String(repeating: widest, count: 50).utf8.count <= Limits.label)
        #expect(String(repeating: widest, count: 128).utf8.count <= Limits.customerID)
    }
}
