// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("The combined meaning of an install's facts", .timeLimit(.minutes(1)))
struct AttributionPrecedenceTests {
    private static func fact(
        _ id: String, _ source: AttributionSource, _ status: AttributionClaim.Status, at saidAtMs: Int64
    ) -> AttributionFact {
        AttributionFact(id: id, source: source, status: status, saidAtMs: saidAtMs, recordedAtMs: saidAtMs)
    }

    private static let apple = fact("a", .appleAds, .nonOrganic, at: 50)
    private static let appleOrganic = fact("b", .appleAds, .organic, at: 1)
    private static let tenjin = fact("c", "tenjin", .nonOrganic, at: 10)
    private static let adjust = fact("d", "adjust", .nonOrganic, at: 20)
    private static let organic = fact("e", "kochava", .organic, at: 0)
    private static let unknown = fact("f", "branch", .unknown, at: 0)

    @Test(
        "The winner",
        arguments: [
            ([], nil, []),
            ([unknown], nil, []),
            ([organic, unknown], "e", []),
            ([appleOrganic, organic], "b", []),
            ([tenjin, organic, appleOrganic], "c", ["tenjin"]),
            ([adjust, tenjin], "c", ["tenjin", "adjust"]),
            ([adjust, tenjin, apple, organic], "a", ["apple_search_ads", "tenjin", "adjust"]),
        ] as [([AttributionFact], String?, [AttributionSource])])
    func winner(facts: [AttributionFact], winner: String?, sources: [AttributionSource]) {
        let precedence = AttributionPrecedence(facts)

        #expect(precedence.winner?.id == winner)
        #expect(precedence.appliedSources == sources)
    }

    @Test("A guessed link wins only over organic, and comes last among the applied sources")
    func guessed() {
        let guess = Self.fact("g", .link, .nonOrganic, at: 0)

        let alone = AttributionPrecedence([Self.organic, Self.appleOrganic, guess])
        let late = AttributionPrecedence([Self.adjust, guess, Self.tenjin])

        #expect(alone.winner == guess)
        #expect(alone.appliedSources == [.link])
        #expect(late.winner == Self.tenjin)
        #expect(late.appliedSources == ["tenjin", "adjust", .link])
    }

    @Test("At the same instant the id decides, so that two nodes agree")
    func tie() {
        let one = Self.fact("1", "tenjin", .nonOrganic, at: 5), two = Self.fact("2", "adjust", .nonOrganic, at: 5)

        #expect(AttributionPrecedence([two, one]).winner == one)
    }

    @Test("The order of the facts does not matter", arguments: 1...200 as ClosedRange<UInt64>)
    func order(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        let sources: [AttributionSource] = [.appleAds, "tenjin", "adjust", "kochava"]
        let facts = (0..<Int.random(in: 0...8, using: &dice)).map { number in
            Self.fact(
                "\(number)", sources.randomElement(using: &dice)!,
                AttributionClaim.Status.allCases.randomElement(using: &dice)!,
                at: .random(in: 0...3, using: &dice)
            )
        }
        let expected = AttributionPrecedence(facts)

        for _ in 0..<10 { #expect(AttributionPrecedence(facts.shuffled(using: &dice)) == expected) }
    }

    @Test("Once paid, no later fact makes it organic", arguments: 1...100 as ClosedRange<UInt64>)
    func paidStays(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        var facts = [Self.tenjin]
        for number in 0..<6 {
            let status = AttributionClaim.Status.allCases.randomElement(using: &dice)!
            facts.append(
                Self.fact(
                    "x\(number)", ["adjust", .appleAds].randomElement(using: &dice)!, status,
                    at: .random(in: 0...99, using: &dice)))
            #expect(AttributionPrecedence(facts).winner?.status == .nonOrganic)
        }
    }
}
