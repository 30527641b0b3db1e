// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallConsole
@testable import LandfallServer

@Suite("Sessions of the console", .timeLimit(.minutes(1)))
struct SessionTests {
    @Test("A token has 256 bits, is never printed, and its form token does not tell it")
    func token() {
        let token = SessionToken.drawn(), other = SessionToken.drawn()

        #expect(token.text.utf8.count == 43 && token != other)
        #expect("\(token)" == "SessionToken")
        #expect(token.formToken != other.formToken && !token.text.contains(token.formToken))
        #expect(SessionToken(token.text)?.hash == token.hash)
        for text in ["", "x", token.text + "a", token.text.dropLast() + " "] { #expect(SessionToken(text) == nil) }
    }

    @Test("A form is read as browsers write it; broken escapes, U+0000 and too many fields are refused")
    func forms() {
        #expect(FormText.fields("a=1&b=x+y%2Fz&a=2&c", most: 4) == ["a": "1", "b": "x y/z", "c": ""])
        #expect(FormText.fields("", most: 1) == [:])
        let marks = String(repeating: "%CC%80", count: 5_000)
        for text in [marks, "a=" + marks, "a=%", "a=%2", "a=%zz", "a=%00", "a=%ff", "a&b&c"] { #expect(FormText.fields(text, most: 2) == nil) }
    }
}
