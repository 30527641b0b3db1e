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
