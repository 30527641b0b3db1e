// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallPurchases

@Suite("10,000 lives", .timeLimit(.minutes(5)))
struct GeneratedLivesTests {
    @Test("end in the same bytes in any order and with any repetition", arguments: 0..<10)
    func order(_ tenth: UInt64) {
        var different = Set<[PurchaseFact]>(), states = Set<ChainState>()
        for seed in tenth * 1000..<(tenth + 1) * 1000 {
            var life = GeneratedLife(seed: seed)
            let state = ChainState.fold(life.facts, of: production, rules: rules)
            // Equal values have equal bytes; writing them down takes much longer than folding, so one life in 25 is written.
            let bytes = seed % 25 == 0 ? Array("\(state)".utf8) : nil
            for _ in 0..<3 {
                let shuffled = life.shuffledAndRepeated()
                let again = ChainState.fold(shuffled, of: production, rules: rules)
                guard again == state, bytes.map({ $0 == Array("\(again)".utf8) }) ?? true else {
                    Issue.record("The life of seed \(seed) depends on the order of its facts.")
                    return
                }
                if seed % 5 == 0 { different.insert(shuffled) }
            }
            states.insert(state)
        }
        // The lives differ, and so do the orders: equal bytes mean something.
        #expect(different.count > 500)
        #expect(states.count > 900)
    }

    @Test(
        "never grant twice at one time without seats, never charge twice, never give back more than was paid",
        arguments: 0..<10)
    func sound(_ tenth: UInt64) {
        for seed in stride(from: tenth * 1000, to: (tenth + 1) * 1000, by: 5) {
            let life = GeneratedLife(seed: seed)
            let state = ChainState.fold(life.facts, of: production, rules: rules)
            let seats = Set(
                life.facts.compactMap { fact -> String? in
                    guard case .transaction(let payload) = fact.content, payload.additionalReason == .seatAddition else {
                        return nil
                    }
                    return payload.transactionID
                })
            let granting = state.periods.filter { $0.state.grants && !seats.contains($0.transactionID) }
            let overlaps = zip(granting, granting.dropFirst()).contains { ($0.endsAtMs ?? .max) > $1.startsAtMs }
            var paid: [String: Int64] = [:], back: [String: Int64] = [:]
            for charge in state.charges {
                let moved = charge.milliunits * charge.part.numerator / charge.part.denominator
                if charge.kind == .purchase {
                    paid[charge.transactionID, default: 0] += moved
                } else {
                    back[charge.transactionID, default: 0] += moved
                }
            }

            #expect(!overlaps, "seed \(seed)")
            #expect(back.allSatisfy { $0.value <= paid[$0.key] ?? 0 }, "seed \(seed)")
            let purchases = state.charges.filter { $0.kind == .purchase }.map(\.transactionID)
            #expect(Set(purchases).count == purchases.count, "seed \(seed)")
        }
    }
}
