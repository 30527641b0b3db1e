// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("A certain result stays true", .timeLimit(.minutes(1)))
struct CompletionTests {
    @Test(
        "No later answer contradicts a result that was certain while answers were pending", arguments: 1...8 as ClosedRange<UInt64>,
        [Pending.attribution, .deferredLink])
    func conditions(seed: UInt64, pending: Pending) {
        var random = SeededRandom(seed: seed)
        var certain = 0
        for _ in 0..<500 {
            let condition = Condition.random(depth: 4, using: &random)
            let completions = AudienceFacts.completions(of: pending, using: &random)
            let program = AudienceProgram([condition])
            let early = program.truth(of: 0, completions[0], pending: pending)
            let late = completions.map { program.truth(of: 0, $0, pending: .nothing) }

            #expect(!late.contains(.unknown))
            if early != .unknown {
                certain += 1
                #expect(late.allSatisfy { $0 == early }, "\(condition)")
            }
        }
        #expect((1..<500).contains(certain), "the run must meet both kinds")
    }

    @Test(
        "No later answer contradicts a final decision; a decision that is not final shows what matches already",
        arguments: 1...8 as ClosedRange<UInt64>, [Pending.attribution, .deferredLink])
    func placements(seed: UInt64, pending: Pending) throws {
        var random = SeededRandom(seed: seed)
        var finals = 0
        for _ in 0..<300 {
            let placement = Placement.random(using: &random)
            let completions = AudienceFacts.completions(of: pending, using: &random)
            let early = placement.decide(locale: nil, facts: completions[0], pending: pending)
            let late = completions.map { placement.decide(locale: nil, facts: $0, pending: .nothing) }

            #expect(late.allSatisfy { $0.isFinal })
            if early.isFinal {
                finals += 1
                #expect(late.allSatisfy { $0 == early })
            } else {
                // Nothing below the audience that matches already can win: only one above it that was unknown.
                let order = placement.offers.map(\.audience.id) + [.everyone]
                let shown = try #require(order.firstIndex(of: early.audience))
                #expect(late.allSatisfy { order.firstIndex(of: $0.audience)! <= shown })
            }
        }
        #expect((1..<300).contains(finals), "the run must meet both kinds")
    }
}

extension Placement {
    fileprivate static func random(using random: inout SeededRandom) -> Placement {
        let offers = (0..<Int.random(in: 0...4, using: &random)).map { index in
            Offer(
                audience: Audience(id: AudienceID("a\(index)"), condition: .random(depth: 3, using: &random)),
                paywall: Paywall(id: PaywallID("p\(index)"), productIDs: [], defaultLocale: nil, remoteConfig: [:])
            )
        }
        return Placement(
            id: "home", offers: offers,
            everyone: Paywall(id: PaywallID("default"), productIDs: [], defaultLocale: nil, remoteConfig: [:])
        )
    }
}
