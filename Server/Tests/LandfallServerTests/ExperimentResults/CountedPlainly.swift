// SPDX-License-Identifier: Apache-2.0
import LandfallWire

@testable import LandfallResults
@testable import LandfallRules

/// The same counts by loops over all facts, as the words of the docs say it: slow, and easy to read.
struct CountedPlainly: Equatable {
    struct Arm: Hashable { let epoch: Int64, variation: String }

    var basis = ExperimentNumbers.Basis.shown
    var units: [Arm: Int] = [:]
    var converted: [String: [Arm: Int]] = [:]
    /// In milliunits.
    var paid: [Arm: Int64] = [:]
    var payers: [Arm: Int] = [:]
    var unconverted = 0
    var segments: [String: [Int]] = [:]
    var echoed = 0
    var fallbackFirst = 0
    var crossing = 0
    var matured = 0
    /// By the day of the exposure, and of the conversion.
    var unitDays: [Int64: Int] = [:]
    var convertedDays: [Int64: Int] = [:]

    init(_ facts: GeneratedFacts, without: Set<String> = [], showsNothing: Bool = false) {
        let all = facts.units.filter { ["drawn", "echoed"].contains($0.step) && !without.contains($0.id) && $0.epoch != 9 }
        func decidedAtMs(_ unit: GeneratedFacts.Unit) -> Int64? { [unit.decidedAtMs, unit.shownAtMs].compactMap { $0 }.min() }
        let shown = ["A", "B"].map { name in all.count { $0.variation == name && $0.shownAtMs != nil } }
        let decided = ["A", "B"].map { name in all.count { $0.variation == name && decidedAtMs($0) != nil } }
        basis = showsNothing || ChiSquareTest(passed: shown, of: decided).p < 0.001 ? .decided : .shown
        var exposed: [(unit: GeneratedFacts.Unit, atMs: Int64)] = []
        for unit in all {
            if let atMs = basis == .shown ? unit.shownAtMs : decidedAtMs(unit) { exposed.append((unit, atMs)) }
        }
        for (unit, atMs) in exposed {
            let arm = Arm(epoch: unit.epoch, variation: unit.variation)
            units[arm, default: 0] += 1
            unitDays[CountedExperiment.day(atMs), default: 0] += 1
            if atMs + GeneratedFacts.trial.windowMs <= GeneratedFacts.nowMs { matured += 1 }
            if let fallback = unit.fallbackAtMs, fallback < unit.shownAtMs ?? .max { fallbackFirst += 1 }
            var isConverted = false
            for metric in [GeneratedFacts.trial, GeneratedFacts.opened] {
                let times = facts.events.filter { event in
                    unit.installs.contains(event.install) && event.type == metric.event?.rawValue && event.atMs >= atMs
                        && event.atMs < atMs + metric.windowMs
                }.map(\.atMs)
                guard let first = times.min() else { continue }
                converted[metric.name, default: [:]][arm, default: 0] += 1
                guard metric.name == "trial" else { continue }
                isConverted = true
                convertedDays[CountedExperiment.day(first), default: 0] += 1
            }
            let charges = facts.charges.filter { unit.installs.contains($0.install) && $0.environment == "Production" }
            func bought(_ metric: Metric) -> [SoldCharge] {
                charges.filter { $0.kind == "purchase" && $0.purchasedAtMs >= atMs && $0.purchasedAtMs < atMs + metric.windowMs }
            }
            if !bought(GeneratedFacts.paid).isEmpty { converted["paid", default: [:]][arm, default: 0] += 1 }
            if bought(GeneratedFacts.yearly).contains(where: { $0.product == "yearly" }) { converted["yearly", default: [:]][arm, default: 0] += 1 }
            let purchases = bought(GeneratedFacts.revenue)
            // Amounts are tens of milliunits, so that a rate of 1.1 and a tenth that comes back leave whole ones.
            let spent = purchases.filter { $0.currency != "GBP" }.reduce(Int64(0)) { sum, purchase -> Int64 in
                let back = charges.first { $0.kind == "refund" && $0.transaction == purchase.transaction }
                let gross = purchase.currency == "EUR" ? purchase.milliunits * 11 / 10 : purchase.milliunits
                // Half a milliunit is rounded up.
                return sum + gross - (back.map { $0.part.under == 1 ? gross : (gross + 5) / 10 } ?? 0)
            }
            paid[arm, default: 0] += spent
            if spent > 0 { payers[arm, default: 0] += 1 }
            if purchases.contains(where: { $0.currency == "GBP" }) { unconverted += 1 }
            let segment = unit.origin ?? (unit.isPending && !unit.isAnswered ? "pending" : "none")
            let before = segments[segment] ?? [0, 0]
            segments[segment] = [before[0] + 1, before[1] + (isConverted ? 1 : 0)]
        }
        echoed = facts.units.count { $0.step == "echoed" && $0.epoch != 9 }
        for (_, people) in Dictionary(grouping: exposed, by: \.unit.profile) where Set(people.map(\.unit.variation)).count > 1 {
            crossing += people.count
        }
    }
}
