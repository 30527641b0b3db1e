// SPDX-License-Identifier: Apache-2.0
import LandfallResults
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Counts an experiment from the store: everything that its results need, in bounded reads, two at once.
///
/// Outcomes are read before units. So a unit that comes meanwhile is counted without its outcome, never the other way round. Sources
/// are read beside both: a unit that comes meanwhile may count as one without a source until the next look.
/// Units are counted in SQL; a row comes here for a unit only if it converted, or if facts of several sources say where it came from.
struct ExperimentCounter: Sendable {
    /// If more units converted, they are read in several parts by their buckets, so that memory has a bound.
    static let mostUnitsAtOnce = 2_000_000

    let database: any StoreReading
    let app: AppID
    let experiment: CountedExperiment
    /// What the metrics count, by their places; nil for a primary one that is not there.
    let measures: [Metric.Measure?]
    var money = MoneyRules()
    /// The first installs of the team's own phones.
    var testDevices: Set<InstallKey> = []
    let nowMs: Int64
    var mostUnitsAtOnce = mostUnitsAtOnce

    func numbers() async throws -> ExperimentNumbers {
        // Nearly always this is the rule. Only the counts tell, and if they tell otherwise, everything is read by the other one.
        let likely: ExperimentNumbers.Basis = experiment.showsNothing ? .decided : .shown
        var (tally, beside) = try await counted(by: likely)
        let basis = beside.exposures.basis(showsNothing: experiment.showsNothing)
        if basis != likely { (tally, beside) = try await counted(by: basis) }
        return try tally.numbers(beside)
    }

    private func counted(by basis: ExperimentNumbers.Basis) async throws -> (ExperimentTally, ExperimentTally.Beside) {
        let arms = ExperimentArms(database: database, app: app, experiment)
        let all = try await compared(arms)
        let excluded = try await excluded()
        // Not three at once: phones wait for the same readers.
        async let people = people(basis, all, excluded)
        let span = try await arms.span(of: all.map { $0.0 }, basis)
        let outcomes = try await OutcomeCounter(counting: self, basis: basis).outcomes(span)
        var tally = outcomes.tally
        var exposures = ExposureCounts(variations: experiment.variations.count)
        var byDay: [ExperimentArms.Arm: [Int64: Int]] = [:], matured = 0
        let maturedMs = nowMs - experiment.metrics[0].windowMs + 1
        for (arm, place) in all {
            let days = try await arms.days(arm)
            exposures.shown[place] += days.shownUnits
            exposures.decided[place] += days.decidedUnits
            let exposed = try await arms.exposures(arm, days, basis)
            let counted = ExperimentTally.Arm(epoch: arm.epoch, variation: place)
            for (day, count) in exposed { tally.count(units: count, of: counted, exposedOn: day) }
            matured += try await arms.count(arm, exposedBeforeMs: maturedMs, exposed, basis)
            byDay[arm] = exposed
        }
        for unit in excluded {
            guard let place = all.first(where: { $0.0 == unit.arm })?.1 else { continue }
            unit.leave(&exposures, place)
            guard let atMs = unit.exposedAtMs(basis) else { continue }
            tally.count(units: -1, of: .init(epoch: unit.arm.epoch, variation: place), exposedOn: CountedExperiment.day(atMs))
            if atMs < maturedMs { matured -= 1 }
        }

        var beside = ExperimentTally.Beside(exposures: exposures, basis: basis, today: CountedExperiment.day(nowMs))
        beside.unconverted = outcomes.unconverted
        beside.echoed = try await arms.echoed()
        beside.fallbackFirst = try await arms.fallbackFirst(basis)
        let parts = try await partsOfNewest(byDay, basis)

        let (crossed, sources) = try await people
        let units = tally.allUnits
        if units > 0 {
            beside.matured = Double(min(max(0, matured), units)) / Double(units)
            beside.crossovers = min(1, Double(crossed) / Double(units))
        }
        var bySource = outcomes.sources
        bySource.add(sources)
        bySource.count(into: &tally)
        // Units without a source are the rest.
        if experiment.metrics[0].isMeasured { tally.countRest(in: SourceReader.none) }
        tally.countSegments(as: "source")
        for (arm, part) in parts {
            if let platform = part.platform { tally.count(units: part.units, of: arm, whose: "platform", is: platform) }
            if let version = part.version { tally.count(units: part.units, of: arm, whose: "version", is: version) }
        }
        return (tally, beside)
    }

    /// By which rule units are compared.
    func basis() async throws -> ExperimentNumbers.Basis { try await exposures().basis }

    func exposures() async throws -> (basis: ExperimentNumbers.Basis, counts: ExposureCounts) {
        let arms = ExperimentArms(database: database, app: app, experiment)
        let counts = try await exposures(arms, try await compared(arms), try await excluded())
        return (counts.basis(showsNothing: experiment.showsNothing), counts)
    }

