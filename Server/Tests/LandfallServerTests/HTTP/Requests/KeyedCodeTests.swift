// SPDX-License-Identifier: Apache-2.0
import Crypto
import Testing

@testable import LandfallServer

@Suite("A keyed code")
struct KeyedCodeTests {
    @Test("is HMAC-SHA256, for any length of key and text", arguments: [0, 1, 16, 32, 63, 64], [0, 1, 55, 64, 200])
    func hmac(keyLength: Int, textLength: Int) {
        let key = (0..<keyLength).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        let text = String(repeating: "ä", count: textLength / 2) + String(repeating: "a", count: textLength % 2)
        let library = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key))

        var code = KeyedCode(key: key)
        code.add(text)

        #expect(code.number == library.prefix(8).reduce(into: Int64(0)) { $0 = $0 << 8 | Int64($1) })
    }

    @Test("is the same for a text in parts, and for its bytes; a copy is independent")
    func parts() {
        let keyed = KeyedCode(key: [1, 2, 3])
        var whole = keyed, parts = keyed, bytes = keyed
        whole.add("a\nb")
        parts.add("a")
        parts.add("\n")
        parts.add("b")
        bytes.add(Array("a\nb".utf8))

        #expect(parts.number == whole.number)
        #expect(bytes.number == whole.number)
        #expect(whole.number == whole.number)
        #expect(keyed.number != whole.number)
    }
}
