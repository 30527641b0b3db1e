// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode

@Suite("Parsers", .serialized, .timeLimit(.minutes(2)))
struct LinearTimeTests {
    /// Twice the text, twice again: 4 is linear, 16 quadratic. What lies between is memory that is farther away.
    private static let mostGrowth = 7.0

    @Test("Four times the text takes at most about four times the work", arguments: Parsers.all)
    func isLinear(parser: ParserCost) {
        // Quadratic work shows at this length already; `LandfallBenchmarks parsers` goes up to the limits.
        let long = min(parser.longest, 65_536), short = long / 4
        var growth = Double.infinity
        // Other work on the machine can only make a run look longer: the least of several counts.
        for _ in 0..<4 where growth >= Self.mostGrowth {
            growth = min(growth, parser.seconds(bytes: long) / parser.seconds(bytes: short))
        }

        #expect(growth < Self.mostGrowth, "\(parser.name): \(growth) times the work for 4 times the text")
    }

    @Test("The hardest text of a parser is about as long as requested", arguments: Parsers.all)
    func length(parser: ParserCost) {
        let length = parser.text(parser.longest).utf8.count

        #expect(length <= parser.longest * 5 / 4)
        #expect(length >= parser.longest / 2)
    }

    @Test("A parser that reads everything again fails this test")
    func quadratic() {
        let slow = ParserCost("slow", repeating: "a") { text in
            var before = Substring()
            for end in stride(from: 0, to: text.utf8.count, by: 64) {
                before = text.prefix(end)
                if before.utf8.contains(0) { return true }
            }
            return false
        }

        #expect(slow.seconds(bytes: 16_384) / slow.seconds(bytes: 4_096) > Self.mostGrowth)
    }
}

extension ParserCost: CustomTestStringConvertible {
    public var testDescription: String { name }
}
