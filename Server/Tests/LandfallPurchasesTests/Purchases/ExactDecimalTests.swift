// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@Suite("A decimal number of the configuration", .timeLimit(.minutes(1)))
struct ExactDecimalTests {
    @Test(
        "is exactly its text, without zeros at the end",
        arguments: [
            ("0", "0"), ("12", "12"), ("0.19", "0.19"), ("1.0850", "1.085"), ("100", "100"), ("0.000000000000000001", nil),
            ("0.00000000000000001", "0.00000000000000001"), ("999999999999999999", "999999999999999999"), ("007.5", "7.5"),
            ("5.0", "5"),
        ] as [(String, String?)])
    func text(_ text: String, _ said: String?) {
        #expect(ExactDecimal(text)?.description == said)
    }

    @Test(
        "is nothing else",
        arguments: ["", ".", ".5", "5.", "-1", "+1", "1e3", "1,5", " 1", "1.2.3", "0x1", "1234567890123456789", "١"])
    func malformed(_ text: String) {
        #expect(ExactDecimal(text) == nil)
    }

    @Test("is equal to another form of the same number, and compared without rounding")
    func order() throws {
        let one = try #require(ExactDecimal("1.0850")), same = try #require(ExactDecimal("1.085"))
        let least = try #require(ExactDecimal("0.00000000000000001")), most = try #require(ExactDecimal("999999999999999999"))

        #expect(one == same)
        #expect(one.digits == 1085)
        #expect(one.divisor == 1000)
        #expect(least < one)
        #expect(one < most)
        #expect(!(same < one))
    }
}
