// SPDX-License-Identifier: Apache-2.0
import LandfallResults

extension Trial {
    /// No effect on what is bought, looked at while renewals and refunds still come. 100 looks of 100 units.
    static let purchases = Trial(
        name: "A/A on purchases: 12 % buy, a fifth renews, a sixth comes back later, in part or whole, capped, 100 looks of 100 units"
    ) { runs, seed, progress in
        let looks = 100, assigned = salts(runs, looks: looks), sequence = ConfidenceSequence()
        var chance = Chance(seed: seed)
        var naive = 0, decided = 0, bought = 0, refunds = 0
        for run in 0..<runs {
            progress(run)
            var world = Purchases(looks: looks), isNaive = false, isDecided = false, isBought = false
            for (look, count) in assigned[run % assigned.count].variation.enumerated() {
                world.come(0, AssignedLooks.unitsPerLook - count, at: look, &chance)
                world.come(1, count, at: look, &chance)
                world.pass(look)
                if let z = world.paid?.z {
                    if abs(z) > 1.959_963_984_540_054 { isNaive = true }
                    if abs(z) > sequence.multiplier(units: world.allUnits) { isDecided = true }
                }
                if let z = world.converted?.z, abs(z) > sequence.multiplier(units: world.allUnits) { isBought = true }
            }
            naive += isNaive ? 1 : 0
            decided += isDecided ? 1 : 0
            bought += isBought ? 1 : 0
            refunds += world.refunds
        }
        return [
            Figure("always-valid interval of money ever excludes 0", Double(decided) / Double(runs), 0...0.05),
            Figure("the same of who bought", Double(bought) / Double(runs), 0...0.05),
            Figure("z-test of money ever below 0.05", Double(naive) / Double(runs), 0.15...1),
            Figure("refunds in one experiment", Double(refunds) / Double(runs), 100...400),
        ]
    }

    /// Two arms whose people buy, renew and get money back, each as the other.
    private struct Purchases {
        /// In milliunits.
        private static let prices: [(upTo: Double, milliunits: Int64)] = [
            (0.70, 9_990), (0.90, 59_990), (0.99, 199_990), (1, 599_900),
        ]
        private static let mostLooksLater = 20

        private(set) var refunds = 0
        private var units = [0, 0]
        private var buyers = [0, 0]
        private var payments = [Payments(), Payments()]
        /// What happens at each look.
        private var coming: [[(arm: Int, step: Payments.Step)]]

        init(looks: Int) { coming = Array(repeating: [], count: looks + 2 * Self.mostLooksLater + 1) }

        var allUnits: Int { units[0] + units[1] }

        mutating func come(_ arm: Int, _ count: Int, at look: Int, _ chance: inout Chance) {
            units[arm] += count
            let found = chance.conversions(of: count, rate: 0.12)
            buyers[arm] += found
            for _ in 0..<found {
                let drawn = chance.uniform()
                let price = Self.prices.first { drawn < $0.upTo }?.milliunits ?? 0
                var amount: Int64 = 0, later = look
                func pay(_ more: Int64) {
                    coming[later].append((arm, Payments.Step(from: amount, to: amount + more)))
                    amount += more
                    later += 1 + Int(chance.uniform() * Double(Self.mostLooksLater))
                }
                pay(price)
                if chance.uniform() < 0.2 { pay(price) }
                let fate = chance.uniform()
                guard fate < 1.0 / 6 else { continue }
                refunds += 1
                pay(fate < 0.12 ? -price : -price / 2)
            }
        }

        mutating func pass(_ look: Int) { for (arm, step) in coming[look] { payments[arm].count(step) } }

        /// Nil while fewer than ten of an arm paid.
        var paid: PairEstimate? {
            var all = payments[0]
            all.add(payments[1])
            let cap = try? all.cap(highestPrice: 59_990)
            return pair((0...1).map { try? payments[$0].sample(units: units[$0], cap: cap) })
        }

        var converted: PairEstimate? { pair((0...1).map { try? Sample(units: units[$0], conversions: buyers[$0]) }) }

        private func pair(_ samples: [Sample?]) -> PairEstimate? {
            guard buyers.min() ?? 0 >= PairedStrata.fewestConversions, let control = samples[0]?.estimate, let variation = samples[1]?.estimate
            else { return nil }
            return PairEstimate(control: control, variation: variation, units: allUnits)
        }
    }
}
