// SPDX-License-Identifier: Apache-2.0
import Allocations
import LandfallWire
import Testing

@testable import LandfallRules

@Suite("What a decision allocates", .timeLimit(.minutes(5)), .enabled(if: landfall_counts_allocations()))
struct DecisionAllocationTests {
    @Test("100,000 decisions by all kinds of comparisons allocate nothing")
    func nothing() {
        var rules = RandomRules(seed: 12)
        let placements = (0..<20).map { n in
            Placement(
                id: PlacementID("p\(n)"), offers: (0..<100).map { rules.offer($0) }, everyone: RandomRules.paywall("everyone"))
        }
        let facts = (0..<50).map { _ in rules.profile().facts }
        let programs = placements.map(\.program)
        let checks = Set(programs.flatMap { program in (0..<program.instructions.count).map { program.instructions[$0].check } })
        #expect(checks == Set(ConditionCheck.allCases))
        // What the runtime makes at the first use of a type.
        var tally = Tally()
        tally.decide(placements, facts)

        tally = Tally()
        for _ in 0..<50 { tally.decide(placements, facts) }

        #expect(tally.decisions == 100_000 && tally.allocations == 0)
        #expect(tally.found > 10_000)
    }

    @Test("What a decision would allocate is counted")
    func counted() {
        let before = landfall_allocations()
        var grown = [1]
        for number in 2...100 { grown.append(number) }
        let made = landfall_allocations() - before

        #expect(made >= 2, "an array of \(grown.count) numbers has grown")
    }
}

/// Decisions, and what they alone have allocated: a loop in a debug build allocates too.
private struct Tally {
    var decisions = 0
    var found = 0
    var allocations: UInt64 = 0

    mutating func decide(_ placements: [Placement], _ facts: [AudienceFacts]) {
        for placement in placements {
            for facts in facts {
                for pending in [Pending.nothing, .attribution] {
                    let before = landfall_allocations()
                    let decision = placement.decide(locale: nil, facts: facts, pending: pending)
                    allocations += landfall_allocations() - before
                    decisions += 1
                    if decision.audience != .everyone { found += 1 }
                }
            }
        }
    }
}

extension RandomRules {
    fileprivate static func paywall(_ name: String) -> Paywall {
        Paywall(id: PaywallID(name), productIDs: [], defaultLocale: nil, remoteConfig: [:])
    }

    fileprivate mutating func offer(_ number: Int) -> Placement.Offer {
        Placement.Offer(
            audience: Audience(id: AudienceID("audience-\(number)-of-a-campaign"), condition: rule(depth: 3)),
            paywall: Self.paywall("paywall-\(number)"))
    }
}
