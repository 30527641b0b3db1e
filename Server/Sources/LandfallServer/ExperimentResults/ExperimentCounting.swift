// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallResults
import LandfallWire

/// Counts an experiment from the store: everything that its results need, in many small reads that nobody waits behind.
///
/// Outcomes are read before units. So a unit that comes meanwhile is counted without its outcome, never the other way round.
struct ExperimentCounting: Sendable {
    /// More units are read in several parts by their buckets, so that memory has a bound.
    static let mostUnitsAtOnce = 2_000_000

    let database: any Database
    let app: AppID
    let experiment: CountedExperiment
    /// The events that the metrics count, by their places; nil where none does.
    let events: [Event.Kind?]
    /// The first installs of the team's own phones.
    var testDevices: Set<InstallKey> = []
    let nowMs: Int64
    var mostUnitsAtOnce = mostUnitsAtOnce

    func numbers() async throws -> ExperimentNumbers {
        let arms = ExperimentArms(database: database, app: app, experiment: experiment.name)
        let all = try await counted(arms)
        let excluded = try await excluded()
        let exposures = try await exposures(arms, all, excluded), basis = exposures.basis(showsNothing: experiment.showsNothing)

        var tally = ExperimentTally(experiment)
        var byDay: [ExperimentArms.Arm: [Int64: Int]] = [:]
        for (arm, _) in all { byDay[arm] = try await arms.days(arm, basis) }
        let read = Reading(counting: self, basis: basis)
        let days = byDay.values.flatMap(\.keys)
        if let first = days.min(), let last = days.max() {
            try await read.outcomes(first..<last + 1, units: byDay.values.reduce(0) { $0 + $1.values.reduce(0, +) }, into: &tally)
            byDay = [:]
            for (arm, _) in all { byDay[arm] = try await arms.days(arm, basis) }
        }
        var matured = 0
        let maturedMs = nowMs - experiment.metrics[0].windowMs + 1
        for (arm, place) in all {
            let counted = ExperimentTally.Arm(epoch: arm.epoch, variation: place)
            for (day, count) in byDay[arm] ?? [:] { tally.count(units: count, of: counted, exposedOn: day) }
            matured += try await arms.count(arm, exposedBeforeMs: maturedMs, basis)
        }
        for unit in excluded {
            guard let place = all.first(where: { $0.0 == unit.arm })?.1, let atMs = unit.exposedAtMs(basis) else { continue }
            tally.count(units: -1, of: .init(epoch: unit.arm.epoch, variation: place), exposedOn: CountedExperiment.day(atMs))
            if atMs < maturedMs { matured -= 1 }
        }
        try await read.parts(byDay, into: &tally)

        var beside = ExperimentTally.Beside(exposures: exposures, basis: basis, today: CountedExperiment.day(nowMs))
        let units = tally.allUnits
        if units > 0 {
            beside.matured = Double(matured) / Double(units)
            let crossovers = CrossoverReading(database: database, app: app, experiment: experiment.name, basis: basis)
            beside.crossovers = min(1, Double(try await crossovers.units()) / Double(units))
        }
        beside.echoed = try await arms.echoed()
        beside.fallbackFirst = try await arms.fallbackFirst(basis)
        return try tally.numbers(beside)
    }

    /// By which rule units are compared.
    func basis() async throws -> ExperimentNumbers.Basis { try await exposures().basis }

    func exposures() async throws -> (basis: ExperimentNumbers.Basis, counts: ExposureCounts) {
        let arms = ExperimentArms(database: database, app: app, experiment: experiment.name)
        let counts = try await exposures(arms, try await counted(arms), try await excluded())
        return (counts.basis(showsNothing: experiment.showsNothing), counts)
    }

    /// The arms that are compared, with the places of their variations.
    private func counted(_ arms: ExperimentArms) async throws -> [(ExperimentArms.Arm, Int)] {
        try await arms.all().compactMap { arm in experiment.place(of: arm.variation, in: arm.epoch).map { (arm, $0) } }
    }

    private func excluded() async throws -> [TestUnits.Unit] {
        try await TestUnits(database: database, app: app, experiment: experiment.name).rows(of: testDevices)
    }

