// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallServer

@Suite("Parsers", .serialized, .timeLimit(.minutes(2)))
struct LinearTimeTests {
    @Test("The hardest text of a parser is about as long as was asked for", arguments: Parsers.all)
    func length(parser: ParserCost) {
        let length = parser.text(parser.longest).utf8.count

        #expect(length <= parser.longest * 5 / 4)
        #expect(length >= parser.longest / 2)
    }
}

extension ParserCost: CustomTestStringConvertible {
    public var testDescription: String { name }
}
