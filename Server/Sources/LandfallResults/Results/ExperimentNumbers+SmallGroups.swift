// SPDX-License-Identifier: Apache-2.0

/// The numbers for readers who may not see single people.
extension ExperimentNumbers {
    /// Money of fewer people is not told.
    private static let fewestPayers = 5

    /// The same numbers without those about few units: a variation with few units has no conversions, segments and parts with few units
    /// in a variation are merged into one called `other`, and small counts are not known. The verdict's day stays. Of money, few are
    /// fewer than five that paid, and what a single unit paid at most is not known either.
    /// - Parameter least: the smallest number that is not few.
    package func withoutFew(_ least: Int) -> ExperimentNumbers {
        let units = units(primary.strata), all = units.reduce(0, +)
        func isFew(_ count: Int?) -> Bool { count.map { (1..<least).contains($0) } ?? false }
        func measured(_ strata: [Stratum]) -> [Stratum] {
            let payers = payers(strata)
            return Self.unmeasured(strata, Set(units.indices.filter { isFew(units[$0]) || (1..<Self.fewestPayers).contains(payers[$0]) }))
        }
        var told = self
        told.primary.strata = measured(primary.strata)
        for place in guardrails.indices { told.guardrails[place].metric.strata = measured(guardrails[place].metric.strata) }
        for place in secondaries.indices { told.secondaries[place].strata = measured(secondaries[place].strata) }
        (told.cap, told.uncappedMeans) = (nil, nil)
        for place in unconverted.indices where isFew(unconverted[place].units) { told.unconverted[place].units = nil }
        // A payer counts as so many units that five are enough.
        func sizes(_ segment: Segment) -> [Int] {
            self.units(segment.strata) + payers(segment.strata).map { $0 * least / Self.fewestPayers }
        }
        told.segments = together(segments, least, \.name, units: sizes) { .init(name: $0, strata: Self.sum($1.map(\.strata))) }
        told.ratioParts = Set(ratioParts.map(\.by)).sorted().flatMap { by in
            together(ratioParts.filter { $0.by == by }, least, \.value, units: { self.units($0.epochs) }) {
                .init(by: by, value: $0, epochs: Self.sum($1.map(\.epochs)))
            }
        }
        if isFew(facts.echoed) { told.facts.echoed = nil }
        if isFew(facts.fallbackFirst) { told.facts.fallbackFirst = nil }
        if isFew(facts.crossovers.map { Int(($0 * Double(all)).rounded()) }) { told.facts.crossovers = nil }
        if isFew(all) { (told.facts.crossovers, told.facts.matured) = (nil, nil) }
        if facts.decided?.contains(where: isFew) == true { (told.facts.decided, told.facts.shown) = (nil, nil) }
        return told
    }

    /// The days that can be shown: from one of them to the next, and from the last one to
    /// the present numbers, no variation gets only a few units, whose conversions a subtraction would reveal. No day of money: a single
    /// person may have paid on it.
    package func historyWithoutFew(_ least: Int) -> [Moment] {
        guard !isMoney(primary.strata) else { return [] }
        var kept: [Moment] = [], later = units(primary.strata)
        for moment in history.reversed() {
            let now = units(moment.strata), more = zip(later, now).map { $0 - $1 }
            guard (now + more).allSatisfy({ $0 == 0 || $0 >= least }) else { continue }
            kept.append(moment)
            later = now
        }
        return kept.reversed()
    }

    private func units(_ strata: [Stratum]) -> [Int] { variations.indices.map { pooled(strata, $0)?.units ?? 0 } }

    private func isMoney(_ strata: [Stratum]) -> Bool { strata.contains { $0.samples.contains { $0?.kind == .mean } } }

    /// Units that paid, of each variation; 0 where units are not worth money.
    private func payers(_ strata: [Stratum]) -> [Int] {
        variations.indices.map { isMoney(strata) ? pooled(strata, $0)?.conversions ?? 0 : 0 }
    }

    private func units(_ epochs: [RatioLooks]) -> [Int] {
        epochs.flatMap(\.looks).reduce(into: variations.map { _ in 0 }) { sums, look in for place in look.indices { sums[place] += look[place] } }
    }

    private static func unmeasured(_ strata: [Stratum], _ few: Set<Int>) -> [Stratum] {
        strata.map { stratum in
            var stratum = stratum
            for place in few { stratum.samples[place] = stratum.samples[place].flatMap { try? Sample(unmeasured: $0.units) } }
            return stratum
        }
    }

    /// Merges groups with few units in a variation into one group, and adds the next smallest groups while it has few itself. It never
    /// contains one group alone. It is left out if all groups together have few units.
    private func together<Group>(
        _ groups: [Group], _ least: Int, _ name: (Group) -> String, units: (Group) -> [Int], _ sum: (String, [Group]) -> Group
    ) -> [Group] {
        func isFew(_ units: [Int]) -> Bool { units.contains { (1..<least).contains($0) } }
        let counts = groups.map(units), sizes = counts.map { $0.reduce(0, +) }
        let order = groups.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
        var merged = order.filter { isFew(counts[$0]) }
        var rest = order.filter { sizes[$0] > 0 && !isFew(counts[$0]) && name(groups[$0]) != ExperimentTally.other }[...]
        guard !merged.isEmpty else { return groups }
        merged += order.filter { name(groups[$0]) == ExperimentTally.other && !isFew(counts[$0]) }
        func together() -> [Int] { (counts.first ?? []).indices.map { place in merged.reduce(0) { $0 + counts[$1][place] } } }
        while merged.count < 2 || isFew(together()), let next = rest.popFirst() { merged.append(next) }
        let kept = groups.indices.filter { !merged.contains($0) }.map { groups[$0] }
        return isFew(together()) ? kept : kept + [sum(ExperimentTally.other, merged.map { groups[$0] })]
    }

    /// The groups of one experiment have the same epochs, in the same order.
    private static func sum(_ groups: [[Stratum]]) -> [Stratum] {
        groups.dropFirst().reduce(groups.first ?? []) { sums, strata in
            zip(sums, strata).map { sum, stratum in
                Stratum(
                    weights: sum.weights,
                    samples: zip(sum.samples, stratum.samples).map { one, other in one.map { one in other.map { one + $0 } ?? one } ?? other })
            }
        }
    }

    private static func sum(_ groups: [[RatioLooks]]) -> [RatioLooks] {
        groups.dropFirst().reduce(groups.first ?? []) { sums, epochs in
            zip(sums, epochs).map { sum, epoch in
                RatioLooks(weights: sum.weights, looks: zip(sum.looks, epoch.looks).map { zip($0, $1).map { $0 + $1 } }, days: sum.days)
            }
        }
    }
}