    private func exposures(
        _ arms: ExperimentArms, _ all: [(ExperimentArms.Arm, Int)], _ excluded: [TestUnits.Unit]
    ) async throws -> ExposureCounts {
        var exposures = ExposureCounts(variations: experiment.variations.count)
        for (arm, place) in all {
            let counts = try await arms.counts(arm)
            exposures.shown[place] += counts.shown
            exposures.decided[place] += counts.shown + counts.decidedOnly
        }
        for unit in excluded { if let place = all.first(where: { $0.0 == unit.arm })?.1 { unit.leave(&exposures, place) } }
        return exposures
    }
}

extension ExperimentCounting {
    /// What is read once the rule of who is compared is known.
    private struct Reading {
        let counting: ExperimentCounting
        let basis: ExperimentNumbers.Basis

        private func arm(_ epoch: Int64, _ variation: String) -> ExperimentTally.Arm? {
            counting.experiment.place(of: variation, in: epoch).map { ExperimentTally.Arm(epoch: epoch, variation: $0) }
        }

        func outcomes(_ days: Range<Int64>, units: Int, into tally: inout ExperimentTally) async throws {
            let parts = Int64(max(1, (units + counting.mostUnitsAtOnce - 1) / counting.mostUnitsAtOnce))
            let all = Int64(Draw.bucketCount)
            for part in 0..<parts {
                try await outcomes(days, buckets: part * all / parts..<(part + 1) * all / parts, into: &tally)
            }
        }

        private func outcomes(_ days: Range<Int64>, buckets: Range<Int64>, into tally: inout ExperimentTally) async throws {
            let reading = OutcomeReading(
                database: counting.database, app: counting.app, experiment: counting.experiment.name, basis: basis, buckets: buckets)
            var converted: [InstallKey: ExperimentTally.Arm] = [:]
            for (place, event) in counting.events.enumerated() {
                guard let event else { continue }
                let windowMs = counting.experiment.metrics[place].windowMs
                let range = days.lowerBound * CountedExperiment.dayMs..<days.upperBound * CountedExperiment.dayMs + windowMs
                try await reading.forEach(of: event, windowMs: windowMs, in: range) { found in
                    guard let arm = arm(found.epoch, found.variation), !counting.testDevices.contains(found.unit) else { return }
                    tally.count(by: place, of: arm, on: CountedExperiment.day(found.atMs))
                    if place == 0 { converted[found.unit] = arm }
                }
            }
            guard counting.experiment.metrics[0].isMeasured else { return }
            try await segments(buckets: buckets, converted, into: &tally)
        }

        private func segments(
            buckets: Range<Int64>, _ converted: [InstallKey: ExperimentTally.Arm], into tally: inout ExperimentTally
        ) async throws {
            let reading = SourceReading(
                database: counting.database, app: counting.app, experiment: counting.experiment.name, basis: basis, buckets: buckets)
            try await reading.forEach { found in
                guard let arm = arm(found.epoch, found.variation), !counting.testDevices.contains(found.unit) else { return }
                tally.count(units: 1, conversions: converted[found.unit] == nil ? 0 : 1, of: arm, in: found.segment)
            }
        }

        /// Who has no source is the rest. Platform and version are asked of the newest units.
        func parts(_ byDay: [ExperimentArms.Arm: [Int64: Int]], into tally: inout ExperimentTally) async throws {
            if counting.experiment.metrics[0].isMeasured { tally.countRest(in: SourceReading.none) }
            tally.countSegments(as: "source")
            let sums = byDay.values.reduce(into: [Int64: Int]()) { sums, days in sums.merge(days) { $0 + $1 } }
            guard let day = PartReading.firstDay(sums) else { return }
            let reading = PartReading(
                database: counting.database, app: counting.app, experiment: counting.experiment.name, basis: basis)
            for arm in byDay.keys.sorted(by: { ($0.step, $0.epoch, $0.variation) < ($1.step, $1.epoch, $1.variation) }) {
                guard let counted = self.arm(arm.epoch, arm.variation) else { continue }
                for found in try await reading.units(of: arm, sinceDay: day) {
                    if let platform = found.platform { tally.count(units: found.units, of: counted, whose: "platform", is: platform) }
                    if let version = found.version { tally.count(units: found.units, of: counted, whose: "version", is: version) }
                }
            }
        }
    }
}