    /// - Returns: all units, and those of them whose window is over.
    func units(_ basis: ExperimentNumbers.Basis) async throws -> (all: Int, matured: Int) {
        let arms = ExperimentArms(database: database, app: app, experiment)
        let compared = try await compared(arms), maturedMs = nowMs - experiment.metrics[0].windowMs + 1
        var all = 0, matured = 0
        for (arm, _) in compared {
            let exposed = try await arms.exposures(arm, try await arms.days(arm), basis)
            all += exposed.values.reduce(0, +)
            matured += try await arms.count(arm, exposedBeforeMs: maturedMs, exposed, basis)
        }
        for unit in try await excluded() where compared.contains(where: { $0.0 == unit.arm }) {
            guard let atMs = unit.exposedAtMs(basis) else { continue }
            all -= 1
            if atMs < maturedMs { matured -= 1 }
        }
        return (max(0, all), min(max(0, matured), max(0, all)))
    }

    /// The arms that are compared, with the places of their variations.
    private func compared(_ arms: ExperimentArms) async throws -> [(ExperimentArms.Arm, Int)] {
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

extension ExperimentCounter {
    /// What a publication has just begun is known, however far a replica is behind: its epochs are read from the database itself.
    init(
        _ experiment: ResultsExperiment, measures: [Metric.Measure?], of snapshot: Snapshot, in database: any Database, _ time: ServerTime
    ) async throws {
        let app = snapshot.app.id, epochs = try await StoredEpoch.all(of: experiment.name, in: app, database)
        let reads = await database.laggingReads()
        self.init(
            database: reads.store, app: app, experiment: experiment.counted(epochs), measures: measures,
            money: snapshot.configuration.purchases.money,
            testDevices: try await TestUnits(database: reads.store, app: app, experiment: experiment.name)
                .units(of: snapshot.configuration.testDevices.map(\.install)),
            nowMs: time.nowMs() - (reads.ageMs ?? 0))
    }
}

extension ExperimentCounter {
    /// What the tally calls these units; nil if they are compared with none.
    func arm(_ epoch: Int64, _ variation: String) -> ExperimentTally.Arm? {
        experiment.place(of: variation, in: epoch).map { ExperimentTally.Arm(epoch: epoch, variation: $0) }
    }

    private func people(
        _ basis: ExperimentNumbers.Basis, _ all: [(ExperimentArms.Arm, Int)], _ excluded: [TestUnits.Unit]
    ) async throws -> (crossing: Int, sources: SourceCounts) {
        (try await crossingUnits(basis, all), try await unitsBySource(basis, excluded))
    }

    /// The units of people who are in two variations.
    private func crossingUnits(_ basis: ExperimentNumbers.Basis, _ all: [(ExperimentArms.Arm, Int)]) async throws -> Int {
        guard !all.isEmpty else { return 0 }
        return try await CrossoverReader(
            database: database, app: app, experiment: experiment.name, newestEpoch: experiment.epochs.last?.number ?? 0, basis: basis
        ).units()
    }

    private func unitsBySource(_ basis: ExperimentNumbers.Basis, _ excluded: [TestUnits.Unit]) async throws -> SourceCounts {
        var counts = SourceCounts()
        guard experiment.metrics[0].isMeasured else { return counts }
        let reading = SourceReader(database: database, app: app, experiment: experiment.name, basis: basis)
        try await reading.forEach { found in
            guard let arm = arm(found.epoch, found.variation) else { return }
            counts.count(units: found.units, of: arm, from: found.source)
        }
        let units = excluded.filter { $0.exposedAtMs(basis) != nil }
        let segments = try await UnitSources(database: database, app: app).segments(of: units.map(\.id.rawValue))
        for unit in units {
            guard let arm = arm(unit.arm.epoch, unit.arm.variation), let source = segments[unit.id.rawValue] else { continue }
            counts.count(units: -1, of: arm, from: source)
        }
        return counts
    }

    /// Platform and version are asked of the newest units.
    private func partsOfNewest(
        _ byDay: [ExperimentArms.Arm: [Int64: Int]], _ basis: ExperimentNumbers.Basis
    ) async throws -> [(ExperimentTally.Arm, PartReader.Found)] {
        let sums = byDay.values.reduce(into: [Int64: Int]()) { sums, days in sums.merge(days) { $0 + $1 } }
        guard let day = PartReader.firstDay(sums) else { return [] }
        let reading = PartReader(database: database, app: app, experiment: experiment.name, basis: basis)
        var parts: [(ExperimentTally.Arm, PartReader.Found)] = []
        for arm in byDay.keys.sorted(by: { ($0.step, $0.epoch, $0.variation) < ($1.step, $1.epoch, $1.variation) }) {
            guard let counted = self.arm(arm.epoch, arm.variation) else { continue }
            parts += try await reading.units(of: arm, sinceDay: day).map { (counted, $0) }
        }
        return parts
    }
}
